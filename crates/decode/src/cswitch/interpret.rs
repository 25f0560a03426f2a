//! Interprets the entries of a log as scheduler events.

use crate::cache::AddressCache;
use rtoscope_trace::{
    Address, ContextId, Contexts, Event, Interpret, IsrFunction, Resource, SchedEvent, Trace,
};
use rtoscope_wire::cswitch::EntryKind;
use std::collections::HashMap;

/// Interprets the events of a context-switch log as scheduler events.
pub struct CswitchInterpreter<'t> {
    trace: &'t Trace,
    routines: Vec<IsrFunction>,
    routine_ids: HashMap<u64, u32>,
    recent_routines: AddressCache<u32>,
}

/// Marks the absence of a routine.
const NO_ROUTINE: u32 = u32::MAX;

impl<'t> CswitchInterpreter<'t> {
    /// Creates an interpreter for the events of `trace`.
    pub fn new(trace: &'t Trace) -> Self {
        Self {
            trace,
            routines: Vec::new(),
            routine_ids: HashMap::new(),
            recent_routines: AddressCache::new(0, NO_ROUTINE),
        }
    }

    /// The number of the interrupt handler at an address.
    fn routine(&mut self, handler: u64) -> u32 {
        match self.recent_routines.get(handler) {
            Some(number) if number != NO_ROUTINE => number,
            _ => self.insert_routine(handler),
        }
    }

    #[inline(never)]
    fn insert_routine(&mut self, handler: u64) -> u32 {
        let address = Address(handler);
        let routines = &mut self.routines;
        let places = &self.trace.code_locations;
        let number = *self.routine_ids.entry(handler).or_insert_with(|| {
            let number = u32::try_from(routines.len()).unwrap_or(NO_ROUTINE);
            let name = places.get(address).and_then(|place| place.function.clone());
            routines.push(IsrFunction { name, address });
            number
        });
        self.recent_routines.insert(handler, number);
        number
    }
}

impl Interpret for CswitchInterpreter<'_> {
    fn sched_event(&mut self, event: &Event) -> SchedEvent {
        let [address, ..] = event.arguments;
        let (Some(kind), flagged) = super::split(event.kind.0) else {
            return SchedEvent::None;
        };
        match kind {
            EntryKind::Wake => SchedEvent::Switch {
                to: Contexts::INTERRUPT,
            },
            EntryKind::Sleep => SchedEvent::Switch { to: Contexts::IDLE },
            EntryKind::SyncResume | EntryKind::AsyncResume => {
                SchedEvent::Switch { to: event.context }
            }
            EntryKind::IsrReturn => SchedEvent::Return {
                to: thread_or_none(event.context),
            },
            EntryKind::IsrEnter => SchedEvent::IsrEnter {
                number: self.routine(address),
            },
            EntryKind::IsrExit => SchedEvent::IsrExit {
                number: self.routine(address),
            },
            EntryKind::InterruptsDisabled => SchedEvent::InterruptsDisabled {
                already_disabled: flagged,
            },
            EntryKind::InterruptsRestored => SchedEvent::InterruptsRestored,
        }
    }

    fn resources(&self) -> &[Resource] {
        &[]
    }

    fn isr_functions(&self) -> &[IsrFunction] {
        &self.routines
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
