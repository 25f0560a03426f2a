//! The figures as Markdown tables, which are readable on a terminal too.

use super::budget::{Budgets, Case, Memory};
use super::build::Measured;
use super::original::Originals;
use std::fmt::Write as _;

/// The measured figures.
pub(crate) fn of_figures(
    budgets: &Budgets,
    measured: &Measured,
    originals: &Originals,
) -> anyhow::Result<String> {
    let profiles = measured.profiles.each_ref();
    let counted =
        |case: &Case| profiles.map(|profile| profile.instructions.get(&case.name).copied());
    let taken = |memory: &Memory| {
        let [size, speed, c_size, c_speed] =
            profiles.map(|profile| profile.memory.get(memory.recorder.as_str()));
        let flash = [size, speed, c_size, c_speed].map(|found| Some(found?.flash));
        let ram = [size, c_size].map(|found| Some(found?.ram));
        [flash[0], flash[1], flash[2], flash[3], ram[0], ram[1]]
    };
    let instructions = instructions(budgets, originals, counted)?;
    Ok(format!(
        "Instructions per record, rustc {} and {}:\n\n{instructions}\nBytes per recorder:\n\n{}",
        measured.compiler,
        measured.c_compiler,
        memory(budgets, taken),
    ))
}

/// The budgets, and the sources of the originals' figures.
pub(crate) fn of_budgets(budgets: &Budgets, originals: &Originals) -> anyhow::Result<String> {
    let mut text = format!(
        "Maximum number of instructions per record, with rustc {} and {}:\n\n{}\n\
        Maximum number of bytes per recorder:\n\n{}\nThe originals in C:\n\n",
        budgets.rust_compiler,
        budgets.c_compiler,
        instructions(budgets, originals, Case::budgets)?,
        memory(budgets, Memory::budgets),
    );
    for source in originals.source.values() {
        writeln!(text, "- {}. {}", source.of, source.compiler)?;
    }
    Ok(text)
}

fn instructions(
    budgets: &Budgets,
    originals: &Originals,
    figures: impl Fn(&Case) -> [Option<u32>; 4],
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
        let original = [
            original.map(|original| original.size),
            original.map(|original| original.speed),
        ];
        let goal = [case.goal(originals)?];
        let numbers = goal.into_iter().chain(figures(case)).chain(original);
        rows.push(titled(&case.title, numbers));
    }
    Ok(aligned(&rows))
}

fn memory(budgets: &Budgets, figures: impl Fn(&Memory) -> [Option<u32>; 6]) -> String {
    let mut rows = vec![row(&[
        "recorder",
        "flash, `z`",
        "`3`",
        "`-Os`",
        "`-O2`",
        "RAM, Rust",
        "RAM, C",
    ])];
    let memory = budgets.memory.iter();
    rows.extend(memory.map(|memory| titled(&memory.title, figures(memory))));
    aligned(&rows)
}

fn titled(title: &str, numbers: impl IntoIterator<Item = Option<u32>>) -> Vec<String> {
    let title = [title.to_owned()].into_iter();
    title
        .chain(numbers.into_iter().map(number_or_dash))
        .collect()
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
