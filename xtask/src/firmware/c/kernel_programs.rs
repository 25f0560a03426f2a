//! Programs on kernels whose sources are elsewhere: they send a compact stream for ever, or save a
//! context-switch log.

use super::board::{Core, FOLDER, INCLUDE, STRICT};
use crate::firmware::qemu::{self, Board, SEMIHOSTING};
use crate::shell;
use crate::toolchain;
use anyhow::Context as _;
use std::fs;
use std::path::{Path, PathBuf};

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

    /// The definition that selects it.
    fn definition(self) -> &'static str {
        match self {
            Self::Serial => "-DUART",
            Self::Rtt => "-DRTT",
        }
    }
}

/// The kernels' code has warnings of its own, and needs GNU's extensions.
pub(super) const WITH_KERNEL: [&str; 3] = ["-std=gnu99", "-O2", "-w"];

const COMPILE: [&str; 5] = [
    INCLUDE,
    "-ffunction-sections",
    "-fdata-sections",
    "-Wl,--gc-sections",
    "-Tcrates/record-c/examples/board/mps2.ld",
];

/// The C library's system calls: none, or by semihosting.
const NO_CALLS: &str = "--specs=nosys.specs";
const CALLS: &str = "--specs=rdimon.specs";

/// Builds the example without a kernel.
pub(crate) fn example(transport: Transport) -> anyhow::Result<PathBuf> {
    let arguments = [transport.definition(), NO_CALLS];
    let sources = ["examples/live.c", "examples/board/vectors.c"];
    build("example", &STRICT, &arguments, &[], &sources, &[])
}

/// Builds the program on ThreadX, with the kernel's sources.
pub(crate) fn threadx(kernel: &Path, transport: Transport) -> anyhow::Result<PathBuf> {
    let arguments = [
        transport.definition(),
        NO_CALLS,
        "-DENDLESS",
        "-Icrates/record-c/threadx/test/stream",
    ];
    let sources = [
        "threadx/test/stream/demo.c",
        "threadx/rtoscope_threadx_stream.c",
    ];
    build_threadx("threadx", kernel, &arguments, &sources, None)
}

/// Runs the program on ThreadX that saves a log and what it counted; returns their folder.
pub(crate) fn threadx_log(kernel: &Path) -> anyhow::Result<PathBuf> {
    let arguments = [
        CALLS,
        "-Wl,--wrap=PendSV_Handler,--wrap=_tx_thread_system_return",
        "-Icrates/record-c/threadx/test/log",
    ];
    let sources = ["threadx/test/log/demo.c", "threadx/rtoscope_execution.c"];
    Core::CortexM3.build_library()?;
    let library = Core::CortexM3.library()?;
    let program = build_threadx("threadx-log", kernel, &arguments, &sources, Some(library))?;
    let board = Board {
        more: &SEMIHOSTING,
        ..Board::new(qemu::MPS2, &program)
    };
    let folder = toolchain::folder()?.join("c/kernels");
    shell::run(board.command()?.current_dir(&folder))?;
    Ok(folder)
}

fn build_threadx(
    name: &str,
    kernel: &Path,
    arguments: &[&str],
    sources: &[&str],
    library: Option<PathBuf>,
) -> anyhow::Result<PathBuf> {
    let common = [
        "-DTX_INCLUDE_USER_DEFINE_FILE",
        "-DTX_ENABLE_EXECUTION_CHANGE_NOTIFY",
        "-Icrates/record-c/threadx",
    ];
    let arguments = [arguments, &common].concat();
    let port = kernel.join("ports/cortex_m3/gnu");
    let include = [kernel.join("common/inc"), port.join("inc")];
    let mut files = Vec::new();
    for (folder, extension) in [(kernel.join("common/src"), "c"), (port.join("src"), "S")] {
        let all = shell::files_below(&folder)?.into_iter();
        files.extend(all.filter(|file| file.extension().is_some_and(|it| it == extension)));
    }
    files.extend(library);
    build(name, &WITH_KERNEL, &arguments, &include, sources, &files)
}

/// Builds the program on FreeRTOS, with the kernel's sources and another definition.
pub(crate) fn freertos(
    kernel: &Path,
    transport: Transport,
    definition: &str,
) -> anyhow::Result<PathBuf> {
    let arguments = [
        transport.definition(),
        definition,
        NO_CALLS,
        "-DLIVE",
        "-Wl,--wrap=vTaskSwitchContext",
        "-Icrates/record-c/freertos",
        "-Icrates/record-c/freertos/test",
    ];
    let sources = [
        "freertos/test/demo.c",
        "freertos/test/counts.c",
        "freertos/test/recorder.c",
        "freertos/test/board_cortex_m3.c",
    ];
    let include = [kernel.join("include"), kernel.join("portable/GCC/ARM_CM3")];
    let files = [
        "tasks.c",
        "queue.c",
        "list.c",
        "timers.c",
        "event_groups.c",
        "stream_buffer.c",
        "portable/MemMang/heap_4.c",
        "portable/GCC/ARM_CM3/port.c",
    ];
    let files = files.map(|file| kernel.join(file));
    build(
        "freertos",
        &WITH_KERNEL,
        &arguments,
        &include,
        &sources,
        &files,
    )
}

/// Compiles sources of the C interface and files of a kernel by one call.
fn build(
    name: &str,
    language: &[&str],
    arguments: &[&str],
    include: &[PathBuf],
    sources: &[&str],
    files: &[PathBuf],
) -> anyhow::Result<PathBuf> {
    let folder = toolchain::folder()?.join("c/kernels");
    fs::create_dir_all(&folder)?;
    let program = folder.join(name).with_extension("elf");
    let mut compile = Core::CortexM3.compiler()?;
    compile.args(language).args(COMPILE).args(arguments);
    for folder in include {
        compile.arg("-I").arg(folder);
    }
    compile.args(sources.iter().map(|source| format!("{FOLDER}/{source}")));
    compile.args(files).arg("-o").arg(&program);
    shell::output(&mut compile).context(name.to_owned())?;
    Ok(program)
}
