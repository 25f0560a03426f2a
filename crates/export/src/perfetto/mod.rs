//! Perfetto's protobuf traces.

mod blocks;
mod counters;
mod events;
mod ftrace;
mod message;
mod packets;
mod scheduling;
mod track_event;
mod track_writer;

use crate::Progress;
use packets::PacketWriter;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::timeline::{self, Track};
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
        let to = &mut writer;
        // The track of an active object has its steps instead.
        if view.active.is_empty() {
            for span in timeline::thread_states(view) {
                if let Track::ThreadState(thread) = span.track
                    && let Some(Some(track)) = threads.get(thread.index())
                    && span.is_wait()
                    && let [start, end] = span.times.map(|time| to.time(time))
                    && start < end
                {
                    to.span_on(*track, &span)?;
                }
            }
        }
        events::write(to, &threads, progress)?;
        counters::write(to)?;
        to.instant(&timeline::recording(source))?;
        timeline::notes(view).try_for_each(|note| to.instant(&note))?;
        timeline::spans(view).try_for_each(|span| to.span(&span))?;
        timeline::marker_instants(view).try_for_each(|instant| to.instant(&instant))
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
