//! Analyses of growing recordings equal those of the same traces alone.

use crate::common::decode;
use proptest::prelude::*;
use rtoscope_analysis::{AnalyzedRecording, LiveAnalysis};
use rtoscope_decode::live::{HostTime, LiveDecoder, LiveOptions};
use rtoscope_decode::{
    DecodeOptions, DecodedRecording, EventInterpreter, Format, FormatInfo, cswitch, rkh, threadx,
};
use rtoscope_fixtures::recordings_and_shared;
use rtoscope_generate::ThreadXOptions;
use rtoscope_generate::cswitch::{CswitchOptions, LogBuffer};
use rtoscope_generate::rkh::RkhOptions;
use rtoscope_trace::{CodeLocations, EventIndex, Gap, Interpret, Trace, TraceOrigin};

/// The last events of a trace are interpreted again.
const UNSETTLED: usize = 64;

fn threadx_trace(settings: &ThreadXOptions) -> DecodedRecording {
    let mut bytes = Vec::new();
    rtoscope_generate::write(settings, &mut bytes, &mut |_| ()).unwrap();
    decode(&bytes, None).unwrap()
}

fn rkh_stream(settings: &RkhOptions) -> Vec<u8> {
    let mut bytes = Vec::new();
    rtoscope_generate::rkh::write(settings, &mut bytes, &mut |_| ()).unwrap();
    bytes
}

fn switch_log(settings: &CswitchOptions) -> DecodedRecording {
    let mut bytes = Vec::new();
    rtoscope_generate::cswitch::write(settings, &mut bytes, &mut |_| ()).unwrap();
    decode(&bytes, Some(cswitch::FORMAT)).unwrap()
}

/// The first events of a trace.
fn first_events(trace: &Trace, count: usize) -> Trace {
    let mut first = trace.clone();
    first.events.edit(|columns| columns.time.truncate(count));
    first.gaps.retain(|gap| gap.next_event.index() < count);
    first
}

/// Analyses and compares with a new analysis. Returns the number of reused
/// events.
fn check(
    live: &mut LiveAnalysis<EventInterpreter>,
    trace: Trace,
    format_info: &FormatInfo,
    name: &str,
) -> usize {
    let events = trace.events.len();
    let mut alone = AnalyzedRecording::new(name, "", trace.clone(), format_info);
    alone.unit_tests = None;
    let extended = live.analyze(name, trace, format_info);
    assert!(extended == alone, "{name} at {events}");
    live.reused_events()
}

/// Grows a trace without events to each of these parts of its length.
fn check_growth(recording: &DecodedRecording, parts: &[f64], name: &str) {
    let DecodedRecording { trace, format_info } = recording;
    let look_ahead = format_info.interpreter(trace).max_look_ahead();
    let mut counts: Vec<_> = parts
        .iter()
        .map(|part| (part * trace.events.len() as f64) as usize)
        .chain([0, trace.events.len()])
        .collect();
    counts.sort_unstable();
    let mut live = LiveAnalysis::default();
    let mut last = 0;
    for count in counts {
        let first = first_events(trace, count);
        let reused = check(&mut live, first, format_info, name);
        assert_eq!(reused, last, "{name} at {count}");
        last = count.saturating_sub(UNSETTLED + look_ahead);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn growing_threadx_traces(
        seed: u64,
        cores in 1_u8..=3,
        parts in prop::collection::vec(0.0..1.0, 1..8),
    ) {
        let settings = ThreadXOptions { seed, cores, events: 3000, ..Default::default() };
        check_growth(&threadx_trace(&settings), &parts, "ThreadX");
    }

    #[test]
    fn growing_rkh_streams(seed: u64, parts in prop::collection::vec(0.0..1.0, 1..8)) {
        let settings = RkhOptions { seed, records: 3000, ..Default::default() };
        let recording = decode(&rkh_stream(&settings), Some(rkh::FORMAT)).unwrap();
        check_growth(&recording, &parts, "RKH");
    }

    #[test]
    fn growing_switch_logs(seed: u64, parts in prop::collection::vec(0.0..1.0, 1..8)) {
        let settings = CswitchOptions { seed, entries: 3000, ..Default::default() };
        check_growth(&switch_log(&settings), &parts, "context switches");
    }

    /// Chunks of a stream, decoded as a live viewer does.
    #[test]
    fn received_rkh_streams(
        seed: u64,
        chunks in prop::collection::vec(1_usize..20_000, 1..12),
    ) {
        let settings = RkhOptions { seed, records: 5000, ..Default::default() };
        let bytes = rkh_stream(&settings);
        let mut decoder = LiveDecoder::new(LiveOptions {
            options: DecodeOptions::default(),
            format: Some(rkh::FORMAT),
            max_events: u64::MAX,
        });
        let mut live = LiveAnalysis::default();
        let mut base = None;
        let mut rest = &bytes[..];
        for chunk in chunks {
            let (chunk, later) = rest.split_at(chunk.min(rest.len()));
            rest = later;
            decoder.push(chunk, HostTime::default());
            let _ = decoder.next_update();
            let window = match base {
                Some(base) => decoder.window_from(base),
                None => decoder.window(1000),
            };
            let Some(window) = window else {
                continue;
            };
            let DecodedRecording { trace, format_info } = window.decode().unwrap();
            base = Some(trace.origin);
            check(&mut live, trace, &format_info, "a stream");
        }
    }
}

/// Receives chunks, and analyses all events after each. Returns the numbers of
/// events and of reused events.
fn receive(format: Format, chunks: impl Iterator<Item = Vec<u8>>) -> Vec<[usize; 2]> {
    let mut decoder = LiveDecoder::new(LiveOptions {
        options: DecodeOptions::default(),
        format: Some(format),
        max_events: u64::MAX,
    });
    let base = TraceOrigin::default();
    let mut live = LiveAnalysis::default();
    let counts = chunks.map(|chunk| {
        decoder.push(&chunk, HostTime::default());
        decoder.next_update().unwrap();
        let recording = decoder.window_from(base).unwrap().decode().unwrap();
        let DecodedRecording { trace, format_info } = recording;
        let events = trace.events.len();
        let reused = check(&mut live, trace, &format_info, format.name());
        [events, reused]
    });
    let counts: Vec<_> = counts.collect();
    let later = TraceOrigin {
        event: decoder.stats().events,
        ..base
    };
    assert!(decoder.window_from(later).is_none());
    counts
}

/// Once the names are known, nothing is interpreted twice.
fn assert_extended(counts: &[[usize; 2]], look_ahead: usize) {
    for pair in counts.windows(2) {
        let [[last, _], [_, reused]] = [pair[0], pair[1]];
        assert_eq!(last - reused, UNSETTLED + look_ahead, "{counts:?}");
    }
}

#[test]
fn received_streams_are_extended() {
    let bytes = rkh_stream(&RkhOptions {
        records: 5000,
        ..Default::default()
    });
    let (start, rest) = bytes.split_at(bytes.len() / 2);
    let chunks = [start].into_iter().chain(rest.chunks(2000));
    let counts = receive(rkh::FORMAT, chunks.map(<[u8]>::to_vec));
    assert_extended(&counts, 16);
}

/// Dumps of a running target's ring.
#[test]
fn received_buffers_are_extended() {
    for cores in [1, 2] {
        let dumps = (2000..=6000).step_by(500).map(|events| {
            let mut bytes = Vec::new();
            let settings = ThreadXOptions {
                events,
                cores,
                capacity: Some(1000),
                ..Default::default()
            };
            rtoscope_generate::write(&settings, &mut bytes, &mut |_| ()).unwrap();
            bytes
        });
        assert_extended(&receive(threadx::FORMAT, dumps), 0);
    }
}

#[test]
fn received_switch_logs_are_extended() {
    for cores in [1, 2] {
        let dumps = (2000..=6000).step_by(500).map(|entries| {
            let mut bytes = Vec::new();
            let settings = CswitchOptions {
                entries,
                cores,
                buffer: Some(LogBuffer {
                    slots: 1000,
                    cyclic: true,
                }),
                ..Default::default()
            };
            rtoscope_generate::cswitch::write(&settings, &mut bytes, &mut |_| ()).unwrap();
            bytes
        });
        assert_extended(&receive(cswitch::FORMAT, dumps), 0);
    }
}

/// Symbols may arrive later than the first calls of an ISR.
#[test]
fn new_names_of_isrs_are_shown() {
    let settings = CswitchOptions {
        entries: 1000,
        ..Default::default()
    };
    let recording = switch_log(&settings);
    let mut nameless = recording.trace.clone();
    nameless.code_locations = CodeLocations::default();
    let mut live = LiveAnalysis::default();
    for trace in [nameless, recording.trace] {
        let reused = check(&mut live, trace, &recording.format_info, "names");
        assert_eq!(reused, 0);
    }
}

#[test]
fn growing_recordings_of_targets() {
    let folders = ["threadx", "threadx-services", "rkh", "rkh-unusual"];
    let mut checked = 0;
    for path in folders.into_iter().flat_map(recordings_and_shared) {
        let name = path.display().to_string();
        let Some(recording) = decode(&std::fs::read(&path).unwrap(), None) else {
            continue;
        };
        check_growth(&recording, &[0.31, 0.99], &name);
        checked += 1;
    }
    assert!(checked > 20, "{checked}");
}

#[test]
fn gaps_of_one_core() {
    let settings = ThreadXOptions {
        cores: 3,
        events: 3000,
        ..Default::default()
    };
    let mut recording = threadx_trace(&settings);
    let events = &recording.trace.events;
    let gaps = [200, 201, 900, 1500, 1501, 2999].map(|number| {
        let next_event = EventIndex(number);
        Gap {
            next_event,
            missing: None,
            core: events.core(next_event),
            is_restart: false,
        }
    });
    recording.trace.gaps = gaps.into();
    let DecodedRecording { trace, format_info } = &recording;
    let mut live = LiveAnalysis::default();
    for count in (100..=3000).step_by(100) {
        let first = first_events(trace, count);
        check(&mut live, first, format_info, "gaps");
    }
    // The last gap begins after the last event of its core.
    assert!(live.reused_events() > 2000);
}

#[test]
fn other_traces_are_analysed_anew() {
    let one = threadx_trace(&ThreadXOptions {
        events: 1000,
        ..Default::default()
    });
    let other = threadx_trace(&ThreadXOptions {
        events: 2000,
        seed: 9,
        ..Default::default()
    });
    let mut live = LiveAnalysis::default();
    for recording in [&one, &other, &one] {
        let trace = recording.trace.clone();
        assert_eq!(
            check(&mut live, trace, &recording.format_info, "another"),
            0
        );
    }
    let reused = check(&mut live, one.trace.clone(), &one.format_info, "same");
    assert_eq!(reused, one.trace.events.len() - UNSETTLED);
}
