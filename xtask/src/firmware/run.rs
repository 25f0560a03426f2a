//! Runs a program and keeps its recordings.

use super::qemu::{Board, Serial};
use super::symbols::Symbols;
use super::toolchain::{self, Toolchain};
use anyhow::Context as _;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;
use truth::camera::CameraTruth;
use truth::{DONE, GroundTruth};

/// The time limit of a run, which takes about a second.
const LIMIT: Duration = Duration::from_secs(60);

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
#[derive(Debug)]
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
    text: Text,
}

/// Memory with strings.
#[derive(Debug)]
struct Text {
    start: u32,
    bytes: Vec<u8>,
}

impl<T: Truth> Run<T> {
    /// Runs the program built for a target, with these words in its memory at
    /// the start.
    pub(super) fn new(target: &str, name: &str, words: &[(u32, u32)]) -> anyhow::Result<Self> {
        let program = Toolchain::outputs(target, "release")?.join(T::PROGRAM);
        let folder = toolchain::folder()?.join("runs").join(target);
        let folder = folder.join(T::PROGRAM).join(name);
        fs::create_dir_all(&folder)?;
        let (memory, stream) = (folder.join("memory.bin"), folder.join("stream.rkh"));
        // Results of an earlier run must not be mistaken for those of this one.
        for old in [&memory, &stream] {
            if old.exists() {
                fs::remove_file(old)?;
            }
        }
        let symbols = Symbols::read(&program)?;
        let (start, end) = (
            symbols.address("__data_start")?,
            symbols.address("__bss_end")?,
        );
        let truth = symbols.address("GROUND_TRUTH")?;
        let board = Board {
            serial: Serial::File(&stream),
            words,
            ..Board::new(&program)
        };
        let mut machine = board.boot()?;
        machine
            .wait(truth, DONE, LIMIT)
            .with_context(|| format!("{} does not finish", T::PROGRAM))?;
        let bytes = machine.read(start, (end - start) as usize)?;
        let code = symbols.address("__code_start")?;
        let length = symbols.address("__code_end")? - code;
        let text = Text {
            start: code,
            bytes: machine.read(code, length as usize)?,
        };
        fs::write(&memory, &bytes)?;
        let counted = bytes.get((truth - start) as usize..);
        let counted = counted.and_then(T::read);
        Ok(Self {
            memory_start: start,
            truth: counted.context("GROUND_TRUTH is not in memory")?,
            program,
            memory,
            stream,
            text,
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
        let offset = address.checked_sub(self.text.start);
        let bytes = offset.and_then(|offset| self.text.bytes.get(offset as usize..));
        let text = bytes.and_then(|bytes| bytes.split(|byte| *byte == 0).next());
        Ok(std::str::from_utf8(
            text.context("no string at this address")?,
        )?)
    }
}
