//! A board in QEMU: boots it, reads its memory while it runs, and ends it.

use crate::shell::Background;
use crate::toolchain;
use crate::{packages, shell};
use anyhow::{Context as _, bail};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// A machine that QEMU emulates.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Model {
    /// The emulator, and Debian's package of it.
    emulator: &'static str,
    package: &'static str,
    machine: &'static str,
    arguments: &'static [&'static str],
    /// What a program's addresses have above those of the memory.
    pub(crate) segment: u32,
}

/// The Cortex-M3 board that most programs of `firmware` are built for.
pub(crate) const MPS2: Model = Model {
    emulator: "qemu-system-arm",
    package: "qemu-system-arm",
    machine: "mps2-an385",
    arguments: &[],
    segment: 0,
};
/// Without sound, for which QEMU would look for a device of this machine.
pub(crate) const CORTEX_R5: Model = Model {
    machine: "versatilepb",
    arguments: &["-audiodev", "none,id=none", "-cpu", "cortex-r5"],
    ..MPS2
};
/// Starts in supervisor mode.
pub(crate) const CORTEX_A15: Model = Model {
    arguments: &[
        "-audiodev",
        "none,id=none",
        "-cpu",
        "cortex-a15,has_el2=off",
    ],
    ..CORTEX_R5
};
pub(crate) const MIPS_24K: Model = Model {
    emulator: "qemu-system-mipsel",
    package: "qemu-system-mips",
    machine: "malta",
    arguments: &["-cpu", "24Kf"],
    segment: 0x8000_0000,
};
pub(crate) const RISCV: Model = Model {
    emulator: "qemu-system-riscv32",
    package: "qemu-system-misc",
    machine: "virt",
    arguments: &["-bios", "none"],
    segment: 0,
};

/// Lets a program use files of this machine, and end QEMU.
pub(crate) const SEMIHOSTING: [&str; 2] = ["-semihosting-config", "enable=on,target=native"];

/// The timeout of QEMU's answers.
const MONITOR_TIMEOUT: Duration = Duration::from_secs(10);

/// Time advances with instructions only: 32 ns each. Runs repeat exactly, and
/// waiting takes no time on the host.
const ICOUNT: &str = "shift=5,align=off,sleep=off";

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
    pub(crate) model: Model,
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
    pub(crate) fn new(model: Model, program: &'a Path) -> Self {
        Self {
            model,
            program,
            serial: Serial::Nothing,
            words: &[],
            more: &[],
        }
    }

    /// The QEMU command; it starts immediately and does not end by itself.
    pub(crate) fn command(&self) -> anyhow::Result<Command> {
        let mut command = self.model.command()?;
        command.args(["-icount", ICOUNT]);
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
        Ok(command)
    }

    /// Boots it.
    pub(crate) fn boot(&self) -> anyhow::Result<Machine> {
        let folder = toolchain::folder()?;
        fs::create_dir_all(&folder)?;
        let file = |kind: &str| folder.join(format!("qemu-{}.{kind}", std::process::id()));
        let (memory, log) = (file("memory"), file("log"));
        let mut process = self
            .command()?
            .args(["-qmp", "stdio"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(fs::File::create(&log)?)
            .spawn()
            .context(self.model.emulator)?;
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
            _process: Background(process),
            input,
            answers,
            memory,
            log,
        };
        machine.qmp_command("qmp_capabilities", &json!({}))?;
        Ok(machine)
    }
}

impl Model {
    /// Makes sure that the emulator is installed; installs it where this is allowed.
    pub(crate) fn install(&self) -> anyhow::Result<()> {
        packages::require(self.emulator, &[self.package])
    }

    /// The emulator with the arguments of all programs.
    pub(crate) fn command(&self) -> anyhow::Result<Command> {
        self.install()?;
        let mut command = shell::program(self.emulator, &["-machine", self.machine]);
        command.args(["-nodefaults", "-display", "none"]);
        command.args(self.arguments);
        Ok(command)
    }
}

/// A running board. It ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Machine {
    _process: Background,
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
        let _ = fs::remove_file(&self.log);
    }
}
