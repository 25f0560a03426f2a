//! `rtoscope convert`: writes a trace in the form in which its recorder leaves it.

use clap::Args;
use rtoscope_command::input::{ByteOrderArg, DecodeArgs, FileArgs};
use rtoscope_command::output::atomic_output;
use rtoscope_trace::printable::Printable;
use rtoscope_wire::ByteOrder;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct ConvertArgs {
    #[command(flatten)]
    file: FileArgs,

    #[command(flatten)]
    decode: DecodeArgs,

    /// Output file for the raw buffer or the log; default: standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Byte order of the output; default: that of the buffer
    #[arg(long, value_name = "ORDER")]
    byte_order: Option<ByteOrderArg>,
}

pub(crate) fn run(arguments: &ConvertArgs) -> anyhow::Result<()> {
    let output = arguments.output.as_deref();
    arguments.file.guard_overwrite(&arguments.decode, output)?;
    let file = &arguments.file.file;
    if file.is_dir() {
        anyhow::bail!(
            "{}: the recording of a capture is not a single buffer; its .bin files hold the \
             received bytes",
            Printable::path(&file)
        );
    }
    let source = arguments.file.read()?;
    let content = arguments.file.open(source.input(), &arguments.decode)?;
    let named = |error| arguments.file.error_with_name(error);
    let options = arguments.decode.options(Some(content.format()))?;
    let order = arguments.byte_order.map(ByteOrder::from);
    let conversion = content.convert(&options, order).map_err(named)?;
    arguments.file.hint_at_diagnostics(conversion.diagnostics());
    let written = atomic_output::write_file(output, |output| Ok(conversion.write(output)?))?;
    let name = arguments.file.name();
    if written.missing_bytes > 0 {
        rtoscope_command::message!(
            "{name}: {} of {} bytes are missing in the input and were written as zeros",
            written.missing_bytes,
            written.bytes
        );
    }
    if written.cut_bytes > 0 {
        rtoscope_command::message!(
            "{name}: the input ends {} bytes before the end of the buffer",
            written.cut_bytes
        );
    }
    Ok(())
}
