//! Perfetto's protobuf traces.

mod blocks;
mod events;
mod ftrace;
mod levels;
mod mark;
mod merge;
mod message;
mod notes;
mod packets;
mod scheduling;
mod stage;

use crate::Progress;
use packets::Packets;
use rtoscope_tables::Source;
use stage::{Numbers, Stage};
use std::io::{self, Write};

/// Writes recordings as one Perfetto trace, one after the other.
pub struct Writer<W: Write> {
    packets: Packets<W>,
    numbers: Numbers,
}

impl<W: Write> Writer<W> {
    /// Begins to write.
    ///
    /// # Errors
    ///
    /// If the output fails.
    pub fn new(output: W) -> io::Result<Self> {
        Ok(Self {
            packets: Packets::new(output),
            numbers: Numbers::default(),
        })
    }

    /// Adds a recording.
    ///
    /// # Errors
    ///
    /// If the output fails.
    pub fn add(&mut self, source: &Source<'_>, progress: &mut Progress<'_>) -> io::Result<()> {
        let view = &source.view;
        // Readers end texts at a NUL.
        let name = source.name.replace(char::is_control, "\u{FFFD}");
        let source = &Source {
            name: &name,
            ..*source
        };
        let mut stage = Stage::new(view, &mut self.packets, &mut self.numbers, &name);
        let contexts = view.trace.contexts.iter();
        let threads: Vec<_> = contexts
            .map(|context| {
                let name = || view.trace.context_name(context.id);
                context.id.is_thread().then(|| stage.thread(&name()))
            })
            .collect();
        scheduling::write(&mut stage, &threads)?;
        events::write(&mut stage, &threads, progress)?;
        levels::write(&mut stage, source.histories)?;
        notes::write(&mut stage, source)
    }

    /// Writes what is left, and gives the output back.
    ///
    /// # Errors
    ///
    /// If the output fails.
    pub fn finish(self) -> io::Result<W> {
        self.packets.finish()
    }
}
