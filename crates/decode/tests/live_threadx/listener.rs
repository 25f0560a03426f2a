//! Whoever follows a recording, and keeps account of what was given out.

use rtoscope_decode::live::{Live, Moment, Settings};
use rtoscope_decode::{Format, Options, Recording};
use rtoscope_trace::{Diagnostic, EventIndex};

/// An event as it was given out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Heard {
    pub(super) number: u64,
    /// Its first argument: which of the target's events it is.
    pub(super) what: u64,
    /// Ticks since the first event of the recording.
    pub(super) time: u64,
    /// Whether a gap was reported before it, and with which count.
    pub(super) gap: Option<Option<u64>>,
}

/// A recording and all that was heard of it.
pub(super) struct Listener {
    pub(super) live: Live,
    pub(super) heard: Vec<Heard>,
    pub(super) said: Vec<Diagnostic>,
}

pub(super) fn settings() -> Settings {
    Settings {
        options: Options::default(),
        format: Some(Format::ThreadX),
        most_events: 1 << 20,
    }
}

impl Listener {
    pub(super) fn new() -> Self {
        Self::with(Live::new(settings()))
    }

    pub(super) fn with(live: Live) -> Self {
        Self {
            live,
            heard: Vec::new(),
            said: Vec::new(),
        }
    }

    /// Takes bytes and hears what is new.
    pub(super) fn push(&mut self, bytes: &[u8], at: u64) {
        self.live.push(bytes, Moment(at));
        self.listen();
    }

    pub(super) fn listen(&mut self) {
        let Some(news) = self.live.advance().unwrap() else {
            return;
        };
        let skipped = usize::from(news.overlaps);
        self.said
            .extend(news.recording.trace.diagnostics.iter().cloned());
        self.heard
            .extend(heard(&news.recording).into_iter().skip(skipped));
    }

    /// Which of the target's events were heard.
    pub(super) fn what(&self) -> Vec<u64> {
        self.heard.iter().map(|heard| heard.what).collect()
    }

    /// Whether a diagnostic of that name was given with any news.
    pub(super) fn was_told(&self, name: &str) -> bool {
        self.said.iter().any(|said| said.kind.name() == name)
    }
}

/// The events of a recording.
pub(super) fn heard(recording: &Recording) -> Vec<Heard> {
    let trace = &recording.trace;
    let gap = |before: EventIndex| {
        let gap = trace.gaps.iter().find(|gap| gap.before == before);
        gap.map(|gap| gap.missing)
    };
    let events = trace.events.iter().map(|event| Heard {
        number: trace.number(event.index),
        what: event.arguments[0],
        time: trace.moment(event.time).0,
        gap: gap(event.index),
    });
    events.collect()
}
