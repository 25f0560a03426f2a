//! The figures as Markdown tables, which are readable on a terminal too.

use super::budget::Budgets;
use super::build::Measured;
use super::original::Originals;
use std::fmt::Write as _;

/// All tables, and the source of the figures.
pub(crate) fn render(
    budgets: &Budgets,
    measured: &Measured,
    originals: &Originals,
) -> anyhow::Result<String> {
    let mut text = String::new();
    writeln!(
        text,
        "Instructions per record, rustc {}:\n",
        measured.compiler
    )?;
    text += &instructions(budgets, measured, originals)?;
    writeln!(text, "\nBytes per recorder:\n")?;
    text += &memory(budgets, measured);
    writeln!(text, "\nThe originals in C:\n")?;
    for source in originals.source.values() {
        writeln!(text, "- {}. {}", source.of, source.compiler)?;
    }
    Ok(text)
}

fn instructions(
    budgets: &Budgets,
    measured: &Measured,
    originals: &Originals,
) -> anyhow::Result<String> {
    let mut rows = vec![row(&["record", "goal", "`z`", "`3`", "C `-Os`", "C `-O2`"])];
    for case in &budgets.case {
        let original = originals.instructions.get(&case.name);
        rows.push(vec![
            case.title.clone(),
            number_or_dash(case.goal(originals)?),
            number_or_dash(measured.size.instructions.get(&case.name).copied()),
            number_or_dash(measured.speed.instructions.get(&case.name).copied()),
            number_or_dash(original.map(|original| original.size)),
            number_or_dash(original.map(|original| original.speed)),
        ]);
    }
    Ok(aligned(&rows))
}

fn memory(budgets: &Budgets, measured: &Measured) -> String {
    let mut rows = vec![row(&["recorder", "flash, `z`", "flash, `3`", "RAM"])];
    for memory in &budgets.memory {
        let size = measured.size.memory.get(memory.recorder.as_str());
        let speed = measured.speed.memory.get(memory.recorder.as_str());
        rows.push(vec![
            memory.title.clone(),
            number_or_dash(size.map(|size| size.flash)),
            number_or_dash(speed.map(|speed| speed.flash)),
            number_or_dash(size.map(|size| size.ram)),
        ]);
    }
    aligned(&rows)
}

fn row(cells: &[&str]) -> Vec<String> {
    cells.iter().map(|cell| (*cell).to_owned()).collect()
}

fn number_or_dash(number: Option<u32>) -> String {
    number.map_or_else(|| "–".to_owned(), |number| number.to_string())
}

/// A table with a header, its first column left-aligned and the others
/// right-aligned.
fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or(0)
            .max(3)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut lines: Vec<String> = rows
        .iter()
        .map(|row| {
            let cells = row.iter().zip(&widths).enumerate();
            let cells = cells.map(|(column, (cell, &width))| match column {
                0 => format!(" {cell:<width$} |"),
                _ => format!(" {cell:>width$} |"),
            });
            format!("|{}", cells.collect::<String>())
        })
        .collect();
    let rule = widths
        .iter()
        .enumerate()
        .map(|(column, &width)| match column {
            0 => format!("{}|", "-".repeat(width + 2)),
            _ => format!("{}:|", "-".repeat(width + 1)),
        });
    lines.insert(1, format!("|{}", rule.collect::<String>()));
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::{aligned, row};

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = [row(&["record", "`z`"]), row(&["wake", "12345"])];
        let table = "| record |   `z` |\n|--------|------:|\n| wake   | 12345 |\n";
        assert_eq!(aligned(&rows), table);
    }
}
