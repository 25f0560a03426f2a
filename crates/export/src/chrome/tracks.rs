//! A recording, written as a process. Its tracks are threads of the format, by number.

use super::json::{ArgumentWriter, TraceEventWriter};
use crate::lanes::Lanes;
use rtoscope_analysis::View;
use rtoscope_analysis::timeline::{self, Instant, Names, Span, Value};
use rtoscope_trace::{ContextId, Contexts, Ticks, Timescale, Trace};
use std::io::{self, Write};
use std::mem;

/// A track of a viewer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Track {
    pub(super) process: u32,
    pub(super) number: u32,
}

/// The tracks of events, by context.
pub(super) struct ContextTracks {
    /// The track with facts about the recording.
    recording: Track,
    /// The tracks of the cores and of their interrupts, by core number.
    cores: Vec<[Track; 2]>,
    /// The tracks of threads, by context.
    threads: Vec<Track>,
}

/// Writes a recording.
pub(super) struct RecordingWriter<'j, 'a, W> {
    pub(super) json: &'j mut TraceEventWriter<W>,
    pub(super) view: View<'a>,
    pub(super) scale: Timescale,
    names: Names<'a>,
    lanes: Lanes<Track>,
    last_track: u32,
    /// The track with facts about the recording.
    pub(super) recording: Track,
    pub(super) tracks: ContextTracks,
}

impl<'j, 'a, W: Write> RecordingWriter<'j, 'a, W> {
    /// Starts the recording; `used` is the last track that other recordings have used.
    pub(super) fn new(
        json: &'j mut TraceEventWriter<W>,
        view: View<'a>,
        process: u32,
        used: u32,
    ) -> Self {
        let number = used.saturating_add(1);
        let recording = Track { process, number };
        let mut lanes = Lanes::nesting();
        lanes.first_or_add(&view, timeline::Track::Recording, |_| recording);
        Self {
            json,
            view,
            scale: view.trace.timescale(),
            names: Names::new(&view),
            lanes,
            last_track: number,
            recording,
            tracks: ContextTracks {
                recording,
                cores: vec![[recording; 2]; usize::from(u8::MAX) + 1],
                threads: vec![recording; view.trace.contexts.len()],
            },
        }
    }

    /// The number of the last track.
    pub(super) fn last_track(&self) -> u32 {
        self.last_track
    }

    /// Converts a time of the trace into nanoseconds.
    pub(super) fn time(&self, time: Ticks) -> u64 {
        self.scale.written_time(time)
    }

    /// Declares the tracks of cores, their interrupts and threads.
    pub(super) fn declare_contexts(&mut self) -> io::Result<()> {
        for core in timeline::cores(&self.view) {
            let tracks = [
                timeline::Track::Core(core),
                timeline::Track::Interrupts(core),
            ];
            let tracks = tracks.map(|track| self.first_track(track));
            if let Some(known) = self.tracks.cores.get_mut(usize::from(core)) {
                *known = tracks;
            }
        }
        for thread in self.view.trace.contexts.threads() {
            let track = self.first_track(timeline::Track::Thread(thread.id));
            if let Some(known) = self.tracks.threads.get_mut(thread.id.index()) {
                *known = track;
            }
            self.json.flush_if_full()?;
        }
        Ok(())
    }

    /// The first track for one of the timeline.
    fn first_track(&mut self, track: timeline::Track) -> Track {
        let (mut lanes, view) = (mem::take(&mut self.lanes), self.view);
        let track = lanes.first_or_add(&view, track, |name| self.add_track(name));
        self.lanes = lanes;
        track
    }

    fn add_track(&mut self, name: &str) -> Track {
        self.last_track = self.last_track.saturating_add(1);
        let track = Track {
            number: self.last_track,
            ..self.recording
        };
        self.declare(track, name);
        track
    }

    /// Declares the name and the position of a track.
    pub(super) fn declare(&mut self, track: Track, name: &str) {
        self.json.metadata(track, "thread_name", |arguments| {
            arguments.text("name", name);
        });
        self.json.metadata(track, "thread_sort_index", |arguments| {
            arguments.number("sort_index", track.number.into());
        });
    }

    /// The track with the states of a thread, if they are known.
    pub(super) fn state_track(&self, thread: ContextId) -> Option<Track> {
        self.lanes.first(timeline::Track::ThreadState(thread))
    }

    /// Writes a span, and returns its track.
    pub(super) fn span(&mut self, span: &Span<'a>) -> io::Result<Track> {
        let track = match span.track {
            timeline::Track::Core(core) => self.tracks.of(Contexts::IDLE, core),
            timeline::Track::Thread(thread) => self.tracks.of(thread, 0),
            _ => {
                let (mut lanes, view) = (mem::take(&mut self.lanes), self.view);
                let track = lanes.track_of(&view, span, |name| self.add_track(name));
                self.lanes = lanes;
                track
            }
        };
        let times = span.times.map(|time| self.time(time));
        let (view, names) = (&self.view, &mut self.names);
        let name = names.name(span.text);
        self.json.slice(track, times, span.class, &name, |to| {
            span.arguments(view, &mut |key, value| {
                write_argument(to, view.trace, names, key, value);
            });
        });
        self.json.flush_if_full()?;
        Ok(track)
    }

    /// Writes an instant.
    pub(super) fn instant(&mut self, instant: &Instant<'_>) -> io::Result<()> {
        let track = self.first_track(instant.track);
        let time = self.time(instant.time);
        let (view, names) = (&self.view, &mut self.names);
        let (category, text) = (instant.class, &instant.text);
        self.json.instant(track, time, category, text, |to| {
            instant.arguments(view, &mut |key, value| {
                write_argument(to, view.trace, names, key, value);
            });
        });
        self.json.flush_if_full()
    }
}

impl ContextTracks {
    /// The track of a context on a core.
    #[inline]
    pub(super) fn of(&self, context: ContextId, core: u8) -> Track {
        let track = if context.is_thread() {
            self.threads.get(context.index()).copied()
        } else {
            let tracks = self.cores.get(usize::from(core));
            tracks.map(|[runs, interrupts]| match context {
                Contexts::INTERRUPT => *interrupts,
                _ => *runs,
            })
        };
        track.unwrap_or(self.recording)
    }
}

fn write_argument(
    to: &mut ArgumentWriter<'_>,
    trace: &Trace,
    names: &mut Names<'_>,
    key: &str,
    value: Value<'_>,
) {
    match value {
        Value::Text(text) => to.literal(key, &names.name(text)),
        Value::Number(number) => to.number(key, number),
        Value::Flag(flag) => to.flag(key, flag),
        Value::Event(event) => to.number(key, trace.recording_event(event)),
    }
}
