//! Chrome trace events in JSON, which the viewers of Perfetto and Chrome read.
//!
//! The document is the bare array of events instead of the object around it: its
//! closing bracket may be missing, so readers accept a truncated file.

mod active_objects;
mod counters;
mod events;
mod json;
mod microseconds;
mod recording;
mod running;
mod states;
mod tracks;

use crate::Progress;
use crate::flows::{EventFlows, FlowKind};
use crate::timeline;
use json::TraceEventWriter;
use rtoscope_analysis::AnalyzedRecording;
use std::io::{self, Write};
use tracks::RecordingWriter;

/// Writes recordings as one JSON document, each as a process.
pub struct ChromeWriter<W> {
    json: TraceEventWriter<W>,
    recordings: u32,
    /// Track and flow numbers are unique in the document.
    tracks: u32,
    flows: u32,
}

impl<W: Write> ChromeWriter<W> {
    /// Starts the document.
    ///
    /// # Errors
    ///
    /// If the output fails.
    pub fn new(output: W) -> io::Result<Self> {
        Ok(Self {
            json: TraceEventWriter::new(output)?,
            recordings: 0,
            tracks: 0,
            flows: 0,
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
        self.recordings += 1;
        let view = source.view();
        let mut flows = EventFlows::new(&view, self.flows);
        let mut writer = RecordingWriter::new(&mut self.json, view, self.recordings, self.tracks);
        let to = &mut writer;
        recording::write(to, source, self.recordings);
        timeline::findings(&view, Some(to.recording), to)?;
        timeline::diagnostics(&view, to.recording, to)?;
        timeline::gaps(&view, to)?;
        running::declare(to)?;
        running::write(to)?;
        timeline::interrupts_off(&view, to)?;
        let states = states::write(to)?;
        timeline::mutex_holds(&view, to)?;
        timeline::inversions(&view, to)?;
        timeline::markers(&view, to)?;
        counters::write(to)?;
        // Write the target of a flow after its source: readers keep the order of
        // simultaneous events.
        events::write(to, &mut flows, progress)?;
        for (id, thread, running) in flows.wake_ups(view.schedule) {
            if let Some(Some(track)) = states.get(thread.index()) {
                let (time, name) = (to.time(running.start), flow_name(FlowKind::Wake));
                to.json.flow_end(*track, time, name, id);
            }
            to.json.flush_if_full()?;
        }
        active_objects::write_steps(to, &flows)?;
        timeline::states(&view, to)?;
        timeline::timers(&view, to)?;
        self.tracks = to.last_track();
        self.flows = flows.last_id();
        Ok(())
    }

    /// Flushes the document and returns the output.
    ///
    /// # Errors
    ///
    /// If the output fails.
    pub fn finish(self) -> io::Result<W> {
        self.json.finish()
    }
}

fn flow_name(kind: FlowKind) -> &'static str {
    match kind {
        FlowKind::Wake => "wake-up",
        FlowKind::Message | FlowKind::Post => kind.name(),
    }
}
