//! `games.parquet`: the rows of `games.csv` once more, as columns that other programs load at once.
//!
//! A file of columns can only be written as a whole, so it is made from `games.csv` when the games are done. That keeps
//! `--resume`, `--shard` and `sim merge` out of it, and it is the same to the byte where `games.csv` is.

use std::io;
use std::path::Path;

/// The name of the file.
pub const GAMES_PARQUET: &str = "games.parquet";

/// Whether this build can write the format.
pub const HAS_PARQUET: bool = cfg!(feature = "parquet");

/// What is said where it cannot.
pub(crate) const NO_PARQUET: &str =
    "this sim was built without it: build with --features parquet, or use the Python package";

/// Writes the rows of `games.csv` to a file of columns.
#[cfg(not(feature = "parquet"))]
pub(super) fn convert(_: &Path, _: &Path, _: bool) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "this build cannot write the format"))
}

/// Writes the rows of `games.csv` to a file of columns.
#[cfg(feature = "parquet")]
pub(super) fn convert(from: &Path, to: &Path, durable: bool) -> io::Result<()> {
    use super::replace::{beside, put};
    let fresh = beside(to)?;
    columns::write(from, fresh.as_file().try_clone()?)?;
    put(fresh, to, durable)
}

#[cfg(feature = "parquet")]
mod columns {
    use parquet::basic::Encoding;
    use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type};
    use parquet::errors::ParquetError;
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
    use parquet::schema::parser::parse_message_type;
    use std::fs::File;
    use std::io::{self, Write};
    use std::path::Path;
    use std::sync::Arc;

    /// The columns of `games.csv`, in order.
    const SCHEMA: &str = "message games {
        REQUIRED INT64 index (INTEGER(64,false));
        REQUIRED INT32 seat (INTEGER(8,false));
        REQUIRED BYTE_ARRAY agent (STRING);
        REQUIRED DOUBLE score;
        REQUIRED INT32 won (INTEGER(8,false));
        REQUIRED BYTE_ARRAY end (STRING);
        REQUIRED INT32 moves (INTEGER(32,false));
    }";

    /// So many rows are in memory at a time.
    const GROUP: usize = 1 << 18;

    /// Some rows, by columns.
    #[derive(Default)]
    struct Group {
        index: Vec<i64>,
        seat: Vec<i32>,
        agent: Vec<ByteArray>,
        score: Vec<f64>,
        won: Vec<i32>,
        end: Vec<ByteArray>,
        moves: Vec<i32>,
    }

    /// Writes the rows of one file to the other.
    pub fn write(from: &Path, to: File) -> io::Result<()> {
        let schema = Arc::new(parse_message_type(SCHEMA).map_err(io::Error::other)?);
        // Indices rise and never come back, so their differences are small and a dictionary of them is not.
        let properties = WriterProperties::builder()
            .set_column_dictionary_enabled("index".into(), false)
            .set_column_encoding("index".into(), Encoding::DELTA_BINARY_PACKED)
            .build();
        let mut file =
            SerializedFileWriter::new(to, schema, Arc::new(properties)).map_err(io::Error::other)?;
        let mut table = csv::Reader::from_path(from)?;
        let (mut group, mut row) = (Group::default(), csv::StringRecord::new());
        loop {
            let more = table.read_record(&mut row)?;
            if group.index.len() == GROUP || (!more && !group.index.is_empty()) {
                let mut columns = file.next_row_group().map_err(io::Error::other)?;
                std::mem::take(&mut group).write(&mut columns).map_err(io::Error::other)?;
                columns.close().map_err(io::Error::other)?;
            }
            if !more {
                break;
            }
            let place = row.position().map_or(0, csv::Position::line);
            group.push(&row).ok_or_else(|| {
                io::Error::other(format!("{}: line {place} is no row of a game", from.display()))
            })?;
        }
        file.close().map_err(io::Error::other)?;
        Ok(())
    }

    impl Group {
        /// Adds a row; `None` when it is none.
        fn push(&mut self, row: &csv::StringRecord) -> Option<()> {
            // Unsigned numbers are stored by their bits.
            self.index.push(row.get(0)?.parse::<u64>().ok()? as i64);
            self.seat.push(row.get(1)?.parse::<u8>().ok()?.into());
            self.agent.push(row.get(2)?.into());
            self.score.push(row.get(3)?.parse().ok()?);
            self.won.push(row.get(4)?.parse::<u8>().ok()?.into());
            self.end.push(row.get(5)?.into());
            self.moves.push(row.get(6)?.parse::<u32>().ok()? as i32);
            Some(())
        }

        fn write<W: Write + Send>(
            self,
            columns: &mut SerializedRowGroupWriter<'_, W>,
        ) -> Result<(), ParquetError> {
            column::<_, Int64Type>(columns, &self.index)?;
            column::<_, Int32Type>(columns, &self.seat)?;
            column::<_, ByteArrayType>(columns, &self.agent)?;
            column::<_, DoubleType>(columns, &self.score)?;
            column::<_, Int32Type>(columns, &self.won)?;
            column::<_, ByteArrayType>(columns, &self.end)?;
            column::<_, Int32Type>(columns, &self.moves)
        }
    }

    fn column<W: Write + Send, T: DataType>(
        columns: &mut SerializedRowGroupWriter<'_, W>,
        values: &[T::T],
    ) -> Result<(), ParquetError> {
        let mut column =
            columns.next_column()?.ok_or_else(|| ParquetError::General("no column is left".to_owned()))?;
        column.typed::<T>().write_batch(values, None, None)?;
        column.close()
    }
}
