//! The figures as Markdown tables, which are readable on a terminal too.

use super::budget::Budgets;
use super::build::{Measured, ProfileCosts};
use super::original::Originals;
use std::fmt::Write as _;

/// All tables, and the source of the figures.
pub(crate) fn render(
    budgets: &Budgets,
    measured: &Measured,
    originals: &Originals,
) -> anyhow::Result<String> {
    let mut text = String::new();
    writeln!(text, "Instructions per record, {}:\n", compilers(measured))?;
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
    let mut rows = vec![row(&[
        "record",
        "goal",
        "`z`",
        "`3`",
        "`-Os`",
        "`-O2`",
        "orig. `-Os`",
        "orig. `-O2`",
    ])];
    for case in &budgets.case {
        let original = originals.instructions.get(&case.name);
        let counted = |built: &ProfileCosts| built.instructions.get(&case.name).copied();
        rows.push(vec![
            case.title.clone(),
            number_or_dash(case.goal(originals)?),
            number_or_dash(counted(&measured.rust.size)),
            number_or_dash(counted(&measured.rust.speed)),
            number_or_dash(counted(&measured.c.size)),
            number_or_dash(counted(&measured.c.speed)),
            number_or_dash(original.map(|original| original.size)),
            number_or_dash(original.map(|original| original.speed)),
        ]);
    }
    Ok(aligned(&rows))
}

fn memory(budgets: &Budgets, measured: &Measured) -> String {
    let mut rows = vec![row(&[
        "recorder",
        "flash, `z`",
        "`3`",
        "`-Os`",
        "`-O2`",
        "RAM, Rust",
        "RAM, C",
    ])];
    for memory in &budgets.memory {
        let found = |built: &ProfileCosts| built.memory.get(memory.recorder.as_str()).copied();
        let flash = |built: &ProfileCosts| number_or_dash(found(built).map(|found| found.flash));
        let ram = |built: &ProfileCosts| number_or_dash(found(built).map(|found| found.ram));
        let size = &measured.rust.size;
        rows.push(vec![
            memory.title.clone(),
            flash(size),
            flash(&measured.rust.speed),
            flash(&measured.c.size),
            flash(&measured.c.speed),
            ram(size),
            ram(&measured.c.size),
        ]);
    }
    aligned(&rows)
}

/// The compilers of the figures.
pub(crate) fn compilers(measured: &Measured) -> String {
    format!("rustc {} and {}", measured.compiler, measured.c_compiler)
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
