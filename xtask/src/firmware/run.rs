//! Runs programs and keeps their recordings.

use super::qemu::{self, Board, Machine, Model, Serial};
use super::symbols::Symbols;
use crate::toolchain::{self, Toolchain};
use anyhow::Context as _;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;
use truth::camera::CameraTruth;
use truth::{DONE, GroundTruth, Thread};

/// The time limit of a run, which takes about a second.
const LIMIT: Duration = Duration::from_secs(60);

/// "ROOM": precedes words that the host writes into a program's memory before its start.
pub(super) const HOST_WORDS_SET: u32 = 0x524F_4F4D;

/// A program of `firmware`, built for a target.
pub(super) struct Program {
    /// With symbols.
    pub(super) path: PathBuf,
    /// For the results of a run.
    pub(super) folder: PathBuf,
    pub(super) symbols: Symbols,
    model: Model,
}

impl Program {
    /// The program `name`, for a run that is named too.
    pub(super) fn new(model: Model, target: &str, name: &str, run: &str) -> anyhow::Result<Self> {
        let path = Toolchain::outputs(target, "release")?.join(name);
        let folder = toolchain::folder()?.join("runs").join(target);
        let folder = folder.join(name).join(run);
        // Results of an earlier run must not be mistaken for those of this one.
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder)?;
        Ok(Self {
            symbols: Symbols::read(&path)?,
            path,
            folder,
            model,
        })
    }

    /// Boots the program; `words` are the initial values of consecutive words from symbols on.
    pub(super) fn boot(
        &self,
        serial: Serial<'_>,
        words: &[(&str, &[u32])],
    ) -> anyhow::Result<RunningProgram<'_>> {
        let mut initial = Vec::new();
        for (symbol, values) in words {
            let addresses = (self.address(symbol)?..).step_by(4);
            initial.extend(addresses.zip(values.iter().copied()));
        }
        let board = Board {
            serial,
            words: &initial,
            ..Board::new(self.model, &self.path)
        };
        Ok(RunningProgram {
            program: self,
            machine: board.boot()?,
        })
    }

    fn address(&self, symbol: &str) -> anyhow::Result<u32> {
        Ok(self.symbols.address(symbol)? - self.model.segment)
    }
}

/// A program that runs.
pub(super) struct RunningProgram<'p> {
    program: &'p Program,
    machine: Machine,
}

impl RunningProgram<'_> {
    /// Waits until a variable says that its content is complete.
    pub(super) fn wait(&mut self, symbol: &str) -> anyhow::Result<()> {
        let done = self
            .machine
            .wait(self.program.address(symbol)?, DONE, LIMIT);
        done.with_context(|| format!("{}: {symbol}", self.program.path.display()))
    }

    /// Reads a variable, without its first bytes.
    pub(super) fn read(&mut self, symbol: &str, skip: u32, length: u32) -> anyhow::Result<Vec<u8>> {
        let address = self.program.address(symbol)? + skip;
        self.machine.read(address, length as usize)
    }

    /// Reads the memory between two symbols.
    fn read_between(&mut self, start: &str, end: &str) -> anyhow::Result<Vec<u8>> {
        let length = self.program.address(end)? - self.program.address(start)?;
        self.read(start, 0, length)
    }

    /// Reads a variable that has its length in front, and writes it to a file.
    pub(super) fn save(&mut self, symbol: &str, skip: u32, file: &str) -> anyhow::Result<PathBuf> {
        let length = self.read(symbol, skip, 4)?.try_into().unwrap_or_default();
        let bytes = self.read(symbol, skip + 4, u32::from_le_bytes(length))?;
        self.write(file, &bytes)
    }

    /// Writes a file of the results.
    pub(super) fn write(&self, file: &str, bytes: &[u8]) -> anyhow::Result<PathBuf> {
        let path = self.program.folder.join(file);
        fs::write(&path, bytes)?;
        Ok(path)
    }
}

/// What a program counted itself, in its variable `GROUND_TRUTH`.
pub(super) trait Truth: Sized {
    /// The program's name.
    const PROGRAM: &'static str;

    /// Reads the counters from memory.
    fn read(memory: &[u8]) -> Option<Self>;
}

impl Truth for GroundTruth {
    const PROGRAM: &'static str = "demo";

    fn read(memory: &[u8]) -> Option<Self> {
        Self::read(memory)
    }
}

impl Truth for CameraTruth {
    const PROGRAM: &'static str = "camera";

    fn read(memory: &[u8]) -> Option<Self> {
        Self::read(memory)
    }
}

/// The results of a run.
pub(super) struct Run<T = GroundTruth> {
    /// The program, with symbols.
    pub(super) program: PathBuf,
    /// All variables at the end.
    pub(super) memory: PathBuf,
    /// The address of this memory.
    pub(super) memory_start: u32,
    /// The output of the serial port.
    pub(super) stream: PathBuf,
    /// The program's counters.
    pub(super) truth: T,
    /// The program's code and constants, and their address.
    code: (u32, Vec<u8>),
}

impl<T: Truth> Run<T> {
    /// Runs the program built for a target, with these words in its memory at the start.
    pub(super) fn new(target: &str, run: &str, words: &[(&str, &[u32])]) -> anyhow::Result<Self> {
        let program = Program::new(qemu::MPS2, target, T::PROGRAM, run)?;
        let stream = program.folder.join("stream.rkh");
        let mut running = program.boot(Serial::File(&stream), words)?;
        running.wait("GROUND_TRUTH")?;
        let bytes = running.read_between("__data_start", "__bss_end")?;
        let code = running.read_between("__code_start", "__code_end")?;
        let memory = running.write("memory.bin", &bytes)?;
        drop(running);
        let memory_start = program.address("__data_start")?;
        let truth = program.address("GROUND_TRUTH")? - memory_start;
        let truth = bytes.get(truth as usize..).and_then(T::read);
        Ok(Self {
            truth: truth.context("GROUND_TRUTH is not in memory")?,
            code: (program.address("__code_start")?, code),
            program: program.path,
            memory,
            memory_start,
            stream,
        })
    }

    /// The options of `rtoscope` for the context-switch log in its memory.
    pub(super) fn log_options(&self) -> [String; 3] {
        [
            "--symbols".to_owned(),
            self.program.to_string_lossy().into_owned(),
            format!("-Olog-base={:#x}", self.memory_start),
        ]
    }

    /// The string at an address, up to its NUL.
    pub(super) fn text(&self, address: u32) -> anyhow::Result<&str> {
        let (start, bytes) = &self.code;
        let offset = address.checked_sub(*start);
        let bytes = offset.and_then(|offset| bytes.get(offset as usize..));
        let text = bytes.and_then(|bytes| bytes.split(|byte| *byte == 0).next());
        Ok(std::str::from_utf8(
            text.context("no string at this address")?,
        )?)
    }
}

impl Run {
    /// The program's threads.
    pub(super) fn threads(&self) -> impl Iterator<Item = &Thread> {
        let threads = self.truth.threads.iter();
        threads.filter(|thread| thread.address != 0)
    }
}
