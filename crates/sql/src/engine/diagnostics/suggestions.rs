//! Names that do not exist: what other tools call a table or column, and text in the quotes of
//! names.

use datafusion::common::SchemaError;
use datafusion::error::DataFusionError;
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};

/// Names of tables in other tools, and the tables that have those rows.
const TABLES: [(&[&str], &str); 8] = [
    (&["thread", "threads", "task", "tasks"], "contexts"),
    (
        &["sched", "sched_slice", "thread_slice", "cpu_slice"],
        "slices",
    ),
    (&["args"], "arguments"),
    (&["counter", "counters", "queues", "semaphores"], "levels"),
    (&["irq", "irqs", "interrupts", "isr"], "isrs"),
    (&["mutexes", "mutex"], "locks"),
    (&["stats", "errors", "warnings"], "diagnostics"),
    (&["trace", "traces", "metadata", "files"], "recordings"),
];

/// Names of columns in other tools, and those that have such values, the best first.
const COLUMNS: [(&[&str], &[&str]); 6] = [
    (&["dur"], &["duration"]),
    (&["ts"], &["timestamp", "time", "start"]),
    (
        &[
            "thread",
            "thread_name",
            "task",
            "task_name",
            "comm",
            "process",
        ],
        &["context"],
    ),
    (&["tid", "utid", "thread_id", "task_id"], &["context_id"]),
    (&["cpu", "ucpu"], &["core"]),
    (&["name"], &["context", "kind", "object"]),
];

/// The table that has what other tools call so.
pub(super) fn table(name: &str) -> Option<&'static str> {
    let name = name.to_lowercase();
    let known = TABLES
        .iter()
        .find(|(names, _)| names.contains(&name.as_str()));
    known.map(|(_, table)| *table)
}

/// The message about a column that does not exist, if another tool has one of that name, or if it
/// is a text in the quotes of names.
pub(super) fn unknown_column(error: &DataFusionError, sql: &str) -> Option<String> {
    let (unknown, columns) = match error {
        DataFusionError::Diagnostic(_, error) => return unknown_column(error, sql),
        DataFusionError::SchemaError(error, _) => match &**error {
            SchemaError::FieldNotFound {
                field,
                valid_fields,
            } => (field, valid_fields),
            _ => return None,
        },
        _ => return None,
    };
    let name = unknown.name.to_lowercase();
    let mut known = COLUMNS.iter();
    let known = known.find(|(names, _)| names.contains(&name.as_str()));
    let exists = |name: &&&str| columns.iter().any(|column| column.name == **name);
    let meant = known.and_then(|(_, columns)| columns.iter().find(exists));
    if let Some(meant) = meant {
        return Some(format!(
            "No field named {}. Did you mean '{meant}'?",
            unknown.flat_name()
        ));
    }
    is_in_double_quotes(&unknown.name, sql).then(|| {
        let name = &unknown.name;
        format!("No field named \"{name}\". Text is in single quotes: '{name}'")
    })
}

/// Whether a statement has a name in double quotes.
fn is_in_double_quotes(name: &str, sql: &str) -> bool {
    let tokens = Tokenizer::new(&GenericDialect {}, sql).tokenize();
    tokens.unwrap_or_default().iter().any(|token| match token {
        Token::Word(word) => word.quote_style == Some('"') && word.value == name,
        _ => false,
    })
}
