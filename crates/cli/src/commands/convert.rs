//! `rtoscope convert`: a buffer out of any container.

use crate::input::FileArguments;
use crate::output;
use clap::{Args, ValueEnum};
use rtoscope_decode::threadx;
use rtoscope_wire::ByteOrder;
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    file: FileArguments,

    /// Where to write the raw buffer; standard output if not given
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// The byte order of the result; the buffer's own if not given
    #[arg(long, value_name = "ORDER")]
    byte_order: Option<Order>,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Order {
    Little,
    Big,
}

impl From<Order> for ByteOrder {
    fn from(order: Order) -> Self {
        match order {
            Order::Little => Self::Little,
            Order::Big => Self::Big,
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    if let Some(output) = &arguments.output
        && is_same_file(&arguments.file.file, output)
    {
        anyhow::bail!("{}: the output would overwrite the input", output.display());
    }
    let source = arguments.file.read()?;
    let content = arguments.file.open(source.input())?;
    arguments.file.hint(content.diagnostics());
    let opened = arguments.file.buffers(&content)?;
    let order = arguments.byte_order.map(ByteOrder::from);
    let order = order.unwrap_or(opened.buffer.layout.order);
    let mut output = output::binary(arguments.output.as_deref())?;
    let written = threadx::extract(&opened.memory, &opened.buffer, order, &mut output)?;
    output.flush()?;
    if written.missing > 0 {
        anstream::eprintln!(
            "rtoscope: {}: {} of {} bytes are missing in the input and were written as zeros",
            arguments.file.name(),
            written.missing,
            written.bytes
        );
    }
    let needed = opened.buffer.bytes();
    if written.bytes < needed {
        anstream::eprintln!(
            "rtoscope: {}: the input ends {} bytes before the buffer does",
            arguments.file.name(),
            needed - written.bytes
        );
    }
    Ok(())
}

fn is_same_file(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}
