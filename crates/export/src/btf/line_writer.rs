//! Writes lines.

use rtoscope_trace::Ticks;
use rtoscope_trace::timescale::UnitScale;
use rtoscope_wire::btf::EventLine;
use std::io::{self, BufWriter, Write};

/// Something that events happen to, or that causes them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entity<'a> {
    pub(super) name: &'a str,
    pub(super) instance: u64,
}

impl<'a> Entity<'a> {
    /// Something that is always the same instance.
    pub(super) const fn single(name: &'a str) -> Self {
        Self { name, instance: 0 }
    }
}

/// Writes lines; times are those of the trace.
pub(super) struct LineWriter<W: Write> {
    output: BufWriter<W>,
    scale: UnitScale,
}

impl<W: Write> LineWriter<W> {
    pub(super) fn new(output: W, scale: UnitScale) -> Self {
        Self {
            output: BufWriter::with_capacity(1 << 16, output),
            scale,
        }
    }

    /// Writes a parameter of the header.
    pub(super) fn parameter(&mut self, key: &str, value: &str) -> io::Result<()> {
        writeln!(self.output, "#{key} {}", one_line(value))
    }

    pub(super) fn comment(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.output, "# {}", one_line(text))
    }

    /// Writes an event of a target of a type.
    pub(super) fn event(
        &mut self,
        time: Ticks,
        source: Entity<'_>,
        (target_type, target): (&str, Entity<'_>),
        event: &str,
        note: &str,
    ) -> io::Result<()> {
        let line = EventLine {
            time: self.scale.units(time),
            source: source.name.as_bytes(),
            source_instance: Some(source.instance),
            target_type: target_type.as_bytes(),
            target: target.name.as_bytes(),
            target_instance: Some(target.instance),
            event: event.as_bytes(),
            note: note.as_bytes(),
        };
        writeln!(self.output, "{line}")
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

/// The text without control characters, which might end the line.
fn one_line(text: &str) -> String {
    text.replace(char::is_control, " ")
}
