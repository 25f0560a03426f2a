//! Streams decoded live, against the same streams decoded as files.

use super::streams;
use proptest::prelude::*;
use rtoscope_decode::live::{HostTime, LiveDecoder, LiveOptions, LiveUpdate};
use rtoscope_decode::rkh::{self, StreamDecoder, WireArgument};
use rtoscope_decode::{DecodeOptions, DecodedRecording};
use rtoscope_trace::{ContextId, Trace};
use rtoscope_wire::rkh::frame::FLAG;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// More events than any of the streams has.
pub(super) const ALL: u64 = 1 << 40;

pub(super) fn settings(options: &rkh::RkhOptions, most_events: u64) -> LiveOptions {
    LiveOptions {
        options: DecodeOptions {
            rkh: options.clone(),
            ..DecodeOptions::default()
        },
        format: Some(rtoscope_decode::rkh::FORMAT),
        max_events: most_events,
    }
}

/// The contents of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct EventView {
    pub(super) number: u64,
    pub(super) time: u64,
    /// The record, without names.
    pub(super) record: String,
    /// The running context, without names.
    pub(super) context: String,
    /// The names of its objects. A reader of only the start of a stream lacks
    /// later names.
    pub(super) names: BTreeSet<String>,
    context_name: String,
}

impl EventView {
    /// Everything except names.
    pub(super) fn without_number(&self) -> (u64, u64, &str, &str) {
        (self.number, self.time, &self.record, &self.context)
    }
}

pub(super) fn event_views(trace: &Trace, stream: &rkh::StreamInfo) -> Vec<EventView> {
    let mut object_names = BTreeMap::<u64, Vec<String>>::new();
    for object in trace.objects.iter().filter(|it| !it.deleted) {
        let names = object_names.entry(object.address.0).or_default();
        names.push(format!("{} {}", object.class, object.name));
    }
    let all = trace.events.iter();
    let seen = all.map(|event| {
        let index = event.index;
        let mut record = format!("{:?} {:?}", stream.offset(index), stream.sequence(index));
        write!(
            record,
            " {:?} {}",
            stream.timestamp(trace, index),
            event.kind
        )
        .unwrap();
        let mut names = BTreeSet::from([trace.catalogue.name(event.kind).to_string()]);
        for (name, argument) in stream.arguments(trace, index) {
            write!(record, " {name}={argument:?}").unwrap();
            if let WireArgument::Number(number) = argument {
                let named = object_names.get(&u64::from(number));
                names.extend(named.into_iter().flatten().cloned());
            }
        }
        EventView {
            number: trace.origin.event + u64::from(index.0),
            time: trace.origin.time.0 + event.time.0,
            record,
            context: format!(
                "{} in {}",
                context_name(trace, event.context),
                event
                    .interrupted()
                    .map_or_else(String::new, |it| context_name(trace, it))
            ),
            names,
            context_name: trace.context_name(event.context),
        }
    });
    seen.collect()
}

fn context_name(trace: &Trace, context: ContextId) -> String {
    let context = trace.contexts.get(context);
    context.map_or_else(String::new, |it| format!("{:?} {}", it.kind, it.address))
}

pub(super) fn stream(recording: &DecodedRecording) -> &rkh::StreamInfo {
    recording.format_info.get().unwrap()
}

pub(super) fn decode_file(bytes: &[u8], options: &rkh::RkhOptions) -> rkh::DecodedStream {
    let mut decoder = StreamDecoder::new(options);
    decoder.push(bytes);
    decoder.finish()
}

/// Streams with a known configuration and a flag at their end: live data is not
/// known to be complete before that.
pub(super) fn sample_streams() -> Vec<(String, Vec<u8>, rkh::RkhOptions)> {
    let known = streams::all().into_iter();
    let known = known.filter(|known| known.decoder().is_some());
    let known = known.map(|known| {
        let bytes = [&known.bytes()[..], &[FLAG]].concat();
        (known.name.clone(), bytes, known.options())
    });
    known.collect()
}

/// All updates; of repeated events the last counts.
#[derive(Debug, Default)]
pub(super) struct UpdateLog {
    pub(super) events: Vec<EventView>,
    pub(super) gaps: Vec<(u64, Option<u64>)>,
    problems: u64,
}

impl UpdateLog {
    pub(super) fn add(&mut self, news: &LiveUpdate) {
        let trace = &news.recording.trace;
        let stream = stream(&news.recording);
        let new = event_views(trace, stream);
        if let (true, Some(last), Some(again)) = (news.overlaps, self.events.pop(), new.first()) {
            assert_eq!((last.number, last.time), (again.number, again.time));
        }
        self.events.extend(new);
        let base = trace.origin.event;
        let gaps = trace.gaps.iter();
        let gaps = gaps.map(|gap| (base + u64::from(gap.next_event.0), gap.missing));
        self.gaps.extend(gaps);
        let problems = stream.losses.problems.iter();
        // Those at the very start belong to every part that begins there.
        let again = problems.filter(|problem| news.overlaps && problem.event == 0);
        self.problems += stream.losses.total() - again.count() as u64;
    }
}

pub(super) fn follow<'a>(
    live: &mut LiveDecoder,
    pieces: impl Iterator<Item = &'a [u8]>,
) -> UpdateLog {
    let mut log = UpdateLog::default();
    for piece in pieces {
        live.push(piece, HostTime::default());
        if let Some(news) = live.next_update().unwrap() {
            log.add(&news);
        }
    }
    log
}

/// The received events are those of the file, except that a target's
/// configuration at the very end leaves undecided whether the target restarted.
fn compare(name: &str, log: &UpdateLog, live: &LiveDecoder, whole: &rkh::DecodedStream) {
    let expected = event_views(&whole.trace, &whole.stream_info);
    for (found, expected) in log.events.iter().zip(&expected) {
        assert_eq!(found.without_number(), expected.without_number(), "{name}");
    }
    let tally = live.stats();
    let losses = &whole.stream_info.losses;
    assert_eq!(tally.events, log.events.len() as u64, "{name}");
    assert_eq!(tally.unusable, losses.bad_frames(), "{name}");
    assert_eq!(tally.unusable_bytes, losses.unusable_bytes, "{name}");
    assert_eq!(tally.missing_events, losses.missing_records, "{name}");
    if let Some(next) = expected.get(log.events.len()) {
        let last = whole.stream_info.runs.last().unwrap();
        assert_eq!(u64::from(last.first.0), next.number, "{name}");
        return;
    }
    let gaps = whole.trace.gaps.iter();
    let gaps: Vec<_> = gaps
        .map(|gap| (u64::from(gap.next_event.0), gap.missing))
        .collect();
    assert_eq!(log.gaps, gaps, "{name}");
    assert_eq!(tally.gaps, gaps.len() as u64, "{name}");
    // Those after the last event belong to the next.
    let problems = losses.problems.iter();
    let following = problems.filter(|problem| u64::from(problem.event) == tally.events);
    assert_eq!(
        log.problems + following.count() as u64,
        losses.total(),
        "{name}"
    );
}

#[test]
fn updates_match_the_file() {
    for (name, bytes, options) in sample_streams() {
        let whole = decode_file(&bytes, &options);
        // Each chunk takes its time.
        for size in [bytes.len() / 16 + 7, 3000, 1 << 20] {
            let mut live = LiveDecoder::new(settings(&options, ALL));
            let log = follow(&mut live, bytes.chunks(size));
            compare(&name, &log, &live, &whole);
        }
    }
}

#[test]
fn a_cut_is_the_end_of_the_whole() {
    for (name, bytes, options) in sample_streams() {
        let whole = decode_file(&bytes, &options);
        let expected = event_views(&whole.trace, &whole.stream_info);
        for most in [1, 100, ALL] {
            let mut live = LiveDecoder::new(settings(&options, most));
            follow(&mut live, bytes.chunks(bytes.len() / 4 + 1));
            let Some(cut) = live.window(most.min(300)) else {
                assert_eq!(live.stats().events, 0, "{name}");
                continue;
            };
            let cut = cut.decode().unwrap();
            let found = event_views(&cut.trace, stream(&cut));
            let end = live.stats().events as usize;
            assert!(found.len() >= 300.min(end).min(most as usize), "{name}");
            assert_eq!(found, expected[end - found.len()..end], "{name}");
            let base = cut.trace.origin.event as u32;
            let gaps = whole
                .trace
                .gaps
                .iter()
                .map(|gap| (gap.next_event.0, gap.missing));
            let gaps: Vec<_> = gaps.filter(|(before, _)| *before > base).collect();
            let found = cut.trace.gaps.iter();
            let found: Vec<_> = found
                .map(|gap| (gap.next_event.0 + base, gap.missing))
                .collect();
            assert_eq!(found, gaps[..found.len()], "{name}");
            assert!(
                gaps.iter()
                    .skip(found.len())
                    .all(|gap| gap.0 as usize >= end)
            );
        }
    }
}

#[test]
fn reading_goes_on_from_any_mark() {
    for (name, bytes, options) in sample_streams() {
        let mut live = LiveDecoder::new(settings(&options, ALL));
        let expected = follow(&mut live, bytes.chunks(700)).events;
        let whole = live.window(ALL).map(|cut| cut.decode().unwrap());
        let whole = whole.map_or_else(Vec::new, |it| event_views(&it.trace, stream(&it)));
        for event in (0..expected.len() as u64).step_by(expected.len() / 3 + 1) {
            // There is none before the last event of the first update.
            let Some(mark) = live.checkpoint_before(event) else {
                continue;
            };
            let mut again = LiveDecoder::resume(settings(&options, ALL), mark);
            let rest = &bytes[mark.offset() as usize..];
            let log = follow(&mut again, rest.chunks(1000));
            let from = mark.event as usize;
            assert_eq!(log.events.len(), expected.len() - from, "{name}");
            for (found, expected) in log.events.iter().zip(&expected[from..]) {
                assert_eq!(
                    found.without_number(),
                    expected.without_number(),
                    "{name} from {from}"
                );
            }
            let cut = again.window(ALL).unwrap().decode().unwrap();
            assert_eq!(
                event_views(&cut.trace, stream(&cut)),
                whole[from..],
                "{name}"
            );
        }
    }
}

/// Streams with some bytes changed, and where they are split.
fn damaged() -> impl Strategy<Value = (Vec<u8>, rkh::RkhOptions, Vec<usize>)> {
    let known = sample_streams();
    let changes = proptest::collection::vec(streams::change(), 0..20);
    let cuts = proptest::collection::vec(any::<prop::sample::Index>(), 0..40);
    (0..known.len(), changes, cuts).prop_map(move |(which, changes, cuts)| {
        let (_, bytes, options) = &known[which];
        let mut bytes = bytes.clone();
        bytes.truncate(8000);
        streams::damage(&mut bytes, changes);
        bytes.push(FLAG);
        let mut cuts: Vec<_> = cuts.iter().map(|cut| cut.index(bytes.len())).collect();
        cuts.extend([0, bytes.len()]);
        cuts.sort_unstable();
        (bytes, options.clone(), cuts)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_split_gives_the_same_news((bytes, options, cuts) in damaged()) {
        let pieces = || cuts.windows(2).map(|pair| &bytes[pair[0]..pair[1]]);
        let whole = decode_file(&bytes, &options);
        let mut live = LiveDecoder::new(settings(&options, ALL));
        let log = follow(&mut live, pieces());
        compare("damaged", &log, &live, &whole);
        let mut few = LiveDecoder::new(settings(&options, 10));
        let again = follow(&mut few, pieces());
        prop_assert_eq!(&log.events, &again.events);
        prop_assert_eq!(live.stats(), few.stats());
    }
}
