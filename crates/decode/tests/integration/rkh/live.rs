//! Streams decoded live, against the same streams decoded as files.

use super::streams;
use proptest::prelude::*;
use rtoscope_decode::live::{HostTime, LiveDecoder, LiveOptions};
use rtoscope_decode::rkh::{self, StreamLosses, WireArgument};
use rtoscope_decode::{DecodeOptions, DecodedRecording};
use rtoscope_trace::{ContextId, Trace};
use rtoscope_wire::rkh::frame::FLAG;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::LazyLock;

/// More events than any of the streams has.
pub(super) const ALL: u64 = 1 << 40;

pub(super) fn settings(options: &rkh::RkhOptions, max_events: u64) -> LiveOptions {
    LiveOptions {
        options: DecodeOptions {
            rkh: options.clone(),
            ..DecodeOptions::default()
        },
        format: Some(rtoscope_decode::rkh::FORMAT),
        max_events,
    }
}

/// The contents of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct EventView {
    pub(super) number: u64,
    pub(super) time: u64,
    /// The record and the running context, without names.
    pub(super) record: String,
    /// The names of its objects. A reader of only the start of a stream lacks
    /// later names.
    pub(super) names: BTreeSet<String>,
    context_name: String,
}

impl EventView {
    /// Everything except names.
    pub(super) fn without_names(&self) -> (u64, u64, &str) {
        (self.number, self.time, &self.record)
    }
}

pub(super) fn event_views(trace: &Trace, stream: &rkh::StreamInfo) -> Vec<EventView> {
    let mut object_names = BTreeMap::<u64, Vec<String>>::new();
    for object in trace.objects.iter().filter(|it| !it.deleted) {
        let names = object_names.entry(object.address.0).or_default();
        names.push(format!("{} {}", object.class, object.name));
    }
    let views = trace.events.iter().map(|event| {
        let index = event.index;
        let mut record = format!(
            "{:?} {:?} {:?} {} {} in {:?}",
            stream.offset(index),
            stream.sequence(index),
            stream.timestamp(trace, index),
            event.kind,
            context_text(trace, event.context),
            event.interrupted().map(|it| context_text(trace, it))
        );
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
            names,
            context_name: trace.context_name(event.context),
        }
    });
    views.collect()
}

fn context_text(trace: &Trace, context: ContextId) -> String {
    let context = trace.contexts.get(context);
    context.map_or_else(String::new, |it| format!("{:?} {}", it.kind, it.address))
}

/// The numbers of the events after gaps, and how many are missing there.
fn gaps(trace: &Trace) -> Vec<(u64, Option<u64>)> {
    let gaps = trace.gaps.iter();
    gaps.map(|gap| {
        let number = trace.origin.event + u64::from(gap.next_event.0);
        (number, gap.missing)
    })
    .collect()
}

pub(super) fn stream(recording: &DecodedRecording) -> &rkh::StreamInfo {
    recording.format_info.get().unwrap()
}

type Sample = (String, Vec<u8>, rkh::RkhOptions);

/// Streams with a known configuration and a flag at their end: live data is not
/// known to be complete before that.
pub(super) fn sample_streams() -> &'static [Sample] {
    static ALL: LazyLock<Vec<Sample>> = LazyLock::new(|| {
        let known = streams::all().into_iter();
        let known = known.filter(|known| known.decoder().is_some());
        let known = known.map(|known| {
            let bytes = [&known.bytes()[..], &[FLAG]].concat();
            (known.name.clone(), bytes, known.options())
        });
        known.collect()
    });
    &ALL
}

/// The events of all updates; of repeated events the last counts.
pub(super) fn follow<'a>(
    live: &mut LiveDecoder,
    pieces: impl Iterator<Item = &'a [u8]>,
) -> Vec<EventView> {
    let mut events: Vec<EventView> = Vec::new();
    for piece in pieces {
        live.push(piece, HostTime::default());
        if let Some(news) = live.next_update().unwrap() {
            let new = event_views(&news.recording.trace, stream(&news.recording));
            if let (true, Some(last), Some(again)) = (news.overlaps, events.pop(), new.first()) {
                assert_eq!((last.number, last.time), (again.number, again.time));
            }
            events.extend(new);
        }
    }
    events
}

/// A finished live stream is all that the file is.
fn compare_finished<'a>(
    name: &str,
    bytes: &[u8],
    pieces: impl Iterator<Item = &'a [u8]>,
    options: &rkh::RkhOptions,
) {
    let mut live = LiveDecoder::new(settings(options, u64::MAX));
    pieces.for_each(|piece| live.push(piece, HostTime::default()));
    live.connection_lost();
    let expected = rkh::read(bytes, options);
    let Some(found) = live.next_update().ok().flatten() else {
        assert_eq!(expected.trace.events.len(), 0, "{name}");
        return;
    };
    let found = found.recording;
    assert_eq!(found.trace, expected.trace, "{name}");
    assert_eq!(stream(&found), &expected.stream_info, "{name}");
}

#[test]
fn noise_behind_the_last_event_counts() {
    let known = streams::find("nat_short").unwrap();
    let (bytes, options) = (known.bytes(), known.options());
    let events = rkh::read(&bytes, &options).trace.events.len();
    let noise: Vec<u8> = (1..=7).chain([FLAG]).collect();
    // More than is retained of a page, and than is retained at all; and after
    // enough events that a page has just been sealed.
    for start in [&bytes, &bytes.repeat(4096_usize.div_ceil(events))] {
        for frames in [1, 300, 3 * StreamLosses::MAX_PROBLEMS] {
            let after = [&start[..], &[FLAG], &noise.repeat(frames)].concat();
            let between = [&after[..], &start[..]].concat();
            for bytes in [after, between] {
                compare_finished("noise", &bytes, bytes.chunks(1 << 18), &options);
            }
        }
    }
}

#[test]
fn a_window_is_the_end_of_the_whole() {
    for (name, bytes, options) in sample_streams() {
        let whole = rkh::read(bytes, options);
        let expected = event_views(&whole.trace, &whole.stream_info);
        for most in [1, 100, ALL] {
            let mut live = LiveDecoder::new(settings(options, most));
            let received = follow(&mut live, bytes.chunks(bytes.len() / 4 + 1));
            for (found, expected) in received.iter().zip(&expected) {
                assert_eq!(found.without_names(), expected.without_names(), "{name}");
            }
            let Some(window) = live.window(most.min(300)) else {
                assert_eq!(live.stats().events, 0, "{name}");
                continue;
            };
            let window = window.decode().unwrap();
            let found = event_views(&window.trace, stream(&window));
            let end = live.stats().events;
            assert!(found.len() as u64 >= 300.min(end).min(most), "{name}");
            let start = end as usize - found.len();
            assert_eq!(found, expected[start..end as usize], "{name}");
            let mut expected = gaps(&whole.trace);
            expected.retain(|(number, _)| (start as u64 + 1..end).contains(number));
            assert_eq!(gaps(&window.trace), expected, "{name}");
        }
    }
}

#[test]
fn reading_resumes_at_any_checkpoint() {
    for (name, bytes, options) in sample_streams() {
        let mut live = LiveDecoder::new(settings(options, ALL));
        let expected = follow(&mut live, bytes.chunks(700));
        let whole = live.window(ALL).map(|window| window.decode().unwrap());
        let whole = whole.map_or_else(Vec::new, |it| event_views(&it.trace, stream(&it)));
        for event in (0..expected.len() as u64).step_by(expected.len() / 3 + 1) {
            // There is none before the last event of the first update.
            let Some(checkpoint) = live.checkpoint_before(event) else {
                continue;
            };
            let mut again = LiveDecoder::resume(settings(options, ALL), checkpoint);
            let rest = &bytes[checkpoint.offset() as usize..];
            let events = follow(&mut again, rest.chunks(1000));
            let from = checkpoint.event as usize;
            assert_eq!(events.len(), expected.len() - from, "{name}");
            for (found, expected) in events.iter().zip(&expected[from..]) {
                let found = found.without_names();
                assert_eq!(found, expected.without_names(), "{name} from {from}");
            }
            let window = again.window(ALL).unwrap().decode().unwrap();
            let found = event_views(&window.trace, stream(&window));
            assert_eq!(found, whole[from..], "{name}");
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
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_split_gives_the_same_events(
        (bytes, options, cuts) in damaged(),
        end in any::<prop::sample::Index>(),
    ) {
        let pieces = || cuts.windows(2).map(|pair| &bytes[pair[0]..pair[1]]);
        let mut live = LiveDecoder::new(settings(&options, ALL));
        let received = follow(&mut live, pieces());
        let mut few = LiveDecoder::new(settings(&options, 10));
        prop_assert_eq!(received, follow(&mut few, pieces()));
        prop_assert_eq!(live.stats(), few.stats());
        compare_finished("damaged", &bytes, pieces(), &options);
        let bytes = &bytes[..1 + end.index(bytes.len())];
        compare_finished("damaged and cut", bytes, bytes.chunks(1 << 18), &options);
    }
}
