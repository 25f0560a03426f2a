//! Chrome trace events match the analysis, in complete and truncated documents.

use crate::common::{self, AnalyzedRecording, analyze};
use crate::hostile;
use proptest::prelude::*;
use rtoscope_export::chrome::ChromeWriter;
use rtoscope_trace::EventIndex;
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
