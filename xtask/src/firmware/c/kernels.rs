//! The hooks for ThreadX, Zephyr and NuttX: tests call them as the kernels do, with small models of
//! the kernels' headers, and compare the decoded events with the calls.

use super::board::{self, Core, FOLDER, INCLUDE, Platform};
use super::packed;
use crate::firmware::command::Command;
use anyhow::ensure;

struct Kernel {
    hooks: &'static str,
    test: &'static str,
    include: [&'static str; 2],
    /// Definitions for a Cortex-M.
    board: &'static [&'static str],
}

const KERNELS: [Kernel; 3] = [
    Kernel {
        hooks: "threadx/rtoscope_threadx_stream.c",
        test: "threadx/test/stream/hooks.c",
        include: ["threadx", "threadx/test/stream/model"],
        board: &[],
    },
    Kernel {
        hooks: "zephyr/rtoscope_zephyr.c",
        test: "zephyr/test/hooks.c",
        include: ["zephyr", "zephyr/test"],
        board: &["-DCONFIG_CPU_CORTEX_M", "-DCONFIG_RTOSCOPE_DWT"],
    },
    Kernel {
        hooks: "nuttx/rtoscope_note.c",
        test: "nuttx/test/notes.c",
        include: ["nuttx", "nuttx/test"],
        board: &[],
    },
];

pub(super) fn check(command: &Command) -> anyhow::Result<()> {
    for kernel in &KERNELS {
        let hooks = kernel.hooks;
        let folder = Platform::Host.run(&[hooks, kernel.test], &kernel.include)?;
        let lost = packed::compare(command, &folder, "kernel")?;
        ensure!(lost == 0, "{hooks}: {lost} events were lost");
        let include = kernel.include.map(|folder| format!("-I{FOLDER}/{folder}"));
        let board = kernel.board.iter().map(|&definition| definition.to_owned());
        let more: Vec<_> = include.into_iter().chain(board).collect();
        let source = format!("{FOLDER}/{hooks}");
        board::object(Core::CortexM3.compiler()?, source.as_ref(), &more)?;
    }
    refuse_threadx_smp()
}

/// Checks that what keeps the state of one core does not compile for ThreadX SMP.
fn refuse_threadx_smp() -> anyhow::Result<()> {
    for (source, model) in [
        ("threadx/rtoscope_execution.c", "threadx/test/board"),
        ("threadx/test/board/interrupts.c", "threadx/test/board"),
        (
            "threadx/rtoscope_threadx_stream.c",
            "threadx/test/stream/model",
        ),
        ("threadx/test/drain/drain.c", "threadx/test/drain"),
    ] {
        let mut compile = Core::CortexM3.compiler()?;
        compile.args(["-fsyntax-only", "-DTX_THREAD_SMP_MAX_CORES=2", INCLUDE]);
        compile.args(["threadx", model].map(|folder| format!("-I{FOLDER}/{folder}")));
        let output = compile.arg(format!("{FOLDER}/{source}")).output()?;
        let errors = String::from_utf8_lossy(&output.stderr);
        ensure!(
            errors.contains("ThreadX SMP is not supported"),
            "{source} for ThreadX SMP: {errors}"
        );
    }
    Ok(())
}
