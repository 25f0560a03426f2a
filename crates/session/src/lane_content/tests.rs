//! Compares lanes with a linear walk through the schedule.

use crate::lanes::BarClass;
use crate::lanes::bars::{LaneBars, lane_bars};

use crate::axis::Pixels;
use crate::lanes::inversions::{InversionIndex, InversionsInWindow};
use crate::lanes::per_axis::PerAxis;
use crate::lanes::prefix_sums::PrefixSums;
use crate::lanes::track::Track;
use crate::query::{Axis, Window};
use crate::response::LaneKind;
use crate::session::Session;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::schedule::{CoreSlices, Running, ThreadState};
use rtoscope_analysis::timing::TimingDeclarations;
use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, DecodeOptions, DecodedRecording, UnpackedInput};
use rtoscope_fixtures::read_testdata;
use rtoscope_generate::{ThreadXOptions, cswitch, write};
use rtoscope_trace::text_log::TextLogOptions;
use rtoscope_trace::{ContextId, EventIndex, Frequency, TextLog};

fn generated(settings: &ThreadXOptions) -> Session {
    let mut bytes = Vec::new();
    write(settings, &mut bytes, &mut |_| ()).unwrap();
    Session::open("generated", &bytes, &DecodeOptions::default()).unwrap()
}

fn test_sessions() -> Vec<Session> {
    let mut sessions: Vec<Session> = [
        "threadx/cm3_system.trx",
        "threadx/smp32_cores.trx",
        "threadx/linux32_isr.trx",
        "threadx/linux32_inv_nondet.trx",
        "threadx/linux32_slow16.trx",
        "threadx/be64_s390x_wrap.trx",
        "rkh/nat_short.bin",
        "rkh/ahsm_all.bin",
    ]
    .iter()
    .map(|name| {
        let bytes = read_testdata(name);
        Session::open(*name, &bytes, &DecodeOptions::default()).unwrap()
    })
    .collect();
    let plain = ThreadXOptions {
        events: 6_000,
        threads: 4,
        ..ThreadXOptions::default()
    };
    sessions.push(generated(&plain));
    let active = read_testdata("rkh/nat_short.bin");
    let lossy = [&active[..5_000], &active[5_400..]].concat();
    sessions.push(Session::open("lossy", &lossy, &DecodeOptions::default()).unwrap());
    let several_cores = ThreadXOptions { cores: 3, ..plain };
    sessions.push(generated(&several_cores));
    sessions
}

/// A log whose threads mark spans.
fn marked_log() -> Session {
    let settings = cswitch::CswitchOptions {
        entries: 6_000,
        markers: true,
        ..cswitch::CswitchOptions::default()
    };
    let mut bytes = Vec::new();
    cswitch::write(&settings, &mut bytes, &mut |_| ()).unwrap();
    Session::open("marked", &bytes, &DecodeOptions::default()).unwrap()
}

#[test]
fn markers_have_lanes() {
    let session = marked_log();
    let markers: Vec<_> = session
        .lanes
        .all
        .iter()
        .filter(|lane| matches!(lane.kind, LaneKind::Marker { .. }))
        .map(|lane| {
            (
                session.lane_name(lane.kind),
                lane.busy_time > 0,
                lane.events > 0,
            )
        })
        .collect();
    assert_eq!(markers.len(), 2);
    assert!(markers.contains(&("job".to_owned(), true, true)));
    assert!(markers.contains(&("checkpoint".to_owned(), false, true)));
}

/// A text log of the first two frames, in ticks of the camera's recording.
const TEXT_LOG: &str = "0005769e i frame 1\nhardware ok\n00077c0e w frame 1 shown\n";

/// The camera's recording with its declared pipeline, and a text log.
fn pipeline() -> Session {
    let image = rtoscope_fixtures::read_testdata("firmware/camera/memory.bin.gz");
    let input = Input::new(&image);
    let mut options = DecodeOptions::default();
    options.threadx.clock.frequency = Frequency::from_hertz(25_000_000);
    let input = UnpackedInput::open(input, BufferChoice::First, None).unwrap();
    let DecodedRecording { trace, format_info } = input.decode(&options).unwrap();
    let mut recording = AnalyzedRecording::new("camera", "", trace, &format_info);
    let timing = rtoscope_fixtures::read_testdata("firmware/camera/messages.toml");
    let timing = TimingDeclarations::parse(std::str::from_utf8(&timing).unwrap()).unwrap();
    recording.apply_timing(&timing).unwrap();
    let options = TextLogOptions {
        format: Some("{ticks:x} {level} {text}".parse().unwrap()),
        ..TextLogOptions::default()
    };
    let log = TextLog::read(
        "console.txt",
        TEXT_LOG.as_bytes(),
        &options,
        &recording.trace,
    );
    recording.text_logs.push(log.unwrap());
    Session::from_analyzed(recording, format_info)
}

#[test]
fn a_wait_in_an_inversion_names_the_owner_and_who_prolongs_it() {
    let bytes = read_testdata("threadx/cm3_system.trx");
    let session = Session::open("system", &bytes, &DecodeOptions::default()).unwrap();
    let lanes = &session.lanes.all;
    let alarm = lanes
        .iter()
        .position(|lane| session.lane_name(lane.kind) == "alarm")
        .unwrap();
    let inversions = &session.recording.schedule.inversions;
    let longest = inversions.iter().max_by_key(|it| it.end.0 - it.start.0);
    let start = longest.unwrap().start.0;
    let probes = session.probe(Axis::Time, start as f64, &[alarm as u32]);
    assert_eq!(
        probes.unwrap()[0].text,
        "blocked on mutex spi (plain), held by ui, prolonged by logger"
    );
    let window = Window {
        axis: Axis::Time,
        start: start as f64,
        end: (start + 1000) as f64,
    };
    let answer = session.encode_lanes(&window, 100, &[alarm as u32], None);
    let text = b"mutex spi (plain)";
    let answer = answer.unwrap();
    assert!(answer.windows(text.len()).any(|part| part == text));
}

#[test]
fn stages_show_their_items_and_why_they_are_late() {
    let session = pipeline();
    let lanes = session.lanes.all.iter().zip(0..);
    let stages = lanes.filter(|(lane, _)| matches!(lane.kind, LaneKind::PipelineStage { .. }));
    let stages: Vec<_> = stages.collect();
    let names: Vec<_> = stages
        .iter()
        .map(|(lane, _)| session.lane_name(lane.kind))
        .collect();
    let expected = ["ISR 24", "decoder", "filter", "display"];
    assert_eq!(names, expected.map(|stage| format!("video: {stage}")));
    let pipeline = &session.recording.pipelines[0];
    let text_at = |stage: usize, time: u64| {
        let numbers = [stages[stage].1];
        let probes = session.probe(Axis::Time, time as f64, &numbers).unwrap();
        probes
            .first()
            .map(|probe| (BarClass(probe.class), probe.text.clone()))
    };
    // Frame 14, which `network` delays in the decoder, and frame 15, which waits for it.
    let visit = |item: usize, stage| *pipeline.visit(item - 1, stage).unwrap();
    let taken = visit(14, 1).received.unwrap().time.0;
    let (class, text) = text_at(1, taken + 1).unwrap();
    assert_eq!(class, BarClass::LATE_ITEM);
    assert!(
        text.starts_with("item 14, late in decoder: preempted by network for 21."),
        "{text}"
    );
    let probes = session.probe(Axis::Time, (taken + 1) as f64, &[stages[1].1]);
    let path = &probes.unwrap()[0].path;
    let lanes: Vec<_> = path.iter().map(|visit| visit.lane).collect();
    assert_eq!(
        lanes,
        stages.iter().map(|(_, lane)| *lane).collect::<Vec<_>>()
    );
    assert_eq!(path[1].received.unwrap().time, taken);
    assert_eq!(
        path[1].left.unwrap().event,
        u64::from(visit(14, 1).left.unwrap().event.0)
    );
    assert_eq!(path[2].arrived, path[1].left.unwrap());
    let (class, text) = text_at(1, visit(15, 1).arrived.time.0 + 1).unwrap();
    assert_eq!(class, BarClass::LATE_ITEM, "{text}");
    let (class, text) = text_at(2, visit(1, 2).received.unwrap().time.0 + 1).unwrap();
    assert_eq!((class, &*text), (BarClass::ITEM, "item 1, completed"));
    assert_eq!(text_at(2, visit(1, 2).left.unwrap().time.0 + 1), None);
    // The bar has the number first.
    let [taken, left] = [visit(1, 2).received.unwrap(), visit(1, 2).left.unwrap()];
    let window = Window {
        axis: Axis::Time,
        start: taken.time.0 as f64,
        end: left.time.0 as f64,
    };
    let pixels = Pixels::new(&window, 500);
    let lane = stages[2].0;
    let LaneBars::Listed(bars) = session.content_bars(lane, &pixels) else {
        panic!("few bars are listed");
    };
    let label = session.bar_label(lane.kind, &bars[0]);
    assert_eq!(label.as_deref(), Some("1, completed"));
}

#[test]
fn text_logs_show_the_last_line() {
    let session = pipeline();
    let lanes = session.lanes.all.iter().zip(0..);
    let mut logs = lanes.filter(|(lane, _)| matches!(lane.kind, LaneKind::TextLog { .. }));
    let (lane, number) = logs.next().unwrap();
    assert_eq!(session.lane_name(lane.kind), "console.txt");
    let first = session
        .recording
        .trace
        .events
        .timestamp(EventIndex(0))
        .unwrap();
    let probe_at = |stamp: u64| {
        let at = stamp.saturating_sub(first) as f64;
        let probes = session.probe(Axis::Time, at, &[number]).unwrap();
        probes
            .first()
            .map(|probe| (BarClass(probe.class), probe.text.clone()))
    };
    assert_eq!(probe_at(0x5769d), None);
    // A line without a stamp has the time of the one before.
    let expected = (BarClass::LOG_LINE, "line 2: hardware ok".to_owned());
    assert_eq!(probe_at(0x5769e), Some(expected));
    let expected = (
        BarClass::LOG_WARNING,
        "line 3 warning: frame 1 shown".to_owned(),
    );
    assert_eq!(probe_at(0x80000), Some(expected));
}

/// Windows of each axis: the whole trace, parts, beyond the ends, and tiny ones.
fn test_windows(session: &Session) -> Vec<Pixels> {
    let mut windows = Vec::new();
    for axis in [Axis::Time, Axis::Index] {
        let end = session.axis_end(axis) as f64;
        let parts = [
            (0.0, 1.0),
            (-0.1, 1.1),
            (0.3, 0.7),
            (0.501, 0.502),
            (0.9, 2.0),
            (0.123_456, 0.123_457),
            (1.5, 2.0),
            (-2.0, -1.0),
        ];
        for (from, to) in parts {
            for width in [1, 7, 250] {
                let window = Window {
                    axis,
                    start: from * end,
                    end: to * end + 1e-6,
                };
                windows.push(Pixels::new(&window, width));
            }
        }
    }
    windows
}

/// Start, end and class of every step.
fn walk_steps(track: &impl Track, axis: Axis, end: u64) -> Vec<(f64, f64, BarClass)> {
    let steps = (0..track.len()).map(|step| {
        (
            track.position(axis, step),
            track.end_position(axis, step, end),
            track.visible_class(track.class(step)),
        )
    });
    steps
        .map(|(start, end, class)| {
            assert!(start <= end, "steps rise");
            (start as f64, end as f64, class)
        })
        .collect()
}

fn check(session: &Session, sums: &PerAxis<PrefixSums>, track: &impl Track, has_isr_layer: bool) {
    for axis in [Axis::Time, Axis::Index] {
        let end = session.axis_end(axis);
        let all = walk_steps(track, axis, end);
        assert!(all.first().is_none_or(|(start, ..)| *start == 0.0));
        for pixels in test_windows(session)
            .iter()
            .filter(|pixels| pixels.axis == axis)
        {
            for most in [0, usize::MAX] {
                match lane_bars(track, sums, pixels, end, most, has_isr_layer) {
                    LaneBars::Listed(bars) => {
                        let inside = all.iter().filter(|(start, end, class)| {
                            let reaches = *start <= pixels.end && *end > pixels.start;
                            reaches && start < end && *class != BarClass::NOTHING
                        });
                        let inside: Vec<_> = inside
                            .map(|(start, end, class)| {
                                let start = pixels.x(start.max(pixels.start));
                                (start, pixels.x(end.min(pixels.end)), *class)
                            })
                            .filter(|(start, end, _)| start < end)
                            .collect();
                        let found = bars.iter().filter(|bar| bar.start < bar.end);
                        let found: Vec<_> =
                            found.map(|bar| (bar.start, bar.end, bar.class)).collect();
                        assert_eq!(found, inside);
                    }
                    LaneBars::Binned { class, busy, isr } => {
                        check_binned(&all, pixels, &class, &busy, isr.as_deref());
                    }
                }
            }
        }
    }
}

fn check_binned(
    all: &[(f64, f64, BarClass)],
    pixels: &Pixels,
    class: &[u8],
    busy: &[u8],
    isr: Option<&[u8]>,
) {
    for pixel in 0..pixels.width {
        let (from, to) = (pixels.edge(pixel), pixels.edge(pixel + 1));
        let mut lengths = [0.0; BarClass::COUNT];
        let first = all.partition_point(|(_, end, _)| *end <= from);
        let inside = all[first..].iter().take_while(|(start, ..)| *start < to);
        for (start, end, class) in inside {
            lengths[usize::from(class.0)] += (end.min(to) - start.max(from)).max(0.0);
        }
        let whole: f64 = lengths.iter().sum();
        let most = lengths.iter().copied().fold(0.0, f64::max);
        let tolerance = 1e-6 * whole.max(1e-3);
        let shown = lengths[usize::from(class[pixel])];
        assert!(shown >= most - tolerance, "{shown} {most}");
        let share = |counts: &dyn Fn(BarClass) -> bool| {
            let classes = (0..).map(BarClass).zip(lengths);
            let sum: f64 = classes
                .filter(|(class, _)| counts(*class))
                .map(|(_, it)| it)
                .sum();
            if whole > 0.0 {
                sum / whole * 255.0
            } else {
                0.0
            }
        };
        assert!((share(&BarClass::is_busy) - f64::from(busy[pixel])).abs() <= 1.0);
        if let Some(isr) = isr {
            assert!((share(&BarClass::is_isr) - f64::from(isr[pixel])).abs() <= 1.0);
        }
    }
}

#[test]
fn bars_match_a_linear_walk() {
    let others = [marked_log(), pipeline()];
    for session in test_sessions().into_iter().chain(others) {
        for lane in &session.lanes.all {
            match lane.kind {
                LaneKind::Thread { context } => {
                    check(&session, &lane.sums, &session.thread_track(context), false);
                }
                of => {
                    if let Some(track) = session.step_track(of) {
                        check(&session, &lane.sums, track, false);
                        continue;
                    }
                    let Some((place, part)) = session.core_filter(of) else {
                        assert!(of == LaneKind::Summary && session.recording.trace.cores.len() > 1);
                        continue;
                    };
                    let track = session.core_track(place, part).unwrap();
                    check(&session, &session.lanes.core_sums[place], &track, true);
                }
            }
        }
    }
}

#[test]
fn lane_totals_add_up() {
    for session in test_sessions() {
        let time = |wanted: &dyn Fn(LaneKind) -> bool| -> u64 {
            let lanes = session.lanes.all.iter().filter(|lane| wanted(lane.kind));
            lanes.map(|lane| lane.busy_time).sum()
        };
        let threads = time(&|of| matches!(of, LaneKind::Thread { .. }));
        let isrs = time(&|of| matches!(of, LaneKind::Isr { .. }));
        assert_eq!(isrs, time(&|of| matches!(of, LaneKind::Interrupt { .. })));
        assert_eq!(threads + isrs, time(&|of| of == LaneKind::Summary));
        let events = |wanted: &dyn Fn(LaneKind) -> bool| -> u32 {
            let lanes = session.lanes.all.iter().filter(|lane| wanted(lane.kind));
            lanes.map(|lane| lane.events).sum()
        };
        let rows = events(&|of| {
            matches!(
                of,
                LaneKind::Thread { .. }
                    | LaneKind::Interrupt { .. }
                    | LaneKind::InitializeIdle { .. }
            )
        });
        assert_eq!(rows, session.recording.trace.events.len() as u32);
        for lane in &session.lanes.all {
            if let LaneKind::Isr { .. } = lane.kind {
                let track = session.step_track(lane.kind).unwrap();
                assert_eq!(track.events.len() as u32, lane.events);
                let mut executed = 0;
                for step in 0..track.len() {
                    if track.class(step) == BarClass::RUNNING {
                        executed += track.time(step + 1) - track.time(step);
                    }
                }
                assert_eq!(executed, lane.busy_time);
            }
        }
    }
}

#[test]
fn a_thread_is_interrupted_while_an_interrupt_has_its_core() {
    let mut interrupted = 0.0;
    for session in test_sessions() {
        let schedule = &session.recording.schedule;
        let end = session.axis_end(Axis::Time);
        for thread in session.recording.trace.contexts.threads() {
            let own = Running::context(thread.id);
            let slices = schedule.cores.iter().flat_map(CoreSlices::iter);
            let slices: Vec<_> = slices.filter(|(slice, _)| slice.running == own).collect();
            // A thread that suspends itself runs on until the switch.
            let states = session.thread_states(thread.id);
            let states = walk_steps(&states, Axis::Time, end);
            let expected = states
                .iter()
                .filter(|(.., class)| *class == BarClass::RUNNING);
            let expected: f64 = expected
                .flat_map(|(from, to, _)| {
                    slices.iter().map(move |(slice, end)| {
                        to.min(end.0 as f64) - from.max(slice.start.0 as f64)
                    })
                })
                .map(|ticks| ticks.max(0.0))
                .sum();
            let steps = walk_steps(&session.thread_track(thread.id.0), Axis::Time, end);
            let length = |wanted: BarClass, steps: &[(f64, f64, BarClass)]| -> f64 {
                let steps = steps.iter().filter(|(.., class)| *class == wanted);
                steps.map(|(start, end, _)| end - start).sum()
            };
            let running = length(BarClass::RUNNING, &steps);
            let other = length(BarClass::INTERRUPTED, &steps);
            assert_eq!(running, expected);
            assert_eq!(running + other, length(BarClass::RUNNING, &states));
            interrupted += other;
        }
    }
    assert!(interrupted > 0.0);
}

#[test]
fn an_interrupted_thread_names_the_routine() {
    let bytes = read_testdata("systemview/cm3_nested.bin");
    let session = Session::open("nested", &bytes, &DecodeOptions::default()).unwrap();
    let routine = session.recording.schedule.activations.iter().find(|one| {
        let states = session.recording.schedule.thread_states(one.interrupted);
        let begun = states.partition_point(|state| state.start <= one.start);
        let state = begun.checked_sub(1).and_then(|at| states.get(at));
        one.depth == 1 && state.is_some_and(|it| it.state == ThreadState::Running)
    });
    let routine = routine.unwrap();
    let of = LaneKind::Thread {
        context: routine.interrupted.0,
    };
    let lanes = &session.lanes.all;
    let lane = lanes.iter().position(|lane| lane.kind == of).unwrap() as u32;
    let text_at = |time: u64| {
        let probes = session.probe(Axis::Time, time as f64, &[lane]).unwrap();
        probes[0].text.clone()
    };
    let name = session.isr_name(routine.number);
    assert_eq!(text_at(routine.start.0), format!("interrupted by {name}"));
    assert_eq!(text_at(routine.start.0 - 1), "running");
}

#[test]
fn every_inversion_has_a_mark_or_a_share() {
    let mut dense = 0;
    for session in test_sessions() {
        let (trace, schedule) = (&session.recording.trace, &session.recording.schedule);
        let contexts = schedule.inversions.iter().map(|one| one.blocked).collect();
        for (width, axis) in [(7, Axis::Time), (40, Axis::Index), (4000, Axis::Time)] {
            let end = session.axis_end(axis) as f64;
            let window = Window {
                axis,
                start: 0.0,
                end,
            };
            let pixels = Pixels::new(&window, width);
            let index = InversionIndex::of(trace, schedule, axis);
            let InversionsInWindow { marks, shares } =
                index.in_window(schedule, &pixels, &contexts);
            let share_at = |context: Option<ContextId>, pixel: usize, unbounded: bool| {
                let of = shares.iter().find(|one| one.context == context);
                of.map_or(0, |of| {
                    let layer = if unbounded {
                        &of.unbounded
                    } else {
                        &of.bounded
                    };
                    layer[pixel]
                })
            };
            for (number, inversion) in (0..).zip(&schedule.inversions) {
                if marks.iter().any(|mark| mark.number == number) {
                    continue;
                }
                dense += 1;
                let event = inversion.first.or(inversion.get).unwrap();
                let at = match axis {
                    Axis::Time => inversion.start.0 as f64,
                    Axis::Index => f64::from(event.0) + 0.5,
                };
                let pixel = (pixels.x(at) as usize).min(width as usize - 1);
                let unbounded = inversion.unbounded() == Some(true);
                assert!(share_at(None, pixel, unbounded) > 0);
                assert!(share_at(Some(inversion.blocked), pixel, unbounded) > 0);
            }
        }
    }
    assert!(dense > 20, "{dense}");
}
