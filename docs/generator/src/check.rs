//! The figures that the rules of `check` can limit.

use crate::cell;
use rtoscope_analysis::check::limited_figures;
use std::fmt::Write as _;

pub(crate) fn figures() -> String {
    let mut text = "| table | rows | figures |\n|---|---|---|\n".to_owned();
    for (table, title, figures) in limited_figures() {
        let figures: Vec<_> = figures.iter().map(|it| format!("`{it}`")).collect();
        let _ = writeln!(
            text,
            "| `{table}` | {} | {} |",
            cell(title),
            figures.join(", ")
        );
    }
    text
}
