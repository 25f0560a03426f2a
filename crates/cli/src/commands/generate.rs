//! `rtoscope generate`: synthetic traces.

mod arguments;

pub(crate) use arguments::Arguments;

use arguments::Kind;
use indicatif::{ProgressBar, ProgressStyle};
use rtoscope_command::output;
use rtoscope_generate::{cswitch, rkh};
use serde::Serialize;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

#[derive(Serialize)]
struct Document<'a, T> {
    schema: &'static str,
    #[serde(flatten)]
    truth: &'a T,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    arguments.check()?;
    let mut output = output::binary(arguments.output.as_deref())?;
    let bar = progress(arguments.events);
    let mut progress = |events| bar.set_position(events);
    let path = arguments.truth.as_deref();
    match arguments.kind {
        Kind::Threadx => {
            let settings = arguments.threadx();
            let truth = match path {
                None => {
                    rtoscope_generate::write(&settings, &mut output, &mut progress)?;
                    None
                }
                Some(_) => Some(
                    rtoscope_generate::write_with_truth(&settings, &mut output, &mut progress)?.1,
                ),
            };
            finish(&mut output, &bar, path, "rtoscope/truth/1", truth.as_ref())
        }
        Kind::Rkh => {
            let settings = arguments.rkh();
            let (_, truth) = rkh::write_with_truth(&settings, &mut output, &mut progress)?;
            finish(
                &mut output,
                &bar,
                path,
                "rtoscope/truth-rkh/1",
                Some(&truth),
            )
        }
        Kind::Cswitch => {
            let settings = arguments.cswitch();
            let truth = match path {
                None => {
                    cswitch::write(&settings, &mut output, &mut progress)?;
                    None
                }
                Some(_) => {
                    Some(cswitch::write_with_truth(&settings, &mut output, &mut progress)?.1)
                }
            };
            let schema = "rtoscope/truth-cswitch/1";
            finish(&mut output, &bar, path, schema, truth.as_ref())
        }
    }
}

/// The trace is written; now the truth, if it is wanted.
fn finish<T: Serialize>(
    output: &mut impl Write,
    bar: &ProgressBar,
    path: Option<&Path>,
    schema: &'static str,
    truth: Option<&T>,
) -> anyhow::Result<()> {
    output.flush()?;
    bar.finish_and_clear();
    if let Some((path, truth)) = path.zip(truth) {
        write_truth(path, &Document { schema, truth })?;
    }
    Ok(())
}

/// On one line: it can be as long as the trace.
fn write_truth(path: &Path, document: &impl Serialize) -> anyhow::Result<()> {
    let mut output = output::binary(Some(path))?;
    serde_json::to_writer(&mut output, document).map_err(io::Error::from)?;
    writeln!(output)?;
    output.flush()?;
    Ok(())
}

/// Shown only on a terminal, on work that takes longer than a blink.
fn progress(events: u64) -> ProgressBar {
    const WORTH_SHOWING: u64 = 5_000_000;
    if events < WORTH_SHOWING || !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(events);
    let template = "{wide_bar} {human_pos}/{human_len} events, {eta} left";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}
