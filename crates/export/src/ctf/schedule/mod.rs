//! The trace of the schedule that follows from the events, as the tracer of
//! Linux's kernel would have recorded it.

mod changes;
mod core;
mod handlers;
mod priorities;

use super::classes::Class;
use super::clock::Clock;
use super::digest::Uuid;
use super::form::Form;
use super::metadata::Metadata;
use super::packets::Streams;
use changes::{Changes, What};
use handlers::Handlers;
use priorities::Priorities;
use rtoscope_analysis::schedule::{ActivationId, Executing, State, Who};
use rtoscope_tables::Source;
use rtoscope_trace::{ContextId, Contexts, Ticks};
use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::Path;

/// Writes the schedule of a recording whose events have this clock and are this
/// trace.
pub(super) fn write(
    source: &Source<'_>,
    folder: &Path,
    clock: &Clock,
    events: Uuid,
) -> io::Result<()> {
    let mut streams = Streams::new(folder, clock.value(Ticks(0)));
    let Priorities { initial, changes } = Priorities::of(&source.view);
    let mut writer = Writer::new(source, initial);
    let mut handlers = Handlers::default();
    if let Some(first) = source.view.schedule.cores.first() {
        let stream = streams.of(first.core)?;
        for context in source.view.trace.contexts.threads() {
            let to = stream.event(ClassOf::StateDump as u32, clock.value(Ticks(0)));
            writer.append_state(to, context.id);
            stream.end_event()?;
        }
    }
    for change in Changes::of(&source.view, changes) {
        let stream = streams.of(change.core)?;
        let all = handlers.flatten(change.core, change.what);
        for what in all.into_iter().flatten() {
            let class = class_of(what);
            let to = stream.event(class as u32, clock.value(change.time));
            writer.append(what, change.time, to);
            stream.end_event()?;
        }
    }
    let digest = streams.close()?;
    let metadata = Metadata {
        source,
        // Equal schedules of unlike recordings are unlike traces.
        identity: digest.identity(&format!("schedule {events}")),
        clock,
        // By this, Trace Compass knows whose fields the events have.
        environment: &[("domain", "kernel")],
        context: &[],
        classes: &classes(),
    };
    fs::write(folder.join("metadata"), metadata.write())
}

/// The classes of events, by their number.
#[derive(Clone, Copy)]
enum ClassOf {
    Switch,
    Wakeup,
    Entry,
    Exit,
    StateDump,
    Priority,
}

fn class_of(what: What) -> ClassOf {
    match what {
        What::Switch { .. } => ClassOf::Switch,
        What::Wake { .. } => ClassOf::Wakeup,
        What::Priority(_) => ClassOf::Priority,
        What::Enter(_) | What::EnterKernel => ClassOf::Entry,
        What::Exit(_) | What::ExitKernel => ClassOf::Exit,
    }
}

/// In the order of [`ClassOf`].
fn classes() -> [Class; 6] {
    let number = Form::Signed(32);
    [
        Class::new(
            "sched_switch",
            [
                ("prev_comm", Form::Text),
                ("prev_tid", number),
                ("prev_prio", number),
                ("prev_state", Form::Signed(64)),
                ("next_comm", Form::Text),
                ("next_tid", number),
                ("next_prio", number),
            ],
        ),
        Class::new(
            "sched_wakeup",
            [
                ("comm", Form::Text),
                ("tid", number),
                ("prio", number),
                ("target_cpu", number),
            ],
        ),
        Class::new("irq_handler_entry", [("irq", number), ("name", Form::Text)]),
        Class::new("irq_handler_exit", [("irq", number), ("ret", number)]),
        Class::new(
            "lttng_statedump_process_state",
            [
                ("tid", number),
                ("pid", number),
                ("ppid", number),
                ("name", Form::Text),
                ("status", number),
            ],
        ),
        Class::new(
            "sched_pi_setprio",
            [
                ("comm", Form::Text),
                ("tid", number),
                ("oldprio", number),
                ("newprio", number),
            ],
        ),
    ]
}

/// The task that idles; Linux has it so.
const IDLE: i32 = 0;
/// The task of a time of which the trace does not say who executed. No thread
/// has this number, which is that of the context of idling.
const UNKNOWN: i32 = Contexts::IDLE.0.cast_signed();
/// A number of Linux's where there is none.
const NONE: i32 = -1;

/// What a handler returns that did something.
const HANDLED: i32 = 1;

/// States of a task, as Linux numbers them.
const RUNNABLE: i64 = 0;
const INTERRUPTIBLE: i64 = 1;
const DEAD: i64 = 64;
/// `__TASK_STOPPED`: readers show it as waiting for something unknown.
const STATE_UNKNOWN: i64 = 4;

struct Writer<'w> {
    source: &'w Source<'w>,
    /// The priorities that threads have now, where they are known, by context.
    priorities: Vec<Option<u16>>,
    /// The names of contexts, by their number.
    names: Vec<String>,
    /// Those of the routines that were met, each with a NUL behind it.
    routines: HashMap<Option<u32>, String>,
}

impl<'w> Writer<'w> {
    fn new(source: &'w Source<'w>, priorities: Vec<Option<u16>>) -> Self {
        let trace = source.view.trace;
        let contexts = trace.contexts.iter();
        Self {
            source,
            priorities,
            names: contexts.map(|it| trace.context_name(it.id)).collect(),
            routines: HashMap::new(),
        }
    }

    fn append(&mut self, what: What, time: Ticks, to: &mut Vec<u8>) {
        let schedule = self.source.view.schedule;
        let routine = |id: ActivationId| {
            schedule
                .activations
                .get(id.index())
                .and_then(|it| it.number)
        };
        match what {
            What::Switch { before, next } => {
                self.append_task(to, before);
                let state = self.state(before, time);
                to.extend_from_slice(&state.to_le_bytes());
                self.append_task(to, next);
            }
            What::Wake { thread, target } => {
                self.append_task(to, Who::context(thread));
                to.extend_from_slice(&i32::from(target).to_le_bytes());
            }
            What::Priority(step) => {
                self.append_name(to, step.thread);
                append_number(to, step.thread.0.cast_signed());
                append_number(to, step.old.map_or(NONE, i32::from));
                append_number(to, step.new.into());
                if let Some(known) = self.priorities.get_mut(step.thread.index()) {
                    *known = Some(step.new);
                }
            }
            What::Enter(id) => {
                let number = routine(id);
                append_number(to, irq(number));
                let name = || format!("{}\0", schedule.routine_name(number));
                let name = self.routines.entry(number).or_insert_with(name);
                to.extend_from_slice(name.as_bytes());
            }
            What::EnterKernel => {
                append_number(to, NONE);
                to.extend_from_slice(b"(kernel)\0");
            }
            What::Exit(id) => {
                append_number(to, irq(routine(id)));
                append_number(to, HANDLED);
            }
            What::ExitKernel => {
                append_number(to, NONE);
                append_number(to, HANDLED);
            }
        }
    }

    /// What a thread does as the recording begins.
    fn append_state(&self, to: &mut Vec<u8>, thread: ContextId) {
        let threads = &self.source.view.schedule.threads;
        let first = threads.get(thread.index()).and_then(|all| all.first());
        let first = first.filter(|first| first.start == Ticks(0));
        // `enum lttng_process_status` of LTTng's modules.
        let status = match first.map(|stretch| stretch.state) {
            Some(State::Unknown) | None => 0,
            Some(State::Ready) => 2,
            Some(State::Running) => 6,
            Some(State::Waiting { wait, .. }) if wait.is_end() => 7,
            Some(State::Waiting { .. }) => 5,
        };
        let number = thread.0.cast_signed();
        // A process of its own, without a parent.
        for number in [number, number, 0] {
            append_number(to, number);
        }
        self.append_name(to, thread);
        append_number(to, status);
    }

    fn append_name(&self, to: &mut Vec<u8>, context: ContextId) {
        let name = self.names.get(context.index());
        to.extend_from_slice(name.map_or("", String::as_str).as_bytes());
        to.push(0);
    }

    /// A task's name, number and priority.
    fn append_task(&self, to: &mut Vec<u8>, who: Who) {
        let name = |id: ContextId| self.names.get(id.index()).map_or("", String::as_str);
        let (name, number, priority) = match who.executing() {
            Executing::Thread(id) => {
                let priority = self.priorities.get(id.index()).copied().flatten();
                (name(id), id.0.cast_signed(), priority)
            }
            Executing::Idle => (name(Contexts::IDLE), IDLE, None),
            Executing::Initialize => {
                let id = Contexts::INITIALIZE;
                (name(id), id.0.cast_signed(), None)
            }
            Executing::Unknown | Executing::Isr(_) | Executing::Kernel => {
                ("(unknown)", UNKNOWN, None)
            }
        };
        to.extend_from_slice(name.as_bytes());
        to.push(0);
        append_number(to, number);
        append_number(to, priority.map_or(NONE, i32::from));
    }

    /// In which state a task is that gives its core to another at a time.
    fn state(&self, who: Who, time: Ticks) -> i64 {
        let thread = match who.executing() {
            Executing::Thread(thread) => thread,
            Executing::Idle | Executing::Initialize => return RUNNABLE,
            Executing::Unknown | Executing::Isr(_) | Executing::Kernel => return STATE_UNKNOWN,
        };
        let threads = &self.source.view.schedule.threads;
        let stretches = threads.get(thread.index()).map_or(&[][..], Vec::as_slice);
        let behind = stretches.partition_point(|stretch| stretch.start <= time);
        let state = behind.checked_sub(1).and_then(|at| stretches.get(at));
        match state.map(|stretch| stretch.state) {
            Some(State::Ready | State::Running) => RUNNABLE,
            Some(State::Waiting { wait, .. }) if wait.is_end() => DEAD,
            Some(State::Waiting { .. }) => INTERRUPTIBLE,
            Some(State::Unknown) | None => STATE_UNKNOWN,
        }
    }
}

fn append_number(to: &mut Vec<u8>, number: i32) {
    to.extend_from_slice(&number.to_le_bytes());
}

fn irq(number: Option<u32>) -> i32 {
    number.map_or(NONE, u32::cast_signed)
}
