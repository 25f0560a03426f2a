//! The schedule of SystemView recordings against what the target itself logged: dispatches and run
//! time of each life of each task, activations and time of each interrupt.

use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::report::context_switches::context_switches;
use rtoscope_analysis::schedule::{CoreSlices, RunningContext};
use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, DecodeOptions, DecodedRecording, UnpackedInput};
use rtoscope_fixtures::recordings_and_shared;
use rtoscope_trace::ContextKind;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Dispatches or activations, and ticks without the interrupts in between.
type Use = (u64, u64);

/// What the target logged.
#[derive(Default)]
struct Truth {
    /// By the name of a task, which ends with its number.
    tasks: BTreeMap<String, Use>,
    interrupts: BTreeMap<u64, Use>,
    /// The tasks at each address, in the order of their creation.
    lives: BTreeMap<u64, Vec<String>>,
}

impl Truth {
    fn read(log: &str) -> Self {
        let mut truth = Self::default();
        let mut running: Option<String> = None;
        let mut active: Vec<u64> = Vec::new();
        let mut before = 0;
        for line in log.lines().skip(1) {
            let fields: Vec<_> = line.split(',').collect();
            let [time, event, object, name, _] = fields[..] else {
                panic!("{line}");
            };
            let time: u64 = time.parse().unwrap();
            let object = match object.strip_prefix("0x") {
                Some(digits) => u64::from_str_radix(digits, 16).unwrap(),
                None => object.parse().unwrap_or_default(),
            };
            let ticks = time - std::mem::replace(&mut before, time);
            match (active.last(), &running) {
                (Some(interrupt), _) => truth.interrupts.get_mut(interrupt).unwrap().1 += ticks,
                (None, Some(task)) => truth.tasks.get_mut(task).unwrap().1 += ticks,
                (None, None) => {}
            }
            match event {
                "create" => truth.lives.entry(object).or_default().push(name.to_owned()),
                "switch_in" => {
                    let of_task = truth.tasks.entry(name.to_owned()).or_default();
                    // The scheduler may choose the same task again.
                    of_task.0 += u64::from(running.as_deref() != Some(name));
                    running = Some(name.to_owned());
                }
                "isr_enter" => {
                    truth.interrupts.entry(object).or_default().0 += 1;
                    active.push(object);
                }
                "isr_exit" | "isr_exit_sched" => drop(active.pop()),
                _ => {}
            }
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

#[test]
fn tasks_and_interrupts_run_as_the_target_logged() {
    let mut checked = 0;
    for path in recordings_and_shared("systemview") {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let Ok(log) = fs::read_to_string(path.with_extension("truth.csv")) else {
            continue;
        };
        let facts: Value =
            serde_json::from_slice(&fs::read(path.with_extension("json")).unwrap()).unwrap();
        let number = |key: &str| facts[key].as_u64().unwrap();
        let parts = ["cm3_cmds", "cm3_late", "cm3_pm_nosync", "cm3_postmortem"];
        // Addresses are not known; lengths are not those of packets; the idle task has no name.
        let others = ["cm3_shift4", "cm3_longdata_broken", "cm3_ts_div64"];
        if number("packets_lost") > 0 || parts.contains(&&*name) || others.contains(&&*name) {
            continue;
        }
        checked += 1;
        let truth = Truth::read(&log);
        let analyzed = analyze(&path);
        let report = context_switches(&analyzed.view());
        let shift = number("timestamp_shift");
        let is_near = |found: Use, expected: Use, what: &str| {
            assert_eq!(found.0, expected.0, "{name}: runs of {what}");
            let tolerance = 6 * (expected.0 + 100);
            let apart = (found.1 << shift).abs_diff(expected.1);
            assert!(
                apart <= tolerance << shift,
                "{name}: {what} ran {found:?}, not {expected:?}"
            );
        };
        let mut lives: BTreeMap<u64, usize> = BTreeMap::new();
        let tasks = analyzed.trace.contexts.iter();
        for context in tasks.filter(|it| it.id.is_thread()) {
            let address = context.address.0;
            let life = lives.entry(address).or_default();
            let task = &truth.lives[&address][*life];
            *life += 1;
            if task.starts_with("IDLE") {
                assert_eq!(context.kind, ContextKind::Idle, "{name}");
                continue;
            }
            let dispatches = analyzed.schedule.dispatches.iter();
            let dispatches = dispatches.filter(|it| it.thread == context.id).count() as u64;
            let slices = analyzed.schedule.cores.iter().flat_map(CoreSlices::iter);
            let own = slices.filter(|(slice, _)| {
                slice.running.running_context() == RunningContext::Thread(context.id)
            });
            let ticks = own.map(|(slice, end)| end.0 - slice.start.0).sum();
            let found = (dispatches, ticks);
            let expected = truth.tasks.get(task).copied().unwrap_or_default();
            is_near(found, expected, task);
        }
        assert_eq!(lives.len(), truth.lives.len(), "{name}");
        for (interrupt, expected) in &truth.interrupts {
            let handlers = report.handlers.iter();
            let mut of_number =
                handlers.filter(|it| it.address.is_some_and(|it| it.0.0 == *interrupt));
            let row = of_number.next().unwrap();
            let what = format!("interrupt {interrupt}");
            is_near((row.activations, row.share.total), *expected, &what);
            assert!(!row.name.is_empty(), "{name}: {what}");
        }
        let mut tasks = truth.tasks.iter();
        if let Some((_, idle)) = tasks.find(|(task, _)| task.starts_with("IDLE")) {
            // From a task's readiness on, the scheduler runs.
            let ticks = report.idle.share.total + report.kernel.total;
            is_near((idle.0, ticks), *idle, "idle");
        }
    }
    assert!(checked >= 4);
}
