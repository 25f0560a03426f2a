//! Programs that send a compact stream for ever, on kernels whose sources are elsewhere.

use super::board::{self, Core};
use super::{FOLDER, STRICT};
use crate::firmware::toolchain;
use crate::shell;
use anyhow::Context as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How a program sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Transport {
    /// The board's serial port.
    Serial,
    /// A ring in memory that a debug probe reads.
    Rtt,
}

impl Transport {
    pub(crate) const ALL: [Self; 2] = [Self::Serial, Self::Rtt];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Serial => "UART",
            Self::Rtt => "RTT",
        }
    }
}

/// The kernels' code has warnings of its own, and needs GNU's extensions.
const WITH_KERNEL: [&str; 3] = ["-std=gnu99", "-O2", "-w"];

const COMPILE: [&str; 3] = [
    "-ffunction-sections",
    "-fdata-sections",
    "-Wl,--gc-sections",
];

/// The C library's system calls: none.
const WITHOUT_FILES: &str = "--specs=nosys.specs";

/// Builds the example without a kernel.
pub(crate) fn example(transport: Transport) -> anyhow::Result<PathBuf> {
    let sources = ["examples/live.c", "examples/board/vectors.c"];
    let mut program = Program::new("example", &STRICT, &sources)?;
    if transport == Transport::Serial {
        program.compile.arg("-DUART");
    }
    program.build()
}

/// Builds the program on ThreadX, with the kernel's sources.
pub(crate) fn threadx(kernel: &Path, transport: Transport) -> anyhow::Result<PathBuf> {
    let sources = [
        "threadx/test/stream/demo.c",
        "threadx/rtoscope_threadx_stream.c",
    ];
    let mut program = Program::new("threadx", &WITH_KERNEL, &sources)?;
    program.include(&["threadx", "threadx/test/stream"]);
    let port = kernel.join("ports/cortex_m3/gnu");
    program.compile.args([
        "-DENDLESS",
        "-DTX_INCLUDE_USER_DEFINE_FILE",
        "-DTX_ENABLE_EXECUTION_CHANGE_NOTIFY",
    ]);
    if transport == Transport::Rtt {
        program.compile.arg("-DRTT");
    }
    for include in [kernel.join("common/inc"), port.join("inc")] {
        program.compile.arg("-I").arg(include);
    }
    for (folder, extension) in [(kernel.join("common/src"), "c"), (port.join("src"), "S")] {
        let files = shell::files_below(&folder)?.into_iter();
        let of_kind = files.filter(|file| file.extension().is_some_and(|it| it == extension));
        program.compile.args(of_kind);
    }
    program.build()
}

/// Builds the program on FreeRTOS, with the kernel's sources.
pub(crate) fn freertos(kernel: &Path, transport: Transport) -> anyhow::Result<PathBuf> {
    let sources = ["demo.c", "counts.c", "recorder.c", "board_cortex_m3.c"];
    let sources = sources.map(|source| format!("freertos/test/{source}"));
    let mut program = Program::new("freertos", &WITH_KERNEL, &sources)?;
    program.include(&["freertos", "freertos/test"]);
    program
        .compile
        .args(["-DLIVE", "-Wl,--wrap=vTaskSwitchContext"]);
    if transport == Transport::Rtt {
        program.compile.arg("-DRTT");
    }
    let port = kernel.join("portable/GCC/ARM_CM3");
    for include in [kernel.join("include"), port.clone()] {
        program.compile.arg("-I").arg(include);
    }
    for file in [
        "tasks.c",
        "queue.c",
        "list.c",
        "timers.c",
        "event_groups.c",
        "stream_buffer.c",
        "portable/MemMang/heap_4.c",
        "portable/GCC/ARM_CM3/port.c",
    ] {
        program.compile.arg(kernel.join(file));
    }
    program.build()
}

/// A program that is compiled by one call.
struct Program {
    compile: Command,
    output: PathBuf,
}

impl Program {
    fn new(name: &str, language: &[&str], sources: &[impl AsRef<str>]) -> anyhow::Result<Self> {
        let folder = toolchain::folder()?.join("c/kernels");
        fs::create_dir_all(&folder)?;
        board::install()?;
        let interface = shell::root().join(FOLDER);
        let mut compile = board::compiler(Core::CortexM3);
        compile.args(language).args(COMPILE).arg(WITHOUT_FILES);
        compile
            .arg("-T")
            .arg(interface.join("examples/board/mps2.ld"));
        compile.args(sources.iter().map(|source| interface.join(source.as_ref())));
        let mut program = Self {
            compile,
            output: folder.join(name).with_extension("elf"),
        };
        program.include(&["include"]);
        Ok(program)
    }

    /// Adds folders of the C interface.
    fn include(&mut self, folders: &[&str]) {
        let interface = shell::root().join(FOLDER);
        for folder in folders {
            self.compile.arg("-I").arg(interface.join(folder));
        }
    }

    fn build(mut self) -> anyhow::Result<PathBuf> {
        self.compile.arg("-o").arg(&self.output);
        let name = self.output.display().to_string();
        shell::output(&mut self.compile).context(name)?;
        Ok(self.output)
    }
}
