//! The examples of the documentation: each is a complete source file.

use super::board::{self, Core};
use crate::shell;
use crate::toolchain;
use anyhow::{Context as _, ensure};
use std::fs;

/// Pages with examples in C, and the number of examples that include a header of the
/// recorders.
const PAGES: [(&str, usize); 6] = [
    ("crates/record-c/README.md", 1),
    ("docs/src/record/black-box.md", 1),
    ("docs/src/record/c.md", 5),
    ("docs/src/record/porting.md", 1),
    ("docs/src/record/recorders.md", 1),
    ("docs/src/record/stream.md", 1),
];

/// Compiles the examples for a Cortex-M3.
pub(super) fn compile() -> anyhow::Result<()> {
    let source = toolchain::folder()?.join("c/example.c");
    for (page, count) in PAGES {
        let text = fs::read_to_string(shell::root().join(page)).context(page)?;
        let examples: Vec<_> = examples(&text).collect();
        let found = examples.len();
        ensure!(found == count, "{page} has {found} examples, not {count}");
        for (number, example) in examples.iter().enumerate() {
            fs::write(&source, example)?;
            let object = board::object(Core::CortexM3.compiler()?, &source, &[]);
            object.with_context(|| format!("example {number} of {page}"))?;
        }
    }
    Ok(())
}

/// The blocks of C that include a header of the recorders.
fn examples(page: &str) -> impl Iterator<Item = &str> {
    let blocks = page.split("\n```c\n").skip(1);
    let blocks = blocks.filter_map(|rest| Some(rest.split_once("\n```")?.0));
    blocks.filter(|block| block.contains("#include \"rtoscope"))
}
