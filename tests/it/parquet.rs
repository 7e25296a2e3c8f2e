//! `games.parquet` from outside.

use crate::common::{call, error, ok};

const RUN: &str = "run --game doubles --agent random --seed 5 --quiet --games --format";

/// The same rows, columns and types as in `games.csv`; the same bytes on any number of threads, after a run that went on
/// from a part, and joined from shards.
#[cfg(feature = "parquet")]
#[test]
fn columns_hold_the_rows() {
    use parquet::basic::{LogicalType, Type};
    use parquet::file::reader::{FileReader as _, SerializedFileReader};
    use parquet::record::Field;
    use std::fs::{self, File};

    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    ok(folder.path(), &format!("{RUN} parquet -n 700 --threads 1 --out a"));
    let reader = SerializedFileReader::new(File::open(path("a/games.parquet")).unwrap()).unwrap();
    let schema = reader.metadata().file_metadata().schema_descr_ptr();
    let types: Vec<(&str, Type)> =
        schema.columns().iter().map(|column| (column.name(), column.physical_type())).collect();
    let expected = [
        ("index", Type::INT64),
        ("seat", Type::INT32),
        ("agent", Type::BYTE_ARRAY),
        ("score", Type::DOUBLE),
        ("won", Type::INT32),
        ("end", Type::BYTE_ARRAY),
        ("moves", Type::INT32),
    ];
    assert_eq!(types, expected);
    assert_eq!(schema.column(2).logical_type_ref(), Some(&LogicalType::String));
    let text = |field: &Field| match field {
        Field::Str(text) => text.clone(),
        Field::Double(number) => format!("{number:?}"),
        other => other.to_string(),
    };
    let mut rows = vec!["index,seat,agent,score,won,end,moves".to_owned()];
    rows.extend(reader.get_row_iter(None).unwrap().map(|row| {
        row.unwrap().get_column_iter().map(|(_, field)| text(field)).collect::<Vec<_>>().join(",")
    }));
    let table = fs::read_to_string(path("a/games.csv")).unwrap();
    assert_eq!(rows, table.lines().collect::<Vec<_>>());

    let same = |other: &str| {
        let read = |name: &str| fs::read(path(name).join("games.parquet")).unwrap();
        assert!(read("a") == read(other), "{other}");
    };
    ok(folder.path(), &format!("{RUN} parquet -n 700 --threads 3 --out b"));
    same("b");
    fs::remove_file(path("b/games.parquet")).unwrap();
    ok(folder.path(), &format!("{RUN} parquet -n 700 --out b --resume"));
    same("b");
    for part in 1..=3 {
        ok(folder.path(), &format!("{RUN} parquet -n 700 --shard {part}/3 --out part{part}"));
    }
    ok(folder.path(), "merge part1 part2 part3 --out whole --quiet");
    same("whole");
    // A run that does not write it takes that of the run before away.
    ok(folder.path(), &format!("{RUN} csv -n 700 --out b --force"));
    assert!(!path("b/games.parquet").exists());
    let manifest = fs::read_to_string(path("a/manifest.json")).unwrap();
    assert!(manifest.contains("\"games.parquet\""));
}

/// A build that cannot write it says how to get one that can, before anything is played.
#[cfg(not(feature = "parquet"))]
#[test]
fn a_build_without_it_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let output = call(folder.path(), &format!("{RUN} parquet -n 10 --out a"));
    assert_eq!(output.status.code(), Some(2));
    assert!(error(&output).contains("cargo build --release --features parquet"), "{}", error(&output));
    assert!(!folder.path().join("a").exists());
    ok(folder.path(), &format!("{RUN} csv -n 10 --out a"));
}

/// The format is that of a table that must have been asked for.
#[test]
fn the_format_needs_the_table() {
    let folder = tempfile::tempdir().unwrap();
    for (line, part) in [
        ("run --game doubles --agent random -n 5 --format csv", "--games"),
        ("run --game doubles --agent random -n 5 --games --format xls", "expected csv or parquet"),
    ] {
        let output = call(folder.path(), line);
        assert_eq!(output.status.code(), Some(2), "{line}");
        assert!(error(&output).contains(part), "{line}: {}", error(&output));
    }
}
