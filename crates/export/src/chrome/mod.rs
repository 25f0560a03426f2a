//! Chrome trace events in JSON, which the viewers of Perfetto and Chrome read.
//!
//! The document is the bare array of events instead of the object around it: its
//! closing bracket may be missing, so readers accept a truncated file.

mod active_objects;
mod counters;
mod events;
mod findings;
mod flows;
mod json;
mod locks;
mod markers;
mod microseconds;
mod overlap_lanes;
mod running;
mod states;
mod tracks;

use crate::Progress;
use flows::FlowEvents;
use json::TraceEventWriter;
use overlap_lanes::OverlapLanes;
use rtoscope_analysis::AnalyzedRecording;
use std::io::{self, Write};
use tracks::{ProcessTracks, RecordingProcess};

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
        let recording = RecordingProcess {
            view: source.view(),
            scale: source.trace.timescale(),
            process: self.recordings,
        };
        let json = &mut self.json;
        let mut tracks = ProcessTracks::new(&recording, self.tracks);
        let flows = FlowEvents::new(&recording, self.flows);
        findings::write(json, &recording, source, &mut tracks)?;
        running::declare(json, &recording, &mut tracks)?;
        running::write(json, &recording, &mut tracks)?;
        let states = states::write(json, &recording, &mut tracks)?;
        locks::write(json, &recording, &mut tracks)?;
        markers::write(json, &recording, &mut tracks)?;
        counters::write(json, &recording, &source.level_histories)?;
        // Write the target of a flow after its source: readers keep the order of
        // simultaneous events.
        events::write(json, &recording, &tracks, &flows, progress)?;
        flows.end_wakes(json, &recording, &states)?;
        active_objects::write(json, &recording, &mut tracks, &flows)?;
        self.tracks = tracks.last_track();
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
