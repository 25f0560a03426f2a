//! Decodes a compact stream of hours from standard input as `rtoscope live` does, and compares
//! each event with what `crates/record-c/test/soak.c` recorded. `cargo xtask soak hours` runs both.

#![expect(clippy::print_stdout, reason = "a program that prints its counts")]

mod events;

use events::{RecordedEvent, RecordedEvents};
use rtoscope_decode::DecodeOptions;
use rtoscope_decode::live::{HostTime, LiveDecoder, LiveOptions, LiveUpdate};
use rtoscope_trace::extras::ItemValue;
use rtoscope_trace::{Event, EventIndex, Trace};
use rtoscope_wire::cswitch::EntryKind;
use std::io::Read as _;
use std::process::ExitCode;
use std::time::Instant;
use std::{fs, io};

/// Bytes that are decoded at a time.
const CHUNK_BYTES: usize = 1 << 18;

/// Number of events that the decoder retains.
const MAX_EVENTS: u64 = 1 << 16;

/// Counts of the comparison.
struct Checker {
    recorded: RecordedEvents,
    /// The time of the first event.
    start: Option<u64>,
    events: u64,
    entries: u64,
    lost: u64,
    gaps: u64,
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let mut checker = Checker {
        recorded: RecordedEvents::new(),
        start: None,
        events: 0,
        entries: 0,
        lost: 0,
        gaps: 0,
    };
    let mut decoder = LiveDecoder::new(LiveOptions {
        options: DecodeOptions::default(),
        format: None,
        max_events: MAX_EVENTS,
    });
    let began = Instant::now();
    let mut input = io::stdin().lock();
    let mut bytes = vec![0; CHUNK_BYTES];
    let mut total = 0_u64;
    loop {
        let read = input.read(&mut bytes).map_err(|error| error.to_string())?;
        let Some(chunk) = bytes.get(..read).filter(|chunk| !chunk.is_empty()) else {
            break;
        };
        let elapsed = u64::try_from(began.elapsed().as_nanos()).unwrap_or(u64::MAX);
        decoder.push(chunk, HostTime(elapsed));
        total += read as u64;
        checker.check_next(&mut decoder)?;
    }
    decoder.connection_lost();
    checker.check_next(&mut decoder)?;
    let stats = decoder.stats();
    if stats.missing_events != checker.lost || stats.unusable_bytes > 0 || stats.unusable > 0 {
        return Err(format!("{} entries are missing: {stats:?}", checker.lost));
    }
    let seconds = began.elapsed().as_secs_f64();
    // Machine-readable, for `cargo xtask soak hours`.
    println!("{} {}", checker.events, checker.lost);
    eprintln!(
        "{} events in {} entries were exact; {} entries were lost in {} gaps",
        checker.events, checker.entries, checker.lost, checker.gaps
    );
    eprintln!(
        "{:.2} bytes an event, {:.0} ns an event, {seconds:.1} s{}",
        total as f64 / checker.events as f64,
        1e9 * seconds / checker.events as f64,
        peak_memory()
    );
    Ok(())
}

/// The maximum memory of this process, where the system says it.
fn peak_memory() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.map_or_else(String::new, |peak| format!(", memory {}", peak.trim()))
}

impl Checker {
    fn check_next(&mut self, decoder: &mut LiveDecoder) -> Result<(), String> {
        match decoder.next_update() {
            Ok(Some(update)) => self.check(&update),
            Ok(None) => Ok(()),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Compares new events with the recorded ones.
    fn check(&mut self, update: &LiveUpdate) -> Result<(), String> {
        let trace = &update.recording.trace;
        let first = usize::from(update.overlaps);
        let mut gaps = trace.gaps.iter().peekable();
        for event in trace.events.iter().skip(first) {
            while let Some(gap) = gaps.next_if(|gap| gap.next_event <= event.index) {
                let missing = gap.missing.ok_or("a gap of unknown length")?;
                self.skip(missing)?;
            }
            if event.kind.0 == EntryKind::Time as u32 {
                continue;
            }
            let recorded = self.recorded.next().ok_or("no event")?;
            let start = *self.start.get_or_insert(recorded.time);
            let time = trace.origin.time.0.saturating_add(event.time.0);
            if time != recorded.time - start || !is_same(trace, &event, &recorded) {
                return Err(format!(
                    "event {}: recorded {recorded:x?}, found {event:x?} at {time}",
                    self.events
                ));
            }
            self.events += 1;
            self.entries += recorded.entries;
        }
        Ok(())
    }

    /// Skips the entries of a gap.
    fn skip(&mut self, missing: u64) -> Result<(), String> {
        let mut rest = missing;
        while rest > 0 {
            let entries = self.recorded.next().map_or(0, |event| event.entries);
            rest = rest.checked_sub(entries).ok_or("a gap within an event")?;
        }
        self.lost += missing;
        self.gaps += 1;
        Ok(())
    }
}

/// Whether an event has the recorded kind and words.
fn is_same(trace: &Trace, event: &Event, recorded: &RecordedEvent) -> bool {
    let is_kind = event.kind.0 == recorded.kind as u32;
    is_kind
        && match recorded.kind {
            EntryKind::Sleep => true,
            EntryKind::IsrEnter | EntryKind::IsrExit => event.arguments[0] == recorded.words[0],
            EntryKind::Formatted => has_items(trace, event.index, recorded.words),
            _ => event.arguments == recorded.words,
        }
}

fn has_items(trace: &Trace, event: EventIndex, words: [u64; 4]) -> bool {
    let items = trace.events.extras().items(event);
    let numbers = items.map(|item| match item.value {
        ItemValue::Number(number) => Some(u64::from(number)),
        _ => None,
    });
    // Values after the first one are in pairs: a further word is 0.
    numbers.eq(words.into_iter().map(Some))
}
