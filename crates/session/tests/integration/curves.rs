//! Graphs.

use crate::test_case::{TestCase, cases, edges};
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::schedule::{CoreSlices, RunningContext};
use rtoscope_trace::ResourceId;
use serde_json::{Value, json};

const WIDTHS: [u32; 7] = [640, 1, 100, 33, 8192, 5, 12];

/// Minimum and maximum of a graph in a pixel, read at its middle, because JSON numbers
/// may lose their last bits.
fn in_pixel(curve: &Value, pixel: &[f64]) -> Option<[f64; 2]> {
    value(curve, pixel[0] + (pixel[1] - pixel[0]) / 2.0)
}

/// Minimum and maximum of a graph at a position.
fn value(curve: &Value, at: f64) -> Option<[f64; 2]> {
    let starts = curve["positions"].as_array().unwrap();
    let before = starts
        .iter()
        .rposition(|start| start.as_f64().unwrap() <= at)?;
    let [low, high] = ["min", "max"].map(|part| curve[part][before].as_f64());
    Some([low?, high?])
}

fn check_shape(curve: &Value, [from, to]: [f64; 2]) {
    let at = curve["positions"].as_array().unwrap();
    let at: Vec<_> = at.iter().map(|at| at.as_f64().unwrap()).collect();
    assert!(at.is_sorted_by(|one, other| one < other));
    let little = 1e-9 * (to - from);
    assert!(
        at.iter()
            .all(|at| from - little <= *at && *at <= to + little)
    );
    for part in ["min", "max"] {
        assert_eq!(curve[part].as_array().unwrap().len(), at.len());
    }
}

/// The time at a position of an axis.
fn time(case: &TestCase, axis: &str, at: f64) -> f64 {
    if axis == "time" {
        return at;
    }
    let last = case.events() - 1;
    let at = (at - 0.5).clamp(0.0, f64::from(last));
    let (one, part) = (at.floor() as u32, at.fract());
    let [one, next] = [one, (one + 1).min(last)].map(|event| case.time(event) as f64);
    one + part * (next - one)
}

/// Ticks between two times in which a core runs what is wanted.
fn ticks(slices: &CoreSlices, from: f64, to: f64, wanted: impl Fn(RunningContext) -> bool) -> f64 {
    let slices = slices
        .iter()
        .filter(|(slice, _)| wanted(slice.running.running_context()));
    let part = |start: u64, end: u64| (to.min(end as f64) - from.max(start as f64)).max(0.0);
    slices.map(|(slice, end)| part(slice.start.0, end.0)).sum()
}

#[test]
fn load_matches_the_slices() {
    let mut checked = 0;
    for case in cases() {
        let mut choices: Vec<_> = case.trace.cores.iter().copied().map(Some).collect();
        choices.push(None);
        for core in choices {
            for axis in ["time", "index"] {
                for (window, width) in case.windows(axis).into_iter().zip(WIDTHS) {
                    let curve = case.query(json!({
                        "query": "graph",
                        "source": {"kind": "load", "core": core},
                        "window": {"axis": axis, "start": window[0], "end": window[1]},
                        "width": width,
                    }));
                    check_shape(&curve, window);
                    assert_eq!(curve["limit"], 100.0);
                    // Some of the pixels are enough.
                    let edges = edges(window, width);
                    let every = edges.len() / 60 + 1;
                    for pixel in edges.windows(2).step_by(every) {
                        let shown = in_pixel(&curve, pixel);
                        let [first, last] = [pixel[0].max(0.0), pixel[1].min(case.end(axis))];
                        if first >= last {
                            assert_eq!(shown, None);
                            continue;
                        }
                        let [start, end] = [first, last].map(|at| time(&case, axis, at));
                        if end - start < 1e-3 {
                            continue;
                        }
                        let cores = case.schedule.cores.iter();
                        let cores: Vec<_> = cores
                            .filter(|slices| core.is_none_or(|core| core == slices.core))
                            .collect();
                        let sum = |wanted: fn(RunningContext) -> bool| {
                            let parts = cores.iter().map(|one| ticks(one, start, end, wanted));
                            parts.sum::<f64>()
                        };
                        let known = sum(|who| who != RunningContext::Unknown);
                        let busy = sum(|who| {
                            !matches!(
                                who,
                                RunningContext::Idle
                                    | RunningContext::Initialize
                                    | RunningContext::Unknown
                            )
                        });
                        let whole = (end - start) * cores.len() as f64;
                        match shown {
                            Some([low, high]) => {
                                let expected = 100.0 * busy / whole;
                                assert_eq!(low, high);
                                assert!(
                                    (low - expected).abs() < 0.01,
                                    "{} {low} {expected}",
                                    case.name
                                );
                                checked += 1;
                            }
                            None => assert!(known < 1e-6 * whole, "{} {known}", case.name),
                        }
                    }
                }
            }
        }
    }
    assert!(checked > 5000, "{checked}");
}

#[test]
fn level_graphs_match_the_history() {
    let (mut pixels, mut exactly) = (0, 0);
    for case in cases() {
        let trace = &case.trace;
        let recording = AnalyzedRecording::new(&case.name, "", trace.clone(), &case.origin);
        let levels = recording.whole.levels.iter();
        let known = levels.filter(|usage| usage.level.first().is_some());
        for usage in known.take(5) {
            let resource = ResourceId(usage.resource.0);
            let history = recording.level_histories.get(resource).unwrap();
            for axis in ["time", "index"] {
                // Start and end of each level.
                let start = |step: &rtoscope_analysis::levels::LevelStep| match axis {
                    "time" => step.start.0 as f64,
                    _ if case.time(step.event.0) == step.start.0 => f64::from(step.event.0) + 0.5,
                    _ => {
                        let after = trace.events.times();
                        let after = after.filter(|time| *time <= step.start);
                        after.count() as f64 - 0.5
                    }
                };
                let steps: Vec<_> = history.iter().collect();
                let mut starts: Vec<_> = steps.iter().map(start).collect();
                starts.push(case.end(axis));
                let windows = case.windows(axis).into_iter().zip(WIDTHS);
                // Few pixels have many levels each.
                let few = [3, 17, 40].map(|width| (case.windows(axis)[0], width));
                for (window, width) in windows.chain(few) {
                    let query = |width: u32| {
                        json!({
                            "query": "graph",
                            "source": {"kind": "level", "resource": resource.0},
                            "window": {"axis": axis, "start": window[0], "end": window[1]},
                            "width": width,
                        })
                    };
                    let curve = case.query(query(width));
                    check_shape(&curve, window);
                    assert_eq!(
                        curve["limit"].as_f64(),
                        usage.capacity.map(|most| most as f64)
                    );
                    let exact = starts[..steps.len()]
                        .iter()
                        .filter(|at| window[0] <= **at && **at < window[1]);
                    let exact = exact.count() <= width as usize;
                    let edges = edges(window, width);
                    let every = edges.len() / 300 + 1;
                    for pixel in edges.windows(2).step_by(every) {
                        if pixel[0] >= case.end(axis) || exact {
                            continue;
                        }
                        let inside = (0..steps.len()).filter(|at| {
                            let (start, end) = (starts[*at], starts[at + 1]);
                            start < pixel[1] && (end > pixel[0] || start >= pixel[0])
                        });
                        let inside: Vec<_> = inside.filter_map(|at| steps[at].level).collect();
                        let bounds = inside.iter().min().zip(inside.iter().max());
                        let bounds =
                            bounds.map(|(low, high)| [low, high].map(|one| f64::from(*one)));
                        let shown = in_pixel(&curve, &[pixel[0], pixel[1].min(case.end(axis))]);
                        assert_eq!(shown, bounds, "{} {axis} {pixel:?}", case.name);
                        pixels += 1;
                    }
                    if exact {
                        // Every level with a duration appears unchanged.
                        for at in 0..steps.len() {
                            let (start, end) =
                                (starts[at].max(window[0]), starts[at + 1].min(window[1]));
                            let middle = start + (end - start) / 2.0;
                            if start < end && start < middle && middle < end {
                                let level = steps[at].level.map(f64::from);
                                let shown = value(&curve, middle);
                                // Levels without a duration are merged with the next.
                                let fits = match (shown, level) {
                                    (Some([low, high]), Some(level)) => {
                                        low <= level && level <= high
                                    }
                                    (shown, level) => {
                                        shown.is_none() == level.is_none()
                                            || steps[at].level.is_none()
                                    }
                                };
                                assert!(fits, "{} {axis} {middle} {shown:?} {level:?}", case.name);
                                exactly += 1;
                            }
                        }
                        if window[1] > case.end(axis) {
                            assert_eq!(value(&curve, window[1]), None);
                        }
                    }
                }
            }
        }
    }
    assert!(pixels > 500 && exactly > 1000, "{pixels} {exactly}");
}
