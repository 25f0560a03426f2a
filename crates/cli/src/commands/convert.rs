//! `rtoscope convert`: extracts a buffer from any container, writes a log as a CSWL
//! file.

use clap::Args;
use rtoscope_command::input::{ByteOrderArg, DecodeArgs, FileArgs};
use rtoscope_command::output::atomic_output;
use rtoscope_decode::cswitch::{self, LogImage};
use rtoscope_decode::{BufferImage, DecodeError, UnpackedInput, threadx};
use rtoscope_trace::printable::Printable;
use rtoscope_wire::ByteOrder;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct ConvertArgs {
    #[command(flatten)]
    file: FileArgs,

    #[command(flatten)]
    decode: DecodeArgs,

    /// Output file for the raw buffer or the CSWL file; default: standard output
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
    if let UnpackedInput::Cswitch(dump) = &content {
        return arguments.convert_log(&content, dump);
    }
    let opened = content.buffers();
    arguments.convert_buffer(opened.map_err(|error| arguments.file.error_with_name(error))?)
}

impl ConvertArgs {
    fn convert_buffer(&self, opened: &BufferImage<'_>) -> anyhow::Result<()> {
        self.file.hint_at_diagnostics(opened.diagnostics());
        let order = self.byte_order.map(ByteOrder::from);
        let order = order.unwrap_or(opened.buffer.layout.order);
        let written = atomic_output::write_file(self.output.as_deref(), |output| {
            let written = threadx::extract(&opened.memory, &opened.buffer, order, output)?;
            Ok(written)
        })?;
        if written.missing_bytes > 0 {
            rtoscope_command::message!(
                "{}: {} of {} bytes are missing in the input and were written as zeros",
                self.file.name(),
                written.missing_bytes,
                written.bytes
            );
        }
        let needed = opened.buffer.bytes();
        if written.bytes < needed {
            rtoscope_command::message!(
                "{}: the input ends {} bytes before the end of the buffer",
                self.file.name(),
                needed - written.bytes
            );
        }
        Ok(())
    }

    fn convert_log(&self, content: &UnpackedInput<'_>, dump: &LogImage<'_>) -> anyhow::Result<()> {
        let named = |error: DecodeError| self.file.error_with_name(error);
        let options = self
            .file
            .options(Some(content.format()), &self.decode)?
            .cswitch;
        let log = dump.log(&options).map_err(named)?;
        let order = self.byte_order.map(ByteOrder::from);
        if order.is_some_and(|order| order != log.layout.order) {
            anyhow::bail!(
                "{}: a context-switch log keeps its byte order, which is {}",
                self.file.name(),
                log.layout.order.name()
            );
        }
        let recording = cswitch::decode(&log, &options);
        self.file.hint_at_diagnostics(&recording.trace.diagnostics);
        atomic_output::write_file(self.output.as_deref(), |output| {
            Ok(cswitch::write(&log, &recording, output)?)
        })
    }
}
