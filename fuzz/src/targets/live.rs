//! Recordings of any format decoded as live traces, in chunks, with interruptions of the
//! connection, and read again from their checkpoints.

use rtoscope_analysis::{AnalyzedRecording, LiveAnalysis};
use rtoscope_decode::live::{Checkpoint, HostTime, LiveDecoder, LiveOptions, LiveUpdate};
use rtoscope_decode::{DecodeOptions, DecodedRecording, EventInterpreter, FORMATS, rkh};
use rtoscope_trace::TraceOrigin;

/// Number of bytes that select the format and the number of events to keep.
const CHOICE: usize = 2;

/// A chunk begins with its length, or with this byte.
const BREAK: u8 = 0xFF;

/// Checks the new events after this many chunks.
const STEP: usize = 3;

pub(crate) fn run(data: &[u8]) {
    let Some((&[format, kept], bytes)) = data.split_first_chunk::<CHOICE>() else {
        return;
    };
    let settings = LiveOptions {
        options: DecodeOptions::default(),
        format: FORMATS
            .get(usize::from(format) % (FORMATS.len() + 1))
            .copied(),
        max_events: u64::from(kept) * 4,
    };
    let mut live = LiveDecoder::new(settings.clone());
    live.load_metadata(rkh::FORMAT, bytes.get(..64).unwrap_or(bytes));
    let mut live = LiveDecoder::new(settings.clone());
    let mut delivered = DeliveredEvents::default();
    let mut window = GrowingWindow::default();
    let mut pushed = Vec::new();
    let mut checkpoint: Option<Checkpoint> = None;
    for (number, chunk) in chunks(bytes).enumerate() {
        match chunk {
            Some(chunk) => {
                live.push(chunk, HostTime(number as u64 * 1_000_000));
                pushed.extend_from_slice(chunk);
            }
            None => live.connection_lost(),
        }
        if number % STEP == 0
            && let Ok(Some(update)) = live.next_update()
        {
            delivered.push(&update);
            window.check(&live, u64::from(kept));
            if checkpoint.is_none() {
                checkpoint = live.checkpoint_before(delivered.next / 2).cloned();
            }
        }
    }
    assert!(live.stats().events >= delivered.next);
    if let Some(window) = live.window(u64::from(kept))
        && let Ok(recording) = window.decode()
    {
        let first = recording.trace.origin.event;
        assert_eq!(first + recording.trace.events.len() as u64, delivered.next);
        check_trace(&recording);
    }
    if let Some(checkpoint) = checkpoint {
        assert!(checkpoint.offset() <= pushed.len() as u64);
        let rest = usize::try_from(checkpoint.offset())
            .ok()
            .and_then(|at| pushed.get(at..));
        let mut resumed = LiveDecoder::resume(settings.clone(), &checkpoint);
        resumed.push(rest.unwrap_or_default(), HostTime(0));
        if let Ok(Some(update)) = resumed.next_update() {
            assert!(update.recording.trace.origin.event >= checkpoint.event);
            check_trace(&update.recording);
        }
    }
    let metadata = live.metadata();
    if let Some(format) = live.format() {
        LiveDecoder::new(settings).load_metadata(format, &metadata);
    }
}

/// A window that grows while its first event is in memory.
#[derive(Default)]
struct GrowingWindow {
    base: Option<TraceOrigin>,
    analysis: LiveAnalysis<EventInterpreter>,
}

impl GrowingWindow {
    /// The extended analysis equals one from the start.
    fn check(&mut self, live: &LiveDecoder, events: u64) {
        let grown = self.base.and_then(|base| live.window_from(base));
        let Some(window) = grown.or_else(|| live.window(events)) else {
            return;
        };
        let Ok(DecodedRecording { trace, format_info }) = window.decode() else {
            return;
        };
        self.base = Some(trace.origin);
        let alone = AnalyzedRecording::new("fuzz", "", trace.clone(), &format_info);
        let extended = self.analysis.analyze("fuzz", trace, &format_info);
        assert!(
            extended == alone,
            "{} reused",
            self.analysis.reused_events()
        );
    }
}

/// The events received so far.
#[derive(Default)]
struct DeliveredEvents {
    next: u64,
    time: u64,
}

impl DeliveredEvents {
    /// Each event is delivered once and in order, and times never decrease.
    fn push(&mut self, update: &LiveUpdate) {
        let trace = &update.recording.trace;
        let first = trace.origin.event + u64::from(update.overlaps);
        assert!(first >= self.next, "event {first} was delivered twice");
        assert!(trace.origin.time.0 >= self.time || !update.overlaps);
        self.next = trace.origin.event + trace.events.len() as u64;
        self.time = trace.recording_time(trace.events.span()).0;
        check_trace(&update.recording);
    }
}

fn check_trace(recording: &DecodedRecording) {
    let trace = &recording.trace;
    assert!(trace.events.times().is_sorted());
    assert!(trace.events.times().next().is_none_or(|first| first.0 == 0));
    for event in trace.events.iter() {
        assert!(!trace.context_name(event.context).is_empty());
    }
    for gap in &trace.gaps {
        assert!(gap.next_event.index() < trace.events.len());
    }
}

/// Chunks of up to 254 bytes, and `None` for interruptions.
fn chunks(mut bytes: &[u8]) -> impl Iterator<Item = Option<&[u8]>> {
    std::iter::from_fn(move || {
        let (&length, rest) = bytes.split_first()?;
        if length == BREAK {
            bytes = rest;
            return Some(None);
        }
        let (chunk, rest) = rest.split_at(usize::from(length).min(rest.len()));
        bytes = rest;
        Some(Some(chunk))
    })
}
