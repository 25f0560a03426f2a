//! A board in QEMU: boot it, read its memory while it runs, end it.

use super::toolchain;
use crate::{packages, shell};
use anyhow::{Context as _, bail};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

pub(crate) const PROGRAM: &str = "qemu-system-arm";
const PACKAGE: &str = "qemu-system-arm";

/// How long QEMU may take to answer.
const MONITOR_TIMEOUT: Duration = Duration::from_secs(10);

/// Time passes with instructions alone: 32 ns each. Runs repeat exactly, and
/// waiting costs none of ours.
const ICOUNT: &str = "shift=5,align=off,sleep=off";

/// What is to be booted.
#[derive(Debug, Clone)]
pub(crate) struct Board<'a> {
    /// The machine, by QEMU's name.
    pub(crate) machine: &'a str,
    /// The program, as ELF.
    pub(crate) program: &'a Path,
    /// Where what it writes to its serial port goes.
    pub(crate) serial: Option<&'a Path>,
    /// Words that are in memory before the program starts: address and value.
    pub(crate) words: &'a [(u32, u32)],
    /// More of QEMU's own arguments.
    pub(crate) more: &'a [&'a str],
}

impl<'a> Board<'a> {
    /// The Cortex-M3 board that all programs of `firmware` are made for.
    pub(crate) fn new(program: &'a Path) -> Self {
        Self {
            machine: "mps2-an385",
            program,
            serial: None,
            words: &[],
            more: &[],
        }
    }

    /// QEMU with all that is common; it starts at once and never ends by itself.
    pub(crate) fn command(&self) -> Command {
        let mut command = shell::program(PROGRAM, &["-machine", self.machine]);
        command.args(["-nodefaults", "-display", "none", "-icount", ICOUNT]);
        let serial = match self.serial {
            Some(path) => format!("file:{}", path.display()),
            None => "null".to_owned(),
        };
        command.args(["-serial", &serial]);
        command.arg("-kernel").arg(self.program);
        for (address, value) in self.words {
            let word = format!("loader,addr={address:#x},data={value:#x},data-len=4");
            command.args(["-device", &word]);
        }
        command.args(self.more);
        command
    }

    /// Boots it.
    pub(crate) fn boot(&self) -> anyhow::Result<Machine> {
        install()?;
        let folder = toolchain::folder()?;
        fs::create_dir_all(&folder)?;
        let file = |kind: &str| folder.join(format!("qemu-{}.{kind}", std::process::id()));
        let (memory, log) = (file("memory"), file("log"));
        let mut command = self.command();
        command.args(["-qmp", "stdio"]);
        let mut process = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(fs::File::create(&log)?)
            .spawn()
            .context(PROGRAM)?;
        let input = process.stdin.take().context("QEMU has no input")?;
        let output = process.stdout.take().context("QEMU has no output")?;
        let (sender, answers) = channel();
        std::thread::spawn(move || {
            let lines = BufReader::new(output).lines();
            // Ends with QEMU, or when nobody listens any more.
            lines
                .map_while(Result::ok)
                .all(|line| sender.send(line).is_ok())
        });
        let mut machine = Machine {
            process,
            input,
            answers,
            memory,
            log,
        };
        machine.qmp_command("qmp_capabilities", &json!({}))?;
        Ok(machine)
    }
}

/// Makes sure that there is a QEMU, installed where this is allowed.
pub(crate) fn install() -> anyhow::Result<()> {
    let found = || shell::exists(PROGRAM, "--version");
    if found() || (packages::install(&[PACKAGE])? && found()) {
        return Ok(());
    }
    bail!("{PROGRAM} is missing, in which the firmware runs; install {PACKAGE}")
}

/// A board that runs. It ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Machine {
    process: Child,
    input: ChildStdin,
    answers: Receiver<String>,
    /// Where QEMU saves memory for us.
    memory: PathBuf,
    /// What QEMU says, which it says of every board: that it has no network.
    log: PathBuf,
}

impl Machine {
    /// What the memory holds from `address` on, read while the board runs.
    pub(crate) fn read(&mut self, address: u32, length: usize) -> anyhow::Result<Vec<u8>> {
        let what = json!({ "val": address, "size": length, "filename": self.memory });
        self.qmp_command("pmemsave", &what)?;
        let bytes = fs::read(&self.memory).context("QEMU saved no memory")?;
        fs::remove_file(&self.memory)?;
        if bytes.len() != length {
            bail!(
                "{length} bytes at {address:#x} were asked for, {} came",
                bytes.len()
            );
        }
        Ok(bytes)
    }

    /// Waits until the little-endian word at `address` is `value`.
    pub(crate) fn wait(&mut self, address: u32, value: u32, limit: Duration) -> anyhow::Result<()> {
        let begin = Instant::now();
        loop {
            let found = self.read(address, 4)?;
            if found == value.to_le_bytes() {
                return Ok(());
            }
            if begin.elapsed() > limit {
                bail!("after {limit:?}, {address:#x} holds {found:02x?} and not {value:#x}");
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Lets QEMU do something, and waits for its answer.
    fn qmp_command(&mut self, what: &str, arguments: &Value) -> anyhow::Result<Value> {
        let request = json!({ "execute": what, "arguments": arguments });
        writeln!(self.input, "{request}").context("QEMU ended")?;
        loop {
            let line = match self.answers.recv_timeout(MONITOR_TIMEOUT) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => bail!("QEMU does not answer to {what}"),
                Err(RecvTimeoutError::Disconnected) => {
                    let said = fs::read_to_string(&self.log)?;
                    bail!("QEMU ended before it could {what}: {said}")
                }
            };
            let mut answer: Value = serde_json::from_str(&line).context("QEMU's answer")?;
            if let Some(error) = answer.get("error") {
                bail!("QEMU cannot {what}: {error}");
            }
            // The greeting and events come in between.
            if let Some(result) = answer.get_mut("return") {
                return Ok(result.take());
            }
        }
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = fs::remove_file(&self.log);
    }
}
