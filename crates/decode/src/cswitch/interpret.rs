//! Interprets the entries of a log as scheduler events.

use crate::thread_lookup::ThreadLookup;
use crate::threadx::wait_reason;
use foldhash::{HashMap, HashMapExt as _};
use rtoscope_trace::{
    Address, ContextId, Contexts, Event, Interpret, IsrFunction, Object, ObjectClass, Resource,
    SchedEvent, Trace, WaitReason,
};
use rtoscope_wire::cswitch::EntryKind;

/// Interprets the events of a context-switch log as scheduler events.
#[derive(Debug, Clone)]
pub struct CswitchInterpreter {
    routines: Vec<IsrFunction>,
    routine_ids: HashMap<u64, u32>,
    threads: ThreadLookup,
    marks_deletions: bool,
}

/// The marker in the compact stream by which FreeRTOS's recorder says that a task is
/// deleted. Its value is the number of the task.
const DELETION_MARKER: u64 = 0x7000_000E;
const DELETION_NAME: &[u8] = b"task delete";

/// Marks the absence of a routine.
const NO_ROUTINE: u32 = u32::MAX;

impl Default for CswitchInterpreter {
    fn default() -> Self {
        Self {
            routines: Vec::new(),
            routine_ids: HashMap::new(),
            threads: ThreadLookup::default(),
            marks_deletions: false,
        }
    }
}

impl CswitchInterpreter {
    /// The number of the interrupt handler at an address.
    fn routine(&mut self, trace: &Trace, handler: u64) -> u32 {
        let address = Address(handler);
        let routines = &mut self.routines;
        let places = &trace.code_locations;
        *self.routine_ids.entry(handler).or_insert_with(|| {
            let number = u32::try_from(routines.len()).unwrap_or(NO_ROUTINE);
            let name = places.get(address).and_then(|place| place.function.clone());
            routines.push(IsrFunction { name, address });
            number
        })
    }
}

impl CswitchInterpreter {
    /// Whether the marker of deletions has its name.
    fn marks_deletions(&mut self, trace: &Trace) -> bool {
        let is_named = |object: &Object| {
            object.address == Address(DELETION_MARKER)
                && object.class == ObjectClass::Marker
                && object.name.as_bytes() == DELETION_NAME
        };
        self.marks_deletions = self.marks_deletions || trace.objects.iter().any(is_named);
        self.marks_deletions
    }
}

impl Interpret for CswitchInterpreter {
    fn sched_event(&mut self, trace: &Trace, event: &Event) -> SchedEvent {
        let [address, ..] = event.arguments;
        let (Some(kind), flagged) = super::split(event.kind.0) else {
            return SchedEvent::None;
        };
        match kind {
            EntryKind::Wake => switch(Contexts::INTERRUPT),
            EntryKind::Sleep => switch(Contexts::IDLE),
            EntryKind::SyncResume => switch(event.context),
            EntryKind::AsyncResume => SchedEvent::Switch {
                to: event.context,
                preempted: true,
            },
            EntryKind::IsrReturn => SchedEvent::Return {
                to: thread_or_none(event.context),
            },
            EntryKind::IsrEnter => SchedEvent::IsrEnter {
                number: self.routine(trace, address),
            },
            EntryKind::IsrExit => SchedEvent::IsrExit {
                number: self.routine(trace, address),
            },
            EntryKind::InterruptsDisabled => SchedEvent::InterruptsDisabled {
                already_disabled: flagged,
            },
            EntryKind::InterruptsRestored => SchedEvent::InterruptsRestored,
            EntryKind::Ready => SchedEvent::Resume {
                thread: self.threads.find(trace, address, event.index),
                wait_reason: WaitReason::Other,
                next: ContextId::UNKNOWN,
            },
            EntryKind::Wait => SchedEvent::Suspend {
                thread: thread_or_none(event.context),
                wait_reason: wait_reason(address),
                next: ContextId::UNKNOWN,
            },
            EntryKind::MarkerInstant if address == DELETION_MARKER => {
                let [_, number, ..] = event.arguments;
                match self.marks_deletions(trace) {
                    true => SchedEvent::Delete {
                        thread: self.threads.find(trace, number, event.index),
                    },
                    false => SchedEvent::None,
                }
            }
            EntryKind::MarkerBegin
            | EntryKind::MarkerEnd
            | EntryKind::MarkerInstant
            | EntryKind::Time
            | EntryKind::Filter
            | EntryKind::Formatted
            | EntryKind::FormatValues
            | EntryKind::StackBegin
            | EntryKind::StackRegisters
            | EntryKind::StackWords
            | EntryKind::StackEnd
            | EntryKind::Fault => SchedEvent::None,
        }
    }

    fn resources(&self) -> &[Resource] {
        &[]
    }

    fn isr_functions(&self) -> &[IsrFunction] {
        &self.routines
    }
}

fn switch(to: ContextId) -> SchedEvent {
    SchedEvent::Switch {
        to,
        preempted: false,
    }
}

/// The context if it is a thread.
fn thread_or_none(context: ContextId) -> ContextId {
    if context.is_thread() {
        context
    } else {
        ContextId::UNKNOWN
    }
}
