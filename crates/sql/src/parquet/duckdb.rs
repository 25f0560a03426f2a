//! A dataset's tables for DuckDB, with the columns that the files lack.

use rtoscope_command::export::dataset::TICKS_PER_SECOND;
use rtoscope_tables::{Derivation, Table};
use std::fmt::Write as _;

/// SQL that creates a view per table. Paths are relative to the dataset.
pub(crate) fn views() -> String {
    let mut sql = "-- The tables of this dataset with all columns, for DuckDB. In this folder:\n\
        --   duckdb -init duckdb.sql\n\n\
        CREATE OR REPLACE MACRO ticks_to_ns(ticks, frequency_hz) AS CASE\n  \
        WHEN ticks >= 0 AND frequency_hz > 0 THEN\n  \
        least(ticks::HUGEINT * 1000000000 // frequency_hz, 9223372036854775807)::BIGINT END;\n"
        .to_owned();
    for &table in Table::ALL {
        // Writing to a string cannot fail.
        let _ = write!(sql, "\n{}", view(table));
    }
    sql
}

fn view(table: Table) -> String {
    let files = format!(
        "read_parquet('{table}/**/*.parquet',\n    \
         hive_partitioning = true, hive_types_autocast = false, union_by_name = true)"
    );
    let columns = table.columns().iter().enumerate();
    let derived = columns.filter(|(index, _)| table.derivation(*index).is_some());
    let mut lacking: Vec<_> = derived.map(|(_, column)| column.name).collect();
    if lacking.is_empty() {
        return format!("CREATE OR REPLACE VIEW \"{table}\" AS FROM {files};\n");
    }
    let all: Vec<_> = (0..table.columns().len())
        .map(|column| {
            let name = quoted(name(table, column));
            match table.derivation(column) {
                Some(_) => format!("{} AS {name}", expression(table, column)),
                None => name,
            }
        })
        .collect();
    let names = table.columns().iter().map(|column| column.name);
    let excluded: Vec<_> = names.chain([TICKS_PER_SECOND]).map(quoted).collect();
    lacking.push(TICKS_PER_SECOND);
    // The files of damaged recordings can have these columns.
    let typed: Vec<_> = lacking
        .into_iter()
        .map(|name| format!("NULL::BIGINT AS {}", quoted(name)))
        .collect();
    format!(
        "CREATE OR REPLACE VIEW \"{table}\" AS SELECT\n  {},\n  * EXCLUDE ({})\nFROM (\n  \
         SELECT {} WHERE false\n  UNION ALL BY NAME FROM {files});\n",
        all.join(",\n  "),
        excluded.join(", "),
        typed.join(", ")
    )
}

/// A column that files can lack.
fn expression(table: Table, column: usize) -> String {
    let name = quoted(name(table, column));
    match table.derivation(column) {
        None => name,
        Some(Derivation::Nanoseconds { ticks }) => {
            let ticks = expression(table, ticks);
            format!("coalesce({name}, ticks_to_ns({ticks}, {TICKS_PER_SECOND}))")
        }
        Some(Derivation::Difference { end, start }) => {
            let (end, start) = (expression(table, end), expression(table, start));
            format!("coalesce({name}, {end} - {start})")
        }
    }
}

fn name(table: Table, column: usize) -> &'static str {
    table.columns().get(column).map_or("", |column| column.name)
}

fn quoted(name: &str) -> String {
    format!("\"{name}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derived_columns_are_computed() {
        let sql = view(Table::Slices);
        for part in [
            "  coalesce(\"duration\", \"end\" - \"start\") AS \"duration\",\n",
            "coalesce(\"start_ns\", ticks_to_ns(\"start\", ticks_per_second)) AS \"start_ns\"",
            "ticks_to_ns(coalesce(\"duration\", \"end\" - \"start\"), ticks_per_second)) AS \"duration_ns\"",
            "read_parquet('slices/**/*.parquet'",
        ] {
            assert!(sql.contains(part), "{part} in {sql}");
        }
        let contexts = view(Table::Contexts);
        assert!(!contexts.contains("coalesce"), "{contexts}");
        assert_eq!(views().matches("VIEW").count(), Table::ALL.len());
    }
}
