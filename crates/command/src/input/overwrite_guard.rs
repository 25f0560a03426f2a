//! Protects input files from being overwritten.

use anyhow::ensure;
use rtoscope_trace::printable::Printable;
use std::path::Path;

/// Refuses an output that would overwrite an input.
///
/// # Errors
///
/// If the output is an input, or is inside an input folder.
pub fn guard_overwrite<'a>(
    inputs: impl IntoIterator<Item = &'a Path>,
    output: Option<&Path>,
) -> anyhow::Result<()> {
    let Some(Ok(output)) = output.map(Path::canonicalize) else {
        return Ok(());
    };
    for input in inputs {
        ensure!(
            !input
                .canonicalize()
                .is_ok_and(|input| output.starts_with(input)),
            "{}: the output would overwrite the input {}",
            Printable::path(&output),
            Printable::path(&input)
        );
    }
    Ok(())
}
