//! Chrome's trace events in JSON, which Perfetto's and Chrome's viewers read.
//!
//! The document is the bare array of events rather than the object around it:
//! its closing bracket may be missing, so that readers take what there is of a
//! file that was cut.

mod active;
mod counters;
mod events;
mod findings;
mod flows;
mod json;
mod lanes;
mod locks;
mod microseconds;
mod running;
mod states;
mod tracks;

use crate::Progress;
use crate::timescale::Timescale;
use flows::Flows;
use json::Json;
use lanes::Lanes;
use rtoscope_tables::Source;
use std::io::{self, Write};
use tracks::{Recording, Tracks};

/// Writes recordings as one JSON document, one after the other, each as a
/// process of its own.
pub struct Writer<W> {
    json: Json<W>,
    recordings: u32,
    /// Numbers of tracks and flows are unique in the document.
    tracks: u32,
    flows: u32,
}

impl<W: Write> Writer<W> {
    /// Begins to write.
    ///
    /// # Errors
    ///
    /// If the output fails.
    pub fn new(output: W) -> io::Result<Self> {
        Ok(Self {
            json: Json::new(output)?,
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
    pub fn add(&mut self, source: &Source<'_>, progress: &mut Progress<'_>) -> io::Result<()> {
        self.recordings += 1;
        let recording = Recording {
            view: source.view,
            scale: Timescale::of(source.view.trace),
            process: self.recordings,
        };
        let json = &mut self.json;
        let mut tracks = Tracks::new(&recording, self.tracks);
        let flows = Flows::new(&recording, self.flows);
        findings::write(json, &recording, source, &mut tracks)?;
        running::declare(json, &recording, &mut tracks)?;
        running::write(json, &recording, &mut tracks)?;
        let states = states::write(json, &recording, &mut tracks)?;
        locks::write(json, &recording, &mut tracks)?;
        counters::write(json, &recording, source.histories)?;
        // Whatever a flow leads to stands behind what it starts at: readers keep
        // the order of what has the same time.
        events::write(json, &recording, &tracks, &flows, progress)?;
        flows.end_wakes(json, &recording, &states)?;
        active::write(json, &recording, &mut tracks, &flows)?;
        self.tracks = tracks.used();
        self.flows = flows.used();
        Ok(())
    }

    /// Writes what is left, and gives the output back.
    ///
    /// # Errors
    ///
    /// If the output fails.
    pub fn finish(self) -> io::Result<W> {
        self.json.finish()
    }
}
