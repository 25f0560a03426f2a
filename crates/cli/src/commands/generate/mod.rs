//! `rtoscope generate`: synthetic traces.

mod args;

pub(crate) use args::GenerateArgs;

use args::GenerateFormat;
use rtoscope_command::output::atomic_output;
use rtoscope_command::progress;
use rtoscope_generate::{cswitch, rkh};
use serde::Serialize;
use std::io;
use std::path::Path;

#[derive(Serialize)]
struct TruthDocument<'a, T> {
    schema: &'static str,
    #[serde(flatten)]
    truth: &'a T,
}

pub(crate) fn run(arguments: &GenerateArgs) -> anyhow::Result<()> {
    arguments.check()?;
    let output = arguments.output.as_deref();
    let name = output.map_or("standard output".into(), Path::to_string_lossy);
    let bar = progress::writing_bar(&name, arguments.events);
    let written = atomic_output::write_file(output, |mut output| {
        let mut progress = |events| bar.set_position(events);
        let path = arguments.truth.as_deref();
        match arguments.kind {
            GenerateFormat::Threadx => {
                let settings = arguments.threadx_settings();
                if path.is_none() {
                    rtoscope_generate::write(&settings, &mut output, &mut progress)?;
                    return Ok(());
                }
                let (_, truth) =
                    rtoscope_generate::write_with_truth(&settings, &mut output, &mut progress)?;
                write_truth(path, "rtoscope/truth/2", &truth)
            }
            GenerateFormat::Rkh => {
                let settings = arguments.rkh_settings();
                let (_, truth) = rkh::write_with_truth(&settings, &mut output, &mut progress)?;
                write_truth(path, "rtoscope/truth-rkh/2", &truth)
            }
            GenerateFormat::Cswitch => {
                let settings = arguments.cswitch_settings();
                if path.is_none() {
                    cswitch::write(&settings, &mut output, &mut progress)?;
                    return Ok(());
                }
                let (_, truth) = cswitch::write_with_truth(&settings, &mut output, &mut progress)?;
                write_truth(path, "rtoscope/truth-cswitch/2", &truth)
            }
        }
    });
    bar.finish_and_clear();
    written
}

/// Writes the ground truth, if requested, on one line: it can be as long as the
/// trace.
fn write_truth<T: Serialize>(
    path: Option<&Path>,
    schema: &'static str,
    truth: &T,
) -> anyhow::Result<()> {
    if path.is_none() {
        return Ok(());
    }
    atomic_output::write_file(path, |output| {
        serde_json::to_writer(&mut *output, &TruthDocument { schema, truth })
            .map_err(io::Error::from)?;
        Ok(writeln!(output)?)
    })
}
