//! `rtoscope convert`: a buffer out of any container, a log into one.

use clap::Args;
use rtoscope_command::input::{DecodeArguments, FileArguments, Order};
use rtoscope_command::output::whole;
use rtoscope_decode::cswitch::{self, Dump};
use rtoscope_decode::{Content, DecodeError, Opened, threadx};
use rtoscope_trace::printable::Printable;
use rtoscope_wire::ByteOrder;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    file: FileArguments,

    #[command(flatten)]
    decode: DecodeArguments,

    /// Where to write the raw buffer, or the CSWL file; standard output if not
    /// given
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// The byte order of the result; the buffer's own if not given
    #[arg(long, value_name = "ORDER")]
    byte_order: Option<Order>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let output = arguments.output.as_deref();
    arguments.file.keep_from(&arguments.decode, output)?;
    let file = &arguments.file.file;
    if file.is_dir() {
        anyhow::bail!(
            "{}: the recording of a capture is no one buffer to convert; its .bin files hold the \
             bytes as they came",
            Printable::path(&file)
        );
    }
    let source = arguments.file.read()?;
    let content = arguments.file.open(source.input(), &arguments.decode)?;
    if let Content::Cswitch(dump) = &content {
        return arguments.log(&content, dump);
    }
    let opened = content.buffers();
    arguments.buffer(opened.map_err(|error| arguments.file.named(error))?)
}

impl Arguments {
    fn buffer(&self, opened: &Opened<'_>) -> anyhow::Result<()> {
        self.file.hint(opened.diagnostics());
        let order = self.byte_order.map(ByteOrder::from);
        let order = order.unwrap_or(opened.buffer.layout.order);
        let written = whole::file(self.output.as_deref(), |output| {
            let written = threadx::extract(&opened.memory, &opened.buffer, order, output)?;
            Ok(written)
        })?;
        if written.missing > 0 {
            rtoscope_command::message!(
                "{}: {} of {} bytes are missing in the input and were written as zeros",
                self.file.name(),
                written.missing,
                written.bytes
            );
        }
        let needed = opened.buffer.bytes();
        if written.bytes < needed {
            rtoscope_command::message!(
                "{}: the input ends {} bytes before the buffer does",
                self.file.name(),
                needed - written.bytes
            );
        }
        Ok(())
    }

    fn log(&self, content: &Content<'_>, dump: &Dump<'_>) -> anyhow::Result<()> {
        let named = |error: DecodeError| self.file.named(error);
        let options = self
            .file
            .options(Some(content.format()), &self.decode)?
            .cswitch;
        let log = dump.log(&options).map_err(named)?;
        let order = self.byte_order.map(ByteOrder::from);
        if order.is_some_and(|order| order != log.shape.order) {
            anyhow::bail!(
                "{}: a context-switch log keeps its byte order, which is {}",
                self.file.name(),
                log.shape.order.name()
            );
        }
        let recording = cswitch::decode(&log, &options);
        self.file.hint(&recording.trace.diagnostics);
        whole::file(self.output.as_deref(), |output| {
            Ok(cswitch::write(&log, &recording, output)?)
        })
    }
}
