//! Chrome trace events in JSON, which the viewers of Perfetto and Chrome read.
//!
//! The document is the bare array of events instead of the object around it: its
//! closing bracket may be missing, so readers accept a truncated file.

mod counters;
mod events;
mod json;
mod microseconds;
mod recording;
mod tracks;

use crate::Progress;
use json::TraceEventWriter;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::flows::FlowKind;
use rtoscope_analysis::schedule::ThreadState;
use rtoscope_analysis::timeline::{self, EventFlows, Label, Text};
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
        let flows = EventFlows::new(&view, self.flows);
        let mut writer = RecordingWriter::new(&mut self.json, view, self.recordings, self.tracks);
        let to = &mut writer;
        recording::write(to, source, self.recordings);
        to.instant(&timeline::recording(source))?;
        timeline::notes(&view).try_for_each(|note| to.instant(&note))?;
        to.declare_contexts()?;
        for span in timeline::core_slices(&view)
            .chain(timeline::thread_slices(&view))
            .chain(timeline::interrupts(&view))
        {
            to.span(&span)?;
        }
        let running = Text::Label(Label::State(ThreadState::Running));
        for span in timeline::thread_states(&view) {
            // Arrows must end at `running`: a state of zero duration at the same time would
            // catch them.
            let [start, end] = span.times.map(|time| to.time(time));
            if start < end || span.text == running {
                to.span(&span)?;
            }
        }
        for span in timeline::spans(&view) {
            to.span(&span)?;
        }
        timeline::marker_instants(&view).try_for_each(|instant| to.instant(&instant))?;
        counters::write(to)?;
        // Write the target of a flow after its source: readers keep the order of
        // simultaneous events.
        events::write(to, &flows, progress)?;
        for (id, thread, start) in flows.wake_ups(&view) {
            if let Some(track) = to.state_track(thread) {
                let (time, name) = (to.time(start), flow_name(FlowKind::Wake));
                to.json.flow_end(track, time, name, id);
            }
            to.json.flush_if_full()?;
        }
        for step in timeline::steps(&view) {
            let track = to.span(&step)?;
            if let Some(post) = step.post() {
                let (time, name) = (to.time(step.times[0]), flow_name(FlowKind::Post));
                to.json.flow_end(track, time, name, flows.post(post));
            }
        }
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
