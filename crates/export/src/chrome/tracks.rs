//! A recording, written as a process. Its tracks are threads of the format, by number.

use super::json::{ArgumentWriter, TraceEventWriter};
use crate::timeline::{Argument, Class, Timeline, Value};
use rtoscope_analysis::View;
use rtoscope_trace::{ContextId, Contexts, EventHeader, EventIndex, Ticks, Timescale, Trace};
use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write};

/// A track of a viewer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Track {
    pub(super) process: u32,
    pub(super) number: u32,
}

/// Writes a recording. Tracks with events are found by context.
pub(super) struct RecordingWriter<'j, 'a, W> {
    pub(super) json: &'j mut TraceEventWriter<W>,
    pub(super) view: View<'a>,
    pub(super) scale: Timescale,
    process: u32,
    last_track: u32,
    /// The track with facts about the recording.
    pub(super) recording: Track,
    /// The tracks of the cores, in the order of the schedule.
    pub(super) cores: Vec<Track>,
    /// The interrupt tracks of the cores.
    pub(super) interrupts: Vec<Track>,
    /// The tracks of threads, by context.
    pub(super) threads: Vec<Track>,
    /// The index of each core in the schedule, by core number.
    core_places: Vec<u8>,
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
        let mut places = vec![0; usize::from(u8::MAX) + 1];
        for (core, place) in view.schedule.cores.iter().zip(0..=u8::MAX) {
            if let Some(known) = places.get_mut(usize::from(core.core)) {
                *known = place;
            }
        }
        Self {
            json,
            view,
            scale: view.trace.timescale(),
            process,
            last_track: number,
            recording: Track { process, number },
            cores: Vec::new(),
            interrupts: Vec::new(),
            threads: Vec::new(),
            core_places: places,
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

    /// The number of an event in the recording.
    pub(super) fn event_number(&self, event: EventIndex) -> u64 {
        self.view.trace.recording_event(event)
    }

    /// Declares the name and the position of a track.
    pub(super) fn declare(&mut self, track: Track, name: impl fmt::Display) {
        self.json.metadata(track, "thread_name", |arguments| {
            arguments.text("name", name);
        });
        self.json.metadata(track, "thread_sort_index", |arguments| {
            arguments.number("sort_index", track.number.into());
        });
    }

    /// Writes a slice of a category.
    pub(super) fn write_slice(
        &mut self,
        track: Track,
        times: [Ticks; 2],
        category: &str,
        name: &str,
        arguments: &[Argument<'_>],
    ) -> io::Result<()> {
        let times = times.map(|time| self.time(time));
        let trace = self.view.trace;
        self.json.slice(track, times, category, name, |to| {
            write_arguments(to, trace, arguments);
        });
        self.json.flush_if_full()
    }

    /// The track of a context on a core.
    pub(super) fn context_track(&self, context: ContextId, core: u8) -> Track {
        let place = self.core_places.get(usize::from(core)).copied();
        let place = usize::from(place.unwrap_or_default());
        let track = match context {
            Contexts::INTERRUPT => self.interrupts.get(place),
            context if context.is_thread() => self.threads.get(context.index()),
            _ => self.cores.get(place),
        };
        track.copied().unwrap_or(self.recording)
    }

    /// The track of an event.
    pub(super) fn event_track(&self, event: &EventHeader) -> Track {
        self.context_track(event.context, event.core)
    }
}

impl<W: Write> Timeline for RecordingWriter<'_, '_, W> {
    type Track = Track;

    const NESTS: bool = true;

    fn add_track(&mut self, name: &str) -> Track {
        self.last_track = self.last_track.saturating_add(1);
        let track = Track {
            process: self.process,
            number: self.last_track,
        };
        self.declare(track, name);
        track
    }

    fn slice(
        &mut self,
        track: Track,
        times: [Ticks; 2],
        class: Class,
        name: &str,
        arguments: &[Argument<'_>],
    ) -> io::Result<()> {
        self.write_slice(track, times, &category(class), name, arguments)
    }

    fn instant(
        &mut self,
        track: Track,
        time: Ticks,
        class: Class,
        name: &str,
        arguments: &[Argument<'_>],
    ) -> io::Result<()> {
        let (time, trace) = (self.time(time), self.view.trace);
        let category = category(class);
        self.json.instant(track, time, &category, name, |to| {
            write_arguments(to, trace, arguments);
        });
        self.json.flush_if_full()
    }
}

fn category(class: Class) -> Cow<'static, str> {
    Cow::Borrowed(match class {
        Class::Finding(severity) => return format!("finding,{}", severity.name()).into(),
        Class::Diagnostic => "diagnostic",
        Class::Gap => "gap",
        Class::Interrupt => "interrupt",
        Class::InterruptsOff => "interrupts-off",
        Class::Inversion => "inversion",
        Class::Marker => "marker",
        Class::MutexHold => "mutex",
        Class::State | Class::ActiveState => "state-interval",
        Class::Step => "step",
        Class::Timer => "timer",
    })
}

fn write_arguments(to: &mut ArgumentWriter<'_>, trace: &Trace, arguments: &[Argument<'_>]) {
    for (key, value) in arguments {
        match *value {
            Value::Text(text) => to.text(key, text),
            Value::Number(number) => to.number(key, number),
            Value::Flag(flag) => to.flag(key, flag),
            Value::Event(event) => to.number(key, trace.recording_event(event)),
            Value::Missing => {}
        }
    }
}
