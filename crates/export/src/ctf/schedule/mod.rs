//! The trace of the schedule, derived from the events and written as the Linux
//! kernel tracer would have recorded it.

mod handlers;
mod kernel_events;

use super::classes::EventClass;
use super::clock::CtfClock;
use super::digest::Uuid;
use super::field::FieldType;
use super::metadata::TraceMetadata;
use super::packets::CoreStreams;
use handlers::HandlerStacks;
use kernel_events::{Handler, KernelEvent, visit_kernel_events};
use rtoscope_analysis::report::CpuContext;
use rtoscope_analysis::schedule::ThreadState;
use rtoscope_analysis::timeline::{self, Label, Names, PriorityHistory, Text};
use rtoscope_analysis::{AnalyzedRecording, View};
use rtoscope_trace::{ContextId, Contexts, Ticks};
use std::fs;
use std::io;
use std::path::Path;

/// Writes the schedule of a recording, with the clock and UUID of its events.
pub(super) fn write(
    source: &AnalyzedRecording,
    folder: &Path,
    clock: &CtfClock,
    events: Uuid,
) -> io::Result<()> {
    let mut streams = CoreStreams::new(folder, clock.value(Ticks(0)));
    let view = &source.view();
    let PriorityHistory { initial, changes } = PriorityHistory::new(view);
    let mut writer = ScheduleEventWriter {
        view,
        priorities: initial,
        names: Names::new(view),
    };
    let mut handlers = HandlerStacks::default();
    if let Some(first) = timeline::cores(view).next() {
        let stream = streams.stream(first)?;
        for context in source.trace.contexts.threads() {
            let to = stream.begin_event(ScheduleClass::StateDump as u32, clock.value(Ticks(0)));
            writer.append_state(to, context.id);
            stream.end_event()?;
        }
    }
    visit_kernel_events(view, changes, |time, core, event| {
        let stream = streams.stream(core)?;
        for event in handlers.flatten(core, event).into_iter().flatten() {
            let class = event_class(event);
            let to = stream.begin_event(class as u32, clock.value(time));
            writer.append(event, time, to);
            stream.end_event()?;
        }
        Ok(())
    })?;
    let digest = streams.close()?;
    let metadata = TraceMetadata {
        source,
        // Different recordings with equal schedules are different traces.
        identity: digest.uuid(&format!("schedule {events}")),
        clock,
        // Trace Compass uses this to recognise the event fields.
        environment: &[("domain", "kernel")],
        context: &[],
        classes: &schedule_classes(),
    };
    fs::write(folder.join("metadata"), metadata.write())
}

/// The event classes, by number.
#[derive(Clone, Copy)]
enum ScheduleClass {
    Switch,
    Wakeup,
    Entry,
    Exit,
    StateDump,
    Priority,
}

fn event_class(event: KernelEvent) -> ScheduleClass {
    match event {
        KernelEvent::Switch { .. } => ScheduleClass::Switch,
        KernelEvent::Wake { .. } => ScheduleClass::Wakeup,
        KernelEvent::Priority(_) => ScheduleClass::Priority,
        KernelEvent::Enter(_) => ScheduleClass::Entry,
        KernelEvent::Exit(_) => ScheduleClass::Exit,
    }
}

/// The classes, in the order of [`ScheduleClass`].
fn schedule_classes() -> [EventClass; 6] {
    let number = FieldType::Signed(32);
    [
        EventClass::new(
            "sched_switch",
            [
                ("prev_comm", FieldType::Text),
                ("prev_tid", number),
                ("prev_prio", number),
                ("prev_state", FieldType::Signed(64)),
                ("next_comm", FieldType::Text),
                ("next_tid", number),
                ("next_prio", number),
            ],
        ),
        EventClass::new(
            "sched_wakeup",
            [
                ("comm", FieldType::Text),
                ("tid", number),
                ("prio", number),
                ("target_cpu", number),
            ],
        ),
        EventClass::new(
            "irq_handler_entry",
            [("irq", number), ("name", FieldType::Text)],
        ),
        EventClass::new("irq_handler_exit", [("irq", number), ("ret", number)]),
        EventClass::new(
            "lttng_statedump_process_state",
            [
                ("tid", number),
                ("pid", number),
                ("ppid", number),
                ("name", FieldType::Text),
                ("status", number),
            ],
        ),
        EventClass::new(
            "sched_pi_setprio",
            [
                ("comm", FieldType::Text),
                ("tid", number),
                ("oldprio", number),
                ("newprio", number),
            ],
        ),
    ]
}

/// The task id of idle, as in Linux.
const IDLE_TID: i32 = 0;
/// The task id for an unknown running context. No thread has this number: it is the
/// context number of idle.
const UNKNOWN_TID: i32 = Contexts::IDLE.0.cast_signed();
/// Linux's number for "none".
const NO_NUMBER: i32 = -1;

/// The return value of a handler that handled its interrupt.
const IRQ_HANDLED: i32 = 1;

/// Task states with Linux's numbers.
const RUNNABLE: i64 = 0;
const INTERRUPTIBLE: i64 = 1;
const DEAD: i64 = 64;
/// `__TASK_STOPPED`: readers show it as waiting for an unknown reason.
const STATE_UNKNOWN: i64 = 4;

struct ScheduleEventWriter<'a> {
    view: &'a View<'a>,
    /// The current priorities of threads, where known, by context.
    priorities: Vec<Option<u16>>,
    names: Names<'a>,
}

impl ScheduleEventWriter<'_> {
    fn append(&mut self, event: KernelEvent, time: Ticks, to: &mut Vec<u8>) {
        match event {
            KernelEvent::Switch { before, next } => {
                self.append_task(to, before);
                let state = self.state(before, time);
                to.extend_from_slice(&state.to_le_bytes());
                self.append_task(to, next);
            }
            KernelEvent::Wake { thread, target } => {
                self.append_task(to, CpuContext::Thread(thread));
                append_number(to, target.into());
            }
            KernelEvent::Priority(step) => {
                self.append_name(to, Label::Context(step.thread));
                append_number(to, step.thread.0.cast_signed());
                append_number(to, step.old.map_or(NO_NUMBER, i32::from));
                append_number(to, step.new.into());
                if let Some(known) = self.priorities.get_mut(step.thread.index()) {
                    *known = Some(step.new);
                }
            }
            KernelEvent::Enter(handler) => {
                append_number(to, irq_number(handler));
                match handler {
                    Handler::Routine(_, number) => {
                        self.append_name(to, Label::Cpu(CpuContext::Isr(number)));
                    }
                    Handler::Kernel => to.extend_from_slice(b"(kernel)\0"),
                }
            }
            KernelEvent::Exit(handler) => {
                append_number(to, irq_number(handler));
                append_number(to, IRQ_HANDLED);
            }
        }
    }

    /// Appends the state of a thread at the start of the recording.
    fn append_state(&mut self, to: &mut Vec<u8>, thread: ContextId) {
        let first = self.view.thread_states(thread).get(0);
        let first = first.filter(|first| first.start == Ticks(0));
        // `enum lttng_process_status` of LTTng's modules.
        let status = match first.map(|interval| interval.state) {
            Some(ThreadState::Unknown) | None => 0,
            Some(ThreadState::Ready) => 2,
            Some(ThreadState::Running) => 6,
            Some(state) if state.has_ended() => 7,
            Some(ThreadState::Waiting { .. } | ThreadState::Deleted) => 5,
        };
        let number = thread.0.cast_signed();
        // Each thread is a process without a parent.
        for number in [number, number, 0] {
            append_number(to, number);
        }
        self.append_name(to, Label::Context(thread));
        append_number(to, status);
    }

    /// Appends a name with its NUL.
    fn append_name(&mut self, to: &mut Vec<u8>, name: Label) {
        to.extend_from_slice(self.names.name(Text::Label(name)).as_bytes());
        to.push(0);
    }

    /// Appends a task's name, number and priority.
    fn append_task(&mut self, to: &mut Vec<u8>, context: CpuContext) {
        self.append_name(to, Label::Cpu(context));
        let (number, priority) = match context {
            CpuContext::Thread(id) => {
                let priority = self.priorities.get(id.index()).copied().flatten();
                (id.0.cast_signed(), priority)
            }
            CpuContext::Idle => (IDLE_TID, None),
            CpuContext::Initialize => (Contexts::INITIALIZE.0.cast_signed(), None),
            CpuContext::Unknown | CpuContext::Isr(_) | CpuContext::Kernel => (UNKNOWN_TID, None),
        };
        append_number(to, number);
        append_number(to, priority.map_or(NO_NUMBER, i32::from));
    }

    /// The state of a task that leaves its core at a time.
    fn state(&self, context: CpuContext, time: Ticks) -> i64 {
        let thread = match context {
            CpuContext::Thread(thread) => thread,
            CpuContext::Idle | CpuContext::Initialize => return RUNNABLE,
            CpuContext::Unknown | CpuContext::Isr(_) | CpuContext::Kernel => return STATE_UNKNOWN,
        };
        let intervals = self.view.thread_states(thread);
        let count = intervals.partition_point(|interval| interval.start <= time);
        let state = count.checked_sub(1).and_then(|at| intervals.get(at));
        match state.map(|interval| interval.state) {
            Some(ThreadState::Ready | ThreadState::Running) => RUNNABLE,
            Some(state) if state.has_ended() => DEAD,
            Some(ThreadState::Waiting { .. } | ThreadState::Deleted) => INTERRUPTIBLE,
            Some(ThreadState::Unknown) | None => STATE_UNKNOWN,
        }
    }
}

fn append_number(to: &mut Vec<u8>, number: i32) {
    to.extend_from_slice(&number.to_le_bytes());
}

fn irq_number(handler: Handler) -> i32 {
    match handler {
        Handler::Routine(_, Some(number)) => number.cast_signed(),
        Handler::Routine(_, None) | Handler::Kernel => NO_NUMBER,
    }
}
