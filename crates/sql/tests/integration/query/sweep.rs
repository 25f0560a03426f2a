//! Simple queries on every table and view.

use super::{data, query_with_input, rows};
use rtoscope_tables::Table;
use rtoscope_tables::sql::views;

/// Small recordings that have rows in most tables.
const TRACES: [&str; 2] = ["threadx/cm3_short.trx", "rkh/nat_short.bin"];

/// One shell runs all of them: it stops at the first that fails.
#[test]
fn simple_queries_run_on_every_column() {
    let tables = Table::ALL.iter().map(|table| {
        let columns = table.columns().iter().map(|column| column.name);
        (table.name(), columns.collect::<Vec<_>>(), false)
    });
    let views = views::all().map(|view| {
        let columns = view.columns.iter().map(|column| column.name);
        (view.name, columns.collect(), true)
    });
    let mut input = String::new();
    let mut least_rows = 0;
    for (name, columns, is_view) in tables.chain(views) {
        let quoted = columns.iter().map(|column| format!("\"{column}\""));
        let quoted: Vec<_> = quoted.collect();
        let list = |before: &str, after: &str| {
            let items = quoted
                .iter()
                .map(|column| format!("{before}{column}{after}"));
            items.collect::<Vec<_>>().join(", ")
        };
        let (all, sets, distinct) = (list("", ""), list("(", ")"), list("count(DISTINCT ", ")"));
        input += &format!(
            "SELECT count(*) AS n FROM {name};
            SELECT DISTINCT * FROM {name} LIMIT 3;
            SELECT {distinct} FROM {name};
            SELECT {all} FROM {name} GROUP BY GROUPING SETS ({sets}) LIMIT 3;
            SELECT * FROM {name} ORDER BY {all} LIMIT 3;\n"
        );
        // A count and a row of counts.
        least_rows += 2;
        // A view has a plan of its own, from which each column needs other parts.
        for column in quoted.iter().filter(|_| is_view) {
            input += &format!(
                "SELECT DISTINCT {column} FROM (
                    SELECT {column}, count(*) AS n FROM {name} GROUP BY {column}
                ) ORDER BY {column} LIMIT 3;\n"
            );
        }
    }
    let files = TRACES.map(data);
    let options = ["--shell", "--clock=25MHz", "--format=jsonl"].map(AsRef::as_ref);
    let words = options
        .into_iter()
        .chain(files.iter().map(|file| file.as_os_str()));
    let found = rows(&query_with_input(words, input.as_bytes()).ok());
    assert!(found.len() > 2 * least_rows);
}
