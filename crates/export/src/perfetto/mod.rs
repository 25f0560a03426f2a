//! Perfetto's protobuf traces.

mod blocks;
mod counters;
mod events;
mod ftrace;
mod message;
mod packets;
mod recording;
mod scheduling;
mod track_event;
mod track_writer;

use crate::Progress;
use crate::timeline;
use packets::PacketWriter;
use rtoscope_analysis::AnalyzedRecording;
use std::io::{self, Write};
use track_writer::{TraceIds, TrackWriter};

/// Writes recordings as one Perfetto trace, one after the other.
pub struct PerfettoWriter<W: Write> {
    packets: PacketWriter<W>,
    ids: TraceIds,
}

impl<W: Write> PerfettoWriter<W> {
    /// Starts the trace.
    ///
    /// # Errors
    ///
    /// If the output fails.
    pub fn new(output: W) -> io::Result<Self> {
        Ok(Self {
            packets: PacketWriter::new(output),
            ids: TraceIds::default(),
        })
    }

    /// Adds a recording.
    ///
    /// # Errors
    ///
    /// If the output fails.
    pub fn add_recording(
        &mut self,
        source: &AnalyzedRecording,
        progress: &mut Progress<'_>,
    ) -> io::Result<()> {
        let view = &source.view();
        // Readers end strings at a NUL.
        let name = source.info.name.replace(char::is_control, "\u{FFFD}");
        let mut writer = TrackWriter::new(view, &mut self.packets, &mut self.ids, &name);
        let contexts = view.trace.contexts.iter();
        let threads: Vec<_> = contexts
            .map(|context| {
                let name = || view.trace.context_name(context.id);
                context.id.is_thread().then(|| writer.thread(&name()))
            })
            .collect();
        scheduling::write(&mut writer, &threads)?;
        events::write(&mut writer, &threads, progress)?;
        counters::write(&mut writer)?;
        let to = &mut writer;
        timeline::markers(view, to)?;
        let track = to.track("recording");
        recording::write(to, source, &name, track);
        timeline::diagnostics(view, track, to)?;
        timeline::gaps(view, to)?;
        timeline::findings(view, None, to)?;
        timeline::mutex_holds(view, to)?;
        timeline::inversions(view, to)?;
        timeline::interrupts_off(view, to)?;
        timeline::states(view, to)?;
        timeline::timers(view, to)
    }

    /// Flushes the trace and returns the output.
    ///
    /// # Errors
    ///
    /// If the output fails.
    pub fn finish(self) -> io::Result<W> {
        self.packets.finish()
    }
}
