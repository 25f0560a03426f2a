//! Runs stages as processes, two at a time, and measures them.

use super::TestStage;
use super::table::{Outcome, Row, render};
use crate::{hang, shell, workspace};
use anyhow::{Context as _, bail};
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

/// Stages that run at a time. Most keep more than one processor busy for a part of their time.
const MAX_RUNNING: usize = 2;

/// How often finished stages are looked for.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// A stage that takes longer hangs. The longest builds all dependencies of the database engine.
const STAGE_LIMIT: Duration = Duration::from_secs(45 * 60);

/// A stage that runs.
struct Running<'a> {
    stage: &'a TestStage,
    child: Child,
    start: Instant,
    /// The file with its output, unless it is the terminal's.
    log: Option<PathBuf>,
}

/// Runs stages and prints a table of their times. After a failure, no further stage
/// starts.
pub(super) fn run(stages: &[&TestStage]) -> anyhow::Result<()> {
    let start = Instant::now();
    let mut schedule = Schedule {
        waiting: stages.to_vec(),
        running: Vec::new(),
        rows: Vec::new(),
    };
    let done = schedule.run();
    let rows = &mut schedule.rows;
    rows.sort_by_key(|row| stages.iter().position(|stage| stage.name == row.stage));
    eprint!("\n{}", render(rows, start.elapsed()));
    done?;
    let failed: Vec<_> = rows
        .iter()
        .filter(|row| row.outcome == Outcome::Failed)
        .map(|row| row.stage)
        .collect();
    if !failed.is_empty() {
        bail!("failed: {}", failed.join(", "));
    }
    Ok(())
}

struct Schedule<'a> {
    waiting: Vec<&'a TestStage>,
    running: Vec<Running<'a>>,
    rows: Vec<Row>,
}

impl Schedule<'_> {
    fn run(&mut self) -> anyhow::Result<()> {
        loop {
            if self.rows.iter().any(|row| row.outcome == Outcome::Failed) {
                let skipped = self.waiting.drain(..).map(|stage| Row {
                    stage: stage.name,
                    wall: Duration::ZERO,
                    cpu: None,
                    outcome: Outcome::Skipped,
                });
                self.rows.extend(skipped);
            }
            while self.running.len() < MAX_RUNNING && self.start_next()? {}
            if self.running.is_empty() {
                return Ok(());
            }
            self.reap()?;
            thread::sleep(POLL_INTERVAL);
        }
    }

    /// Starts the first stage that can start, if any.
    fn start_next(&mut self) -> anyhow::Result<bool> {
        let is_unfinished = |name: &&str| {
            let waits = self.waiting.iter().any(|stage| stage.name == *name);
            waits || self.running.iter().any(|it| it.stage.name == *name)
        };
        let can_start = |stage: &&TestStage| !stage.after.iter().any(is_unfinished);
        let Some(at) = self.waiting.iter().position(can_start) else {
            return Ok(false);
        };
        // The output of one stage appears at once, that of the others when they end.
        let is_shown = self.running.iter().all(|it| it.log.is_some());
        let stage = self.waiting.remove(at);
        self.running.push(Running::start(stage, is_shown)?);
        Ok(true)
    }

    /// Records the stages that have ended.
    fn reap(&mut self) -> anyhow::Result<()> {
        let mut at = 0;
        while let Some(running) = self.running.get_mut(at) {
            let before = cpu_of_ended_children();
            let Some(status) = running.child.try_wait()? else {
                if running.start.elapsed() > STAGE_LIMIT {
                    let name = running.stage.name;
                    eprintln!(
                        "=== {name} has not ended after {} min",
                        STAGE_LIMIT.as_secs() / 60
                    );
                    hang::end(&mut running.child);
                }
                at += 1;
                continue;
            };
            let cpu = cpu_of_ended_children().zip(before);
            let cpu = cpu.and_then(|(after, before)| after.checked_sub(before));
            let running = self.running.remove(at);
            self.rows.push(running.end(status, cpu)?);
        }
        Ok(())
    }
}

impl<'a> Running<'a> {
    fn start(stage: &'a TestStage, is_shown: bool) -> anyhow::Result<Self> {
        let mut command = Command::new(shell::this_program()?);
        command.args(["stage", stage.name]);
        eprintln!("=== {}", stage.name);
        let mut log = None;
        if !is_shown {
            let folder = shell::target()?.join("stages");
            fs::create_dir_all(&folder)?;
            let path = folder.join(format!("{}.log", stage.name));
            let file = File::create(&path).with_context(|| path.display().to_string())?;
            command.stdout(file.try_clone()?).stderr(file);
            log = Some(path);
        }
        Ok(Self {
            stage,
            child: command.spawn().context(stage.name)?,
            start: Instant::now(),
            log,
        })
    }

    fn end(self, status: ExitStatus, cpu: Option<Duration>) -> anyhow::Result<Row> {
        let wall = self.start.elapsed();
        let name = self.stage.name;
        let outcome = if status.success() {
            Outcome::Passed
        } else {
            Outcome::Failed
        };
        if let Some(log) = &self.log {
            let printed = fs::read(log)?;
            let printed = String::from_utf8_lossy(&printed);
            let slowest = printed.rfind(workspace::SLOWEST).unwrap_or(printed.len());
            let shown = match outcome {
                Outcome::Failed => Some(&*printed),
                _ => printed.get(slowest..),
            };
            eprint!("{}", shown.unwrap_or_default());
        }
        eprintln!("=== {name} {outcome} after {:.1} s", wall.as_secs_f64());
        Ok(Row {
            stage: name,
            wall,
            cpu,
            outcome,
        })
    }
}

/// The processor time of all children of this process that have ended, and of theirs; known
/// on Linux only.
fn cpu_of_ended_children() -> Option<Duration> {
    /// Of the clock that the kernel's interface counts with, on every architecture.
    const TICKS_PER_SECOND: u64 = 100;
    let fields = hang::stat_fields("/proc/self".as_ref())?;
    let mut fields = fields.iter().skip(13);
    let mut ticks = || fields.next()?.parse::<u64>().ok();
    let ticks = ticks()? + ticks()?;
    Some(Duration::from_millis(ticks * 1000 / TICKS_PER_SECOND))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn processor_time_of_children_is_known() {
        assert!(cpu_of_ended_children().is_some());
    }
}
