//! A run of a program in QEMU, followed by `rtoscope live` with its viewer.

use super::counts::Comparison;
use crate::firmware::c::kernel_programs::Transport;
use crate::firmware::command::Command;
use crate::firmware::qemu;
use crate::shell::{self, Background};
use crate::toolchain;
use anyhow::{Context as _, bail, ensure};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A program to follow.
pub(super) struct BoardRun<'a> {
    pub(super) command: &'a Command,
    pub(super) program: &'a Path,
    pub(super) transport: Transport,
    pub(super) duration: Duration,
}

/// What was received in a run.
#[derive(Debug)]
pub(super) struct RunFigures {
    pub(super) seconds: f64,
    pub(super) events: u64,
    pub(super) bytes: u64,
    pub(super) missing: u64,
    pub(super) gaps: usize,
    pub(super) comparisons: u64,
}

/// The time in which QEMU and the command must be ready.
const START_LIMIT: Duration = Duration::from_secs(20);

/// The interval between requests to the viewer's server.
const INTERVAL: Duration = Duration::from_millis(500);

impl BoardRun<'_> {
    /// Runs the program, and compares what was received with its counts.
    ///
    /// # Errors
    ///
    /// If the viewer does not follow, a command has no effect, or a count differs.
    pub(super) fn follow(&self) -> anyhow::Result<RunFigures> {
        let folder = toolchain::folder()?.join("soak");
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        let (_board, source) = self.boot()?;
        let port = shell::free_port()?;
        let _live = self.live(&source, &folder, port)?;
        let status = self.watch(port)?;
        self.check(&folder, &status)
    }

    /// Boots the board, which waits for the source that it returns.
    fn boot(&self) -> anyhow::Result<(Background, String)> {
        let place = format!("127.0.0.1:{}", shell::free_port()?);
        let mut qemu = qemu::MPS2.command()?;
        let source = match self.transport {
            Transport::Serial => {
                qemu.args(["-serial", &format!("tcp:{place},server=on,wait=on")]);
                format!("tcp://{place}")
            }
            Transport::Rtt => {
                qemu.args(["-serial", "null", "-S", "-gdb", &format!("tcp:{place}")]);
                format!("gdb://{place}?poll=20")
            }
        };
        qemu.arg("-kernel").arg(self.program).stderr(Stdio::null());
        Ok((Background(qemu.spawn().context("QEMU")?), source))
    }

    fn live(&self, source: &str, folder: &Path, port: u16) -> anyhow::Result<Background> {
        let mut live = self.command.process();
        live.args(["live", source, "--view", "--no-open"])
            .args(["--port", &port.to_string()])
            .args(["--duration", &format!("{}s", self.duration.as_secs())])
            .arg("--save")
            .arg(folder)
            .stdout(Stdio::null());
        Ok(Background(live.spawn().context("rtoscope live")?))
    }

    /// Watches the viewer's server up to the end of the capture, and suppresses readiness in the
    /// second third. Returns the last status.
    fn watch(&self, port: u16) -> anyhow::Result<Value> {
        const LIVE: &str = "/api/traces/1/live";
        let begin = Instant::now();
        let mut settings = ["readiness=off", "readiness=on"].iter();
        let mut next_setting = self.duration / 3;
        let mut snapshot = 0;
        let mut shown = Instant::now();
        loop {
            sleep(INTERVAL);
            let status: Value = match shell::http(port, &format!("GET {LIVE} HTTP/1.1"), b"") {
                Ok(status) => serde_json::from_str(&status).context(status)?,
                Err(_) if snapshot == 0 && begin.elapsed() < START_LIMIT => continue,
                Err(error) => return Err(error),
            };
            if ["ended", "failed"].contains(&text(&status["connection"]["state"])) {
                ensure!(snapshot > 0, "nothing was shown: {status}");
                return Ok(status);
            }
            let newest = number(&status["snapshot"])?;
            if newest > snapshot {
                snapshot = newest;
                shown = Instant::now();
            }
            if shown.elapsed() > START_LIMIT {
                bail!("the viewer does not follow: {status}");
            }
            if begin.elapsed() > next_setting {
                if let Some(setting) = settings.next() {
                    let request = format!("POST {LIVE}/target HTTP/1.1");
                    let body = json!({ "settings": [setting] }).to_string();
                    shell::http(port, &request, body.as_bytes())?;
                }
                next_setting += self.duration / 3;
            }
            let limit = self.duration + START_LIMIT;
            ensure!(
                begin.elapsed() < limit,
                "the capture does not end: {status}"
            );
        }
    }

    /// Compares the recording with its markers.
    fn check(&self, folder: &Path, status: &Value) -> anyhow::Result<RunFigures> {
        let info = self.command.json("info", folder, &[])?;
        let gaps = info["gaps"].as_array().context("gaps")?;
        let next_events: Result<Vec<_>, _> = gaps
            .iter()
            .map(|gap| number(&gap["before_event"]))
            .collect();
        let missing: Result<Vec<_>, _> = gaps.iter().map(|gap| number(&gap["missing"])).collect();
        let comparison = Comparison::new(self.command, folder, &next_events?)?;
        ensure!(comparison.comparisons > 0, "nothing was compared");
        ensure!(
            comparison.filters == 2,
            "the filter was set twice, and the stream shows it {} times",
            comparison.filters
        );
        Ok(RunFigures {
            seconds: self.duration.as_secs_f64(),
            events: comparison.events,
            bytes: number(&status["bytes"])?,
            missing: missing.context("a gap without a number")?.iter().sum(),
            gaps: gaps.len(),
            comparisons: comparison.comparisons,
        })
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn number(value: &Value) -> anyhow::Result<u64> {
    value.as_u64().with_context(|| value.to_string())
}
