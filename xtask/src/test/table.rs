//! The table of the stages' times.

use std::fmt;
use std::fmt::Write as _;
use std::time::Duration;

/// How a stage ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    Passed,
    Failed,
    Skipped,
}

impl fmt::Display for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Skipped => "skipped",
        })
    }
}

/// A row of the table.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) stage: &'static str,
    pub(super) wall: Duration,
    /// The processor time of all its processes, if known.
    pub(super) cpu: Option<Duration>,
    pub(super) outcome: Outcome,
}

/// The table, with a row for everything.
pub(super) fn render(rows: &[Row], wall: Duration) -> String {
    let mut text = format!("{:<12}{:>9}{:>9}\n", "stage", "wall s", "CPU s");
    for row in rows {
        let Row { stage, outcome, .. } = row;
        let (wall, cpu) = (seconds(Some(row.wall)), seconds(row.cpu));
        let _ = writeln!(text, "{stage:<12}{wall:>9}{cpu:>9}  {outcome}");
    }
    let cpu = rows.iter().filter_map(|row| row.cpu).reduce(|a, b| a + b);
    let _ = writeln!(
        text,
        "{:<12}{:>9}{:>9}",
        "all",
        seconds(Some(wall)),
        seconds(cpu)
    );
    text
}

fn seconds(time: Option<Duration>) -> String {
    time.map_or("-".to_owned(), |time| format!("{:.1}", time.as_secs_f64()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_aligned_and_summed() {
        let row = |stage, wall, cpu: Option<u64>, outcome| Row {
            stage,
            wall: Duration::from_millis(wall),
            cpu: cpu.map(Duration::from_millis),
            outcome,
        };
        let rows = [
            row("build", 100_000, Some(190_040), Outcome::Passed),
            row("words", 1_500, None, Outcome::Failed),
            row("firmware", 0, None, Outcome::Skipped),
        ];
        let expected = "\
stage          wall s    CPU s
build           100.0    190.0  passed
words             1.5        -  failed
firmware          0.0        -  skipped
all             100.2    190.0
";
        assert_eq!(render(&rows, Duration::from_millis(100_200)), expected);
    }
}
