//! Chrome trace events match the analysis, in complete and truncated documents.

use crate::common::{self, AnalyzedRecording, analyze};
use crate::hostile;
use proptest::prelude::*;
use rtoscope_analysis::schedule::{CoreSlices, RunningContext};
use rtoscope_export::chrome::ChromeWriter;
use rtoscope_trace::{ContextId, EventIndex};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

const TRACES: [&str; 7] = [
    "threadx/cm3_system.trx",
    "threadx/linux32_inv_nondet.trx",
    "threadx/linux32_isr.trx",
    "threadx/be64_s390x_wrap.trx",
    "rkh/nat_short.bin",
    "rkh/dmg_flip.bin",
    "rkh/allrec_wide.bin",
];

fn written(all: &[&AnalyzedRecording]) -> String {
    let mut writer = ChromeWriter::new(Vec::new()).unwrap();
    for opened in all {
        let mut reported = 0;
        writer
            .add_recording(opened, &mut |events| reported += events)
            .unwrap();
        assert_eq!(reported, opened.trace.events.len() as u64);
    }
    String::from_utf8(writer.finish().unwrap()).unwrap()
}

fn events(text: &str) -> Vec<Value> {
    let Ok(Value::Array(events)) = serde_json::from_str(text) else {
        panic!("no array of JSON");
    };
    events
}

fn has(event: &Value, category: &str) -> bool {
    let categories = event["cat"].as_str().unwrap();
    categories.split(',').any(|one| one == category)
}

/// A time of the document, from its digits.
fn nanoseconds(text: &Value) -> u64 {
    let microseconds = text.as_f64().unwrap();
    (microseconds * 1000.0).round() as u64
}

fn span(event: &Value) -> [u64; 2] {
    let start = nanoseconds(&event["ts"]);
    [start, start + nanoseconds(&event["dur"])]
}

fn track(event: &Value) -> (u64, u64) {
    let number = |key: &str| event[key].as_u64().unwrap();
    (number("pid"), number("tid"))
}

#[test]
fn all_events_are_there() {
    for name in TRACES {
        let opened = common::open(name);
        let trace = &opened.trace;
        let all = events(&written(&[&opened]));
        let exported: Vec<_> = all.iter().filter(|event| has(event, "event")).collect();
        assert_eq!(exported.len(), trace.events.len(), "{name}");
        for (event, exported) in trace.events.iter().zip(exported) {
            assert_eq!(exported["args"]["event"], event.index.0);
            assert_eq!(exported["name"], *trace.catalogue.name(event.kind));
        }
    }
}

#[test]
fn cpu_times_match_the_schedule() {
    for name in TRACES {
        let opened = common::open(name);
        let view = opened.view();
        let time = |ticks| view.trace.timescale().written_time(ticks);
        let mut expected: BTreeMap<ContextId, u64> = BTreeMap::new();
        for (slice, end) in view.schedule.cores.iter().flat_map(CoreSlices::iter) {
            if let RunningContext::Thread(thread) = slice.running.running_context() {
                *expected.entry(thread).or_default() += time(end) - time(slice.start);
            }
        }
        let mut exported: BTreeMap<_, u64> = BTreeMap::new();
        for event in events(&written(&[&opened])) {
            if has(&event, "running") {
                *exported.entry(track(&event)).or_default() += nanoseconds(&event["dur"]);
            }
        }
        // Tracks are in the order of the contexts.
        assert!(expected.into_values().eq(exported.into_values()), "{name}");
    }
}

#[test]
fn slices_nest_or_do_not_overlap() {
    for name in TRACES {
        let opened = common::open(name);
        let mut open: BTreeMap<_, Vec<u64>> = BTreeMap::new();
        let mut slices: Vec<_> = events(&written(&[&opened]));
        slices.retain(|event| event["ph"] == "X");
        slices.sort_by_key(|event| span(event)[0]);
        for event in &slices {
            let [start, end] = span(event);
            let ends = open.entry(track(event)).or_default();
            ends.retain(|outer| *outer > start);
            assert!(
                ends.last().is_none_or(|outer| end <= *outer),
                "{name}: {event}"
            );
            ends.push(end);
        }
    }
}

#[test]
fn gaps_of_several_cores_have_separate_tracks() {
    let opened = analyze("parted", hostile::parted());
    let mut gaps = events(&written(&[&opened]));
    gaps.retain(|event| event["ph"] == "X" && has(event, "gap"));
    let tracks: BTreeSet<_> = gaps.iter().map(track).collect();
    assert_eq!(tracks.len(), 3);
    let trace = &opened.trace;
    let time = |event: u32| {
        let ticks = trace.events.time(EventIndex(event)).unwrap();
        trace.timescale().written_time(ticks)
    };
    let expected = [[4, 10], [9, 15], [19, 20]].map(|gap| gap.map(time));
    assert!(gaps.iter().map(span).eq(expected));
}

#[test]
fn every_flow_starts_before_it_ends() {
    for name in TRACES {
        let opened = common::open(name);
        let view = opened.view();
        let all = events(&written(&[&opened]));
        let of = |phase: &str| {
            let flows = all.iter().filter(|event| event["ph"] == phase);
            let flows = flows.map(|event| (event["id"].as_u64().unwrap(), event));
            flows.collect::<BTreeMap<_, _>>()
        };
        let (starts, ends) = (of("s"), of("f"));
        assert!(starts.keys().eq(ends.keys()), "{name}");
        for (id, start) in &starts {
            let end = ends[id];
            assert_eq!((&start["name"], &start["cat"]), (&end["name"], &end["cat"]));
            assert!(nanoseconds(&start["ts"]) <= nanoseconds(&end["ts"]));
        }
        let posts = view.active.posts.iter().filter(|post| post.step.is_some());
        let taken = posts.filter(|post| {
            let step = view.active.steps.get(post.step.unwrap().index());
            step.is_some_and(|step| step.post.is_some())
        });
        // An event from an active object's queue has the arrow of its post.
        let messages = view.schedule.transfers.iter().filter(|transfer| {
            let resource = &view.schedule.resources[transfer.resource.index()];
            resource.owner.is_none()
        });
        let wake_ups = view.schedule.wake_ups();
        let wake_ups = wake_ups.filter(|wake_up| wake_up.running().is_some());
        let expected = wake_ups.count() + messages.count();
        assert_eq!(starts.len(), expected + taken.count(), "{name}");
    }
}

#[test]
fn wake_ups_lead_to_running() {
    for name in TRACES {
        let all = events(&written(&[&common::open(name)]));
        let states = all.iter().filter(|event| has(event, "state"));
        let mut begun: BTreeMap<_, Vec<&Value>> = BTreeMap::new();
        for state in states {
            let [start, _] = span(state);
            begun.entry((track(state), start)).or_default().push(state);
        }
        for end in all.iter().filter(|event| event["ph"] == "f") {
            if end["name"] == "wake-up" {
                let states = &begun[&(track(end), nanoseconds(&end["ts"]))];
                // Of slices with the same start, the shortest is the innermost.
                let innermost = states.iter().min_by_key(|state| span(state)[1]);
                assert_eq!(innermost.unwrap()["name"], "running", "{name}: {end}");
            }
        }
    }
}

#[test]
fn recordings_are_separate_processes() {
    let all = TRACES.map(common::open);
    let all = events(&written(&all.iter().collect::<Vec<_>>()));
    let of = |phase: &'static str| all.iter().filter(move |event| event["ph"] == phase);
    let names = of("M").filter(|event| event["name"] == "process_name");
    let names: Vec<_> = names.map(|event| event["args"]["name"].as_str()).collect();
    assert_eq!(names.len(), TRACES.len());
    let mut tracks: BTreeMap<u64, u64> = BTreeMap::new();
    for (process, number) in of("X").map(track) {
        assert_eq!(*tracks.entry(number).or_insert(process), process);
    }
    let ids: BTreeSet<_> = of("s").map(|event| event["id"].as_u64()).collect();
    assert_eq!(ids.len(), of("s").count());
}

#[test]
fn truncated_document_is_valid_up_to_the_cut() {
    let text = written(&[&common::open("threadx/cm3_short.trx")]);
    for end in (1..text.len()).step_by(text.len() / 40) {
        let cut = String::from_utf8_lossy(&text.as_bytes()[..end]).into_owned();
        let Some(whole) = cut.rfind("},\n") else {
            continue;
        };
        events(&format!("{}}}]", &cut[..whole]));
    }
}

#[test]
fn hostile_recordings_give_valid_json() {
    for opened in hostile::all() {
        let all = events(&written(&[&opened]));
        let process = all.iter().find(|event| event["name"] == "process_name");
        assert_eq!(process.unwrap()["args"]["name"], opened.info.name);
        for event in all.iter().filter(|event| event["ph"] == "X") {
            assert!(event["ts"].as_f64() < Some(9.3e15) && event["dur"].as_f64() >= Some(0.0));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
    #[test]
    fn any_name_round_trips(name: Vec<u8>) {
        let opened = analyze("any", hostile::renamed("threadx/cm3_short.trx", &name));
        let trace = &opened.trace;
        let thread = trace.contexts.threads().next().unwrap();
        let shown = trace.context_name(thread.id);
        let all = events(&written(&[&opened]));
        let found = all.iter().any(|event| {
            event["name"] == "thread_name" && event["args"]["name"] == shown
        });
        prop_assert!(found);
    }
}
