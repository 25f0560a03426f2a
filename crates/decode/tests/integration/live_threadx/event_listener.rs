//! Follows a recording and collects the updates.

use proptest::prelude::*;
use rtoscope_decode::live::{HostTime, LiveDecoder, LiveOptions};
use rtoscope_decode::{DecodeOptions, DecodedRecording};
use rtoscope_trace::{Diagnostic, DiagnosticKind, EventIndex, Trace};

/// A received event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ReceivedEvent {
    pub(super) number: u64,
    /// Its first argument: the number of the target's event.
    pub(super) event_id: u64,
    /// Ticks since the first event of the recording.
    pub(super) time: u64,
    /// Whether a gap was reported before it, and its count.
    pub(super) gap: Option<Option<u64>>,
}

/// A live trace and all events received from it.
pub(super) struct EventListener {
    pub(super) live: LiveDecoder,
    pub(super) received: Vec<ReceivedEvent>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

pub(super) fn settings() -> LiveOptions {
    LiveOptions {
        options: DecodeOptions::default(),
        format: Some(rtoscope_decode::threadx::FORMAT),
        max_events: 1 << 20,
    }
}

impl EventListener {
    pub(super) fn new() -> Self {
        Self::with(LiveDecoder::new(settings()))
    }

    pub(super) fn with(live: LiveDecoder) -> Self {
        Self {
            live,
            received: Vec::new(),
            diagnostics: Vec::new(),
        }
    }

    /// Pushes bytes and collects the new events.
    pub(super) fn push(&mut self, bytes: &[u8], at: u64) {
        self.live.push(bytes, HostTime(at));
        self.drain_updates();
    }

    pub(super) fn drain_updates(&mut self) {
        let Some(news) = self.live.next_update().unwrap() else {
            return;
        };
        let skipped = usize::from(news.overlaps);
        self.diagnostics
            .extend(news.recording.trace.diagnostics.iter().cloned());
        self.received
            .extend(received_events(&news.recording).into_iter().skip(skipped));
    }

    /// The numbers of the target's events that were received.
    pub(super) fn event_ids(&self) -> Vec<u64> {
        self.received.iter().map(|event| event.event_id).collect()
    }

    /// Whether any update had a diagnostic of that name.
    pub(super) fn has_diagnostic(&self, name: &str) -> bool {
        self.diagnostics.iter().any(|said| said.kind.name() == name)
    }
}

/// Reads a recording, in pieces with their arrival times, again from the checkpoint before an
/// event, and checks that the events are the same. `None` without a checkpoint.
pub(super) fn read_again(
    listener: &EventListener,
    recorded: &[(Vec<u8>, u64)],
    from: u64,
) -> Result<Option<EventListener>, TestCaseError> {
    let wanted = from % (listener.received.len() as u64 + 1);
    let Some(mark) = listener.live.checkpoint_before(wanted) else {
        return Ok(None);
    };
    let mut again = EventListener::with(LiveDecoder::resume(settings(), mark));
    let mut offset = 0;
    for (bytes, at) in recorded {
        let skipped = mark.offset().saturating_sub(offset).min(bytes.len() as u64);
        offset += bytes.len() as u64;
        if skipped < bytes.len() as u64 {
            again.push(&bytes[skipped as usize..], *at);
        }
    }
    // The checkpoint includes its own event; the events after it are received again.
    let after = |listener: &EventListener| {
        let received = listener.received.iter();
        let received = received.filter(|it| it.number > mark.event);
        received.copied().collect::<Vec<_>>()
    };
    prop_assert_eq!(after(&again), after(listener));
    prop_assert_eq!(again.live.stats().events, listener.live.stats().events);
    Ok(Some(again))
}

/// Asserts that two traces have the same contents.
pub(super) fn assert_same(one: &Trace, other: &Trace) {
    assert_eq!(one.events, other.events);
    assert_eq!(one.objects, other.objects);
    assert_eq!(one.contexts, other.contexts);
    assert_eq!(one.cores, other.cores);
    assert_eq!(one.clock, other.clock);
    assert_eq!(one.gaps, other.gaps);
}

/// The kinds of a trace's diagnostics.
pub(super) fn kinds(trace: &Trace) -> Vec<DiagnosticKind> {
    trace.diagnostics.iter().map(|it| it.kind).collect()
}

/// The events of a recording.
pub(super) fn received_events(recording: &DecodedRecording) -> Vec<ReceivedEvent> {
    let trace = &recording.trace;
    let gap = |before: EventIndex| {
        let gap = trace.gaps.iter().find(|gap| gap.next_event == before);
        gap.map(|gap| gap.missing)
    };
    let events = trace.events.iter().map(|event| ReceivedEvent {
        number: trace.recording_event(event.index),
        event_id: event.arguments[0],
        time: trace.recording_time(event.time).0,
        gap: gap(event.index),
    });
    events.collect()
}
