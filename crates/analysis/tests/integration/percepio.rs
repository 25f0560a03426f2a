//! The schedule of TraceRecorder recordings against what the target itself logged: dispatches, run
//! time and waits of each life of each task, activations and time of each interrupt.

use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::report::context_switches::context_switches;
use rtoscope_analysis::schedule::{CoreSlices, RunningContext, ThreadState};
use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, DecodeOptions, DecodedRecording, UnpackedInput};
use rtoscope_fixtures::recordings_and_shared;
use rtoscope_trace::{ContextId, ContextKind};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Dispatches or activations, and ticks without the interrupts in between.
type Use = (u64, u64);

/// The number of the tick's interrupt, which the recorder does not see.
const TICK: u64 = 15;

/// Tasks that wait for other objects than queues, which the target did not log.
const OTHER_WAITS: [&str; 5] = ["evt", "ntf", "Tmr Svc", "IDLE", "ctl"];

/// What the target logged.
#[derive(Default)]
struct Truth {
    /// By the name of a task, which ends with its number.
    tasks: BTreeMap<String, Use>,
    /// Ticks in which a task waited.
    waits: BTreeMap<String, u64>,
    interrupts: BTreeMap<String, Use>,
    /// The tasks at each address, in the order of their creation.
    lives: BTreeMap<u64, Vec<String>>,
}

impl Truth {
    fn read(log: &str) -> Self {
        let mut truth = Self::default();
        let mut running: Option<String> = None;
        let mut active: Vec<String> = Vec::new();
        let mut waiting: BTreeMap<String, u64> = BTreeMap::new();
        let mut before = 0;
        for line in log.lines().skip(1) {
            let fields: Vec<_> = line.split(',').collect();
            let [time, event, object, name, ..] = fields[..] else {
                panic!("{line}");
            };
            let time: u64 = time.parse().unwrap();
            if object.parse() == Ok(TICK) && event.starts_with("isr") {
                continue;
            }
            let ticks = time - std::mem::replace(&mut before, time);
            match (active.last(), &running) {
                (Some(interrupt), _) => truth.interrupts.get_mut(interrupt).unwrap().1 += ticks,
                (None, Some(task)) => truth.tasks.get_mut(task).unwrap().1 += ticks,
                (None, None) => {}
            }
            match event {
                "create" => {
                    let address = u64::from_str_radix(&object[2..], 16).unwrap();
                    truth
                        .lives
                        .entry(address)
                        .or_default()
                        .push(name.to_owned());
                }
                "switch_in" => {
                    let of_task = truth.tasks.entry(name.to_owned()).or_default();
                    of_task.0 += u64::from(running.as_deref() != Some(name));
                    running = Some(name.to_owned());
                    // The end of an interrupt that asks for a switch is not recorded.
                    active.clear();
                }
                "isr_enter" => {
                    truth.interrupts.entry(name.to_owned()).or_default().0 += 1;
                    active.push(name.to_owned());
                }
                "isr_exit" => drop(active.pop()),
                "isr_exit_sched" if active.len() > 1 => drop(active.pop()),
                "delay" | "delay_until" | "block_qreceive" | "block_qsend" => {
                    waiting.entry(running.clone().unwrap()).or_insert(time);
                }
                "suspend" => {
                    waiting.entry(name.to_owned()).or_insert(time);
                }
                "ready" => {
                    if let Some(since) = waiting.remove(name) {
                        *truth.waits.entry(name.to_owned()).or_default() += time - since;
                    }
                }
                _ => {}
            }
        }
        for (name, since) in waiting {
            *truth.waits.entry(name).or_default() += before - since;
        }
        truth
    }
}

fn analyze(path: &Path) -> AnalyzedRecording {
    let bytes = fs::read(path).unwrap();
    let input = UnpackedInput::open(Input::new(&bytes), BufferChoice::First, None).unwrap();
    let recording = input.decode(&DecodeOptions::default()).unwrap();
    let DecodedRecording { trace, format_info } = recording;
    AnalyzedRecording::new("recording", "recording", trace, &format_info)
}

/// Dispatches and ticks of a thread.
fn measured(analyzed: &AnalyzedRecording, thread: ContextId) -> Use {
    let dispatches = analyzed.schedule.dispatches.iter();
    let dispatches = dispatches.filter(|it| it.thread == thread).count() as u64;
    let slices = analyzed.schedule.cores.iter().flat_map(CoreSlices::iter);
    let own = slices
        .filter(|(slice, _)| slice.running.running_context() == RunningContext::Thread(thread));
    (
        dispatches,
        own.map(|(slice, end)| end.0 - slice.start.0).sum(),
    )
}

/// Ticks in which a thread waited.
fn waited(analyzed: &AnalyzedRecording, thread: ContextId) -> u64 {
    let intervals: Vec<_> = analyzed.schedule.threads[thread.index()].iter().collect();
    let end = analyzed.trace.events.times().last().unwrap();
    let ends = intervals.iter().skip(1).map(|next| next.start);
    let intervals = intervals.iter().zip(ends.chain([end]));
    let waiting = intervals.filter(|(it, _)| matches!(it.state, ThreadState::Waiting { .. }));
    waiting.map(|(it, end)| end.0 - it.start.0).sum()
}

#[test]
fn tasks_and_interrupts_run_as_the_target_logged() {
    let mut checked = 0;
    for path in recordings_and_shared("percepio") {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let Ok(log) = fs::read_to_string(path.with_extension("truth.csv")) else {
            continue;
        };
        // Parts of a run, a log with another clock, and a table that is full before the idle task.
        let others = [
            "late",
            "lossy",
            "ring",
            "stopstart",
            "systick",
            "slots",
            "bare",
        ];
        if others.iter().any(|other| name.contains(other)) {
            continue;
        }
        checked += 1;
        let truth = Truth::read(&log);
        let analyzed = analyze(&path);
        let report = context_switches(&analyzed.view());
        let records_states = analyzed.trace.switch_model.records_states();
        let is_near = |found: Use, expected: Use, what: &str| {
            assert_eq!(found.0, expected.0, "{name}: runs of {what}");
            let apart = found.1.abs_diff(expected.1);
            let tolerance = 40 * (expected.0 + 60);
            assert!(
                apart <= tolerance,
                "{name}: {what} ran {found:?}, not {expected:?}"
            );
        };
        let mut lives: BTreeMap<u64, usize> = BTreeMap::new();
        let mut states = 0;
        let tasks = analyzed.trace.contexts.iter();
        for context in tasks.filter(|it| it.id.is_thread()) {
            let life = lives.entry(context.address.0).or_default();
            let task = &truth.lives[&context.address.0][*life];
            *life += 1;
            let expected = truth.tasks.get(task).copied().unwrap_or_default();
            if task.starts_with("IDLE") {
                assert_eq!(context.kind, ContextKind::Idle, "{name}");
                let ticks = report.idle.share.total + report.kernel.total;
                is_near((expected.0, ticks), expected, "idle");
                continue;
            }
            let known = analyzed.trace.context_name(context.id);
            assert!(task.starts_with(&known), "{name}: {known} is {task}");
            is_near(measured(&analyzed, context.id), expected, task);
            let is_other = OTHER_WAITS.iter().any(|other| task.starts_with(other));
            if let Some(expected) = truth.waits.get(task)
                && records_states
                && !is_other
            {
                states += 1;
                let apart = waited(&analyzed, context.id).abs_diff(*expected);
                assert!(
                    apart < 20_000,
                    "{name}: {task} waited {expected}, {apart} ticks apart"
                );
            }
        }
        assert!(
            states > 5 || !records_states,
            "{name}: {states} tasks with states"
        );
        assert_eq!(lives.len(), truth.lives.len(), "{name}");
        for (interrupt, expected) in &truth.interrupts {
            let mut handlers = report.handlers.iter();
            let row = handlers.find(|it| it.name == *interrupt).unwrap();
            is_near((row.activations, row.share.total), *expected, interrupt);
        }
    }
    assert!(checked >= 1);
}
