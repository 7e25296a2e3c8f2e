//! Tables of results as Arrow.

use super::convert::{self, failed, refused};
use super::game::Made;
use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{
    ArrayRef, Float64Array, Int64Array, RecordBatch, RecordBatchIterator, StringArray, UInt64Array,
};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use knave::store::{self, CELLS, ColumnKind, column_kind};
use pyo3::exceptions::{PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyString};
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

/// A column that travels: its name, its type and its cells.
type Column<'py> = (String, &'static str, Bound<'py, PyAny>);

/// A table of results. Programs that know Arrow take it as it is: `polars.DataFrame(table)`, `pyarrow.table(table)`,
/// `pandas.DataFrame.from_arrow(table)`.
#[pyclass(frozen, module = "knave")]
pub struct Table {
    batch: RecordBatch,
    file: String,
}

impl Table {
    fn of(py: Python<'_>, file: String, names: &[String], arrays: Vec<ArrayRef>) -> PyResult<Self> {
        let field = |(name, array): (&String, &ArrayRef)| Field::new(name, array.data_type().clone(), true);
        let schema: SchemaRef =
            Arc::new(Schema::new(names.iter().zip(&arrays).map(field).collect::<Vec<_>>()));
        let batch = RecordBatch::try_new(schema, arrays).map_err(|error| failed(py, &error))?;
        Ok(Self { batch, file })
    }

    fn place(&self, name: &str) -> PyResult<usize> {
        let columns = self.columns();
        columns.iter().position(|column| column == name).ok_or_else(|| {
            PyKeyError::new_err(format!(
                "{} has no column '{name}'; its columns: {}",
                self.file,
                columns.join(", ")
            ))
        })
    }

    /// The cells of a column, `None` for undefined values.
    fn cells<'py>(&self, py: Python<'py>, place: usize) -> PyResult<Bound<'py, PyAny>> {
        let any = self.batch.column(place).as_any();
        if let Some(array) = any.downcast_ref::<Int64Array>() {
            array.iter().collect::<Vec<_>>().into_pyobject(py)
        } else if let Some(array) = any.downcast_ref::<UInt64Array>() {
            array.iter().collect::<Vec<_>>().into_pyobject(py)
        } else if let Some(array) = any.downcast_ref::<Float64Array>() {
            array.iter().collect::<Vec<_>>().into_pyobject(py)
        } else {
            any.downcast_ref::<StringArray>()
                .map(|array| array.iter().collect::<Vec<_>>())
                .unwrap_or_default()
                .into_pyobject(py)
        }
    }
}

#[pymethods]
impl Table {
    /// Reads a file of results; empty cells are null. In the tables of a study an option of the rules has the type that its values in
    /// all cells have, also where a table names none of them.
    #[staticmethod]
    fn read(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let table = py.detach(|| store::Table::read(&path, usize::MAX));
        let table =
            table.map_err(|error| refused(py, &format!("{} cannot be read: {error}", path.display())))?;
        let has_options = table.columns.iter().any(|name| column_kind(name) == ColumnKind::Option);
        let study =
            if has_options { store::Table::read(&path.with_file_name(CELLS), usize::MAX).ok() } else { None };
        let arrays = table.columns.iter().enumerate().map(|(place, name)| {
            let cells = || table.rows.iter().map(move |row| row[place].as_str());
            let of_study = study.as_ref().and_then(|study| Some((study, study.column(name)?)));
            let has_words = of_study.is_some_and(|(study, place)| {
                read::<i64>(study.rows.iter().filter_map(|row| row.get(place)).map(String::as_str)).is_err()
            });
            array(name, cells, has_words).map_err(|cell| {
                refused(py, &format!("{}: column {name}: '{cell}' is not of its type", path.display()))
            })
        });
        Self::of(py, table.file, &table.columns, arrays.collect::<PyResult<_>>()?)
    }

    /// The table of these columns, each with its name, its type and its cells: what travels between processes.
    #[staticmethod]
    fn _made(
        py: Python<'_>,
        file: String,
        columns: Vec<(String, String, Bound<'_, PyAny>)>,
    ) -> PyResult<Self> {
        let array = |(_, data, cells): &(String, String, Bound<'_, PyAny>)| -> PyResult<ArrayRef> {
            Ok(match data.as_str() {
                "int64" => Arc::new(Int64Array::from(cells.extract::<Vec<Option<i64>>>()?)),
                "uint64" => Arc::new(UInt64Array::from(cells.extract::<Vec<Option<u64>>>()?)),
                "float64" => Arc::new(Float64Array::from(cells.extract::<Vec<Option<f64>>>()?)),
                _ => Arc::new(StringArray::from(cells.extract::<Vec<Option<String>>>()?)),
            })
        };
        let arrays = columns.iter().map(array).collect::<PyResult<_>>()?;
        let names: Vec<String> = columns.into_iter().map(|(name, ..)| name).collect();
        Self::of(py, file, &names, arrays)
    }

    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.batch.schema_ref().fields().iter().map(|field| field.name().clone()).collect()
    }

    /// The type of every column, by name: `int64`, `uint64`, `float64` or `string`.
    #[getter]
    fn dtypes(&self) -> Vec<(String, &'static str)> {
        let name = |data: &DataType| match data {
            DataType::Int64 => "int64",
            DataType::UInt64 => "uint64",
            DataType::Float64 => "float64",
            _ => "string",
        };
        self.batch
            .schema_ref()
            .fields()
            .iter()
            .map(|field| (field.name().clone(), name(field.data_type())))
            .collect()
    }

    /// A table never changes, so a copy is the table itself.
    fn __copy__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: PyRef<'py, Self>, memo: &Bound<'py, PyAny>) -> PyRef<'py, Self> {
        let _ = memo;
        slf
    }

    /// A table travels as the name of its file and its columns.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Made<'py, (&str, Vec<Column<'py>>)>> {
        let column = |(name, data): (String, &'static str)| {
            let cells = self.cells(py, self.place(&name)?)?;
            Ok((name, data, cells))
        };
        let columns = self.dtypes().into_iter().map(column).collect::<PyResult<_>>()?;
        Ok((py.import("knave._pickle")?.getattr("table")?, (&*self.file, columns)))
    }

    /// A table of the first `n` rows.
    #[pyo3(signature = (n=5))]
    fn head(&self, #[pyo3(from_py_with = convert::n)] n: u64) -> Self {
        let rows = self.batch.num_rows();
        let first = usize::try_from(n).map_or(rows, |n| n.min(rows));
        Self { batch: self.batch.slice(0, first), file: self.file.clone() }
    }

    fn __contains__(&self, name: &Bound<'_, PyAny>) -> bool {
        name.extract::<String>().is_ok_and(|name| self.columns().contains(&name))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.columns().into_pyobject(py)?.call_method0("__iter__")
    }

    fn _ipython_key_completions_(&self) -> Vec<String> {
        self.columns()
    }

    fn _repr_html_<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("knave.results")?.call_method1("table_html", (slf,))
    }

    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    /// The cells of a column, `None` for undefined values.
    fn __getitem__<'py>(&self, py: Python<'py>, name: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
        // No column has half characters in its name.
        self.cells(py, self.place(&name.to_string_lossy())?)
    }

    /// Refuses to be an array: NumPy, and pandas with it, would take the names of the columns for all that there is.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__(&self, dtype: Option<&Bound<'_, PyAny>>, copy: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let _ = (dtype, copy);
        let reason =
            "a table is no array: take a column, table['name'], or a data frame, to_pandas() or to_polars()";
        Err(PyTypeError::new_err(reason))
    }

    /// The table as a polars data frame.
    fn to_polars<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("polars")?.call_method1("DataFrame", (slf,))
    }

    /// The table as a pandas data frame.
    fn to_pandas<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pandas")?.getattr("DataFrame")?.call_method1("from_arrow", (slf,))
    }

    fn __repr__(&self) -> String {
        format!("<Table {}: {} rows of {}>", self.file, self.batch.num_rows(), self.columns().join(", "))
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.batch.schema_ref().as_ref());
        PyCapsule::new_with_value(py, schema.map_err(|error| failed(py, &error))?, c"arrow_schema")
    }

    /// The columns keep their types: the interface lets a producer ignore the schema that is asked for.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        let batches = RecordBatchIterator::new([Ok(self.batch.clone())], self.batch.schema());
        let stream = FFI_ArrowArrayStream::new(Box::new(batches));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }
}

/// A column of the type that its name has; the first cell that is not of it otherwise. An option that has words elsewhere in its study is
/// a text.
fn array<'a, Cells: Iterator<Item = &'a str>>(
    name: &str,
    cells: impl Fn() -> Cells,
    has_words: bool,
) -> Result<ArrayRef, String> {
    Ok(match column_kind(name) {
        // An index beyond a signed number is that of a part near the end of 2^64 games.
        ColumnKind::Whole => match read::<i64>(cells()) {
            Ok(numbers) => Arc::new(Int64Array::from(numbers)),
            Err(_) => Arc::new(UInt64Array::from(read::<u64>(cells())?)),
        },
        ColumnKind::Unsigned => Arc::new(UInt64Array::from(read::<u64>(cells())?)),
        ColumnKind::Number => match read::<f64>(cells()) {
            Ok(numbers) => Arc::new(Float64Array::from(numbers)),
            Err(_) => Arc::new(StringArray::from(read::<String>(cells())?)),
        },
        ColumnKind::Text => Arc::new(StringArray::from(read::<String>(cells())?)),
        // Options of rules are of any type.
        ColumnKind::Option => match read::<i64>(cells()) {
            Ok(numbers) if !has_words => Arc::new(Int64Array::from(numbers)),
            _ => Arc::new(StringArray::from(read::<String>(cells())?)),
        },
    })
}

fn read<'a, T: FromStr>(cells: impl Iterator<Item = &'a str>) -> Result<Vec<Option<T>>, String> {
    let read = |cell: &'a str| match cell {
        "" => Ok(None),
        cell => cell.parse().map(Some).map_err(|_| cell.to_owned()),
    };
    cells.map(read).collect()
}
