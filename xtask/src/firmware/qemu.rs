//! A board in QEMU: boots it, reads its memory while it runs, and ends it.

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

/// An emulator of QEMU.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Emulator {
    pub(crate) program: &'static str,
    /// Debian's package.
    package: &'static str,
}

pub(crate) const ARM: Emulator = Emulator {
    program: "qemu-system-arm",
    package: "qemu-system-arm",
};
pub(crate) const MIPS: Emulator = Emulator {
    program: "qemu-system-mipsel",
    package: "qemu-system-mips",
};
pub(crate) const RISCV: Emulator = Emulator {
    program: "qemu-system-riscv32",
    package: "qemu-system-misc",
};

/// The timeout of QEMU's answers.
const MONITOR_TIMEOUT: Duration = Duration::from_secs(10);

/// Time advances with instructions only: 32 ns each. Runs repeat exactly, and
/// waiting takes no time on the host.
const ICOUNT: &str = "shift=5,align=off,sleep=off";

/// For boards with sound: QEMU would otherwise look for a device of this machine.
pub(crate) const NO_SOUND: [&str; 2] = ["-audiodev", "none,id=none"];

/// The other end of a serial port.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Serial<'a> {
    /// Nothing.
    Nothing,
    /// A file, for the output.
    File(&'a Path),
    /// A program that listens on a local TCP port.
    Host(u16),
}

/// A board to boot.
#[derive(Debug, Clone)]
pub(crate) struct Board<'a> {
    pub(crate) emulator: Emulator,
    /// The machine, by its name in QEMU.
    pub(crate) machine: &'a str,
    /// The program, an ELF file.
    pub(crate) program: &'a Path,
    /// The other end of its serial port.
    pub(crate) serial: Serial<'a>,
    /// Words in memory before the program starts: address and value.
    pub(crate) words: &'a [(u32, u32)],
    /// Additional arguments for QEMU.
    pub(crate) more: &'a [&'a str],
}

impl<'a> Board<'a> {
    /// The Cortex-M3 board that all programs of `firmware` are built for.
    pub(crate) fn new(program: &'a Path) -> Self {
        Self {
            emulator: ARM,
            machine: "mps2-an385",
            program,
            serial: Serial::Nothing,
            words: &[],
            more: &[],
        }
    }

    /// The QEMU command with its common arguments; it starts immediately and
    /// does not end by itself.
    pub(crate) fn command(&self) -> Command {
        let mut command = shell::program(self.emulator.program, &["-machine", self.machine]);
        command.args(["-nodefaults", "-display", "none", "-icount", ICOUNT]);
        let serial = match self.serial {
            Serial::Nothing => "null".to_owned(),
            Serial::File(path) => format!("file:{}", path.display()),
            Serial::Host(port) => format!("tcp:127.0.0.1:{port},nodelay=on"),
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
        self.emulator.install()?;
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
            .context(self.emulator.program)?;
        let input = process.stdin.take().context("QEMU has no input")?;
        let output = process.stdout.take().context("QEMU has no output")?;
        let (sender, answers) = channel();
        std::thread::spawn(move || {
            let lines = BufReader::new(output).lines();
            // Ends with QEMU, or when the receiver is dropped.
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

impl Emulator {
    /// Makes sure that it is installed; installs it where this is allowed.
    pub(crate) fn install(self) -> anyhow::Result<()> {
        let Self { program, package } = self;
        let found = || shell::exists(program, "--version");
        if found() || (packages::install(&[package])? && found()) {
            return Ok(());
        }
        bail!("{program}, which runs the firmware, is missing; install {package}")
    }
}

/// A running board. It ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Machine {
    process: Child,
    input: ChildStdin,
    answers: Receiver<String>,
    /// The file into which QEMU saves memory.
    memory: PathBuf,
    /// QEMU's messages; it warns about every board that it has no network.
    log: PathBuf,
}

impl Machine {
    /// Reads memory at `address` while the board runs.
    pub(crate) fn read(&mut self, address: u32, length: usize) -> anyhow::Result<Vec<u8>> {
        let arguments = json!({ "val": address, "size": length, "filename": self.memory });
        self.qmp_command("pmemsave", &arguments)?;
        let bytes = fs::read(&self.memory).context("QEMU saved no memory")?;
        fs::remove_file(&self.memory)?;
        if bytes.len() != length {
            bail!(
                "requested {length} bytes at {address:#x}, got {}",
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

    /// Executes a QMP command and waits for its answer.
    fn qmp_command(&mut self, command: &str, arguments: &Value) -> anyhow::Result<Value> {
        let request = json!({ "execute": command, "arguments": arguments });
        writeln!(self.input, "{request}").context("QEMU ended")?;
        loop {
            let line = match self.answers.recv_timeout(MONITOR_TIMEOUT) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => bail!("QEMU does not answer {command}"),
                Err(RecvTimeoutError::Disconnected) => {
                    let log = fs::read_to_string(&self.log)?;
                    bail!("QEMU ended before it answered {command}: {log}")
                }
            };
            let mut answer: Value = serde_json::from_str(&line).context("QEMU's answer")?;
            if let Some(error) = answer.get("error") {
                bail!("QEMU cannot {command}: {error}");
            }
            // The greeting and events can come before the answer.
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
