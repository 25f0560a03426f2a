//! What the entries of a log mean to a scheduler.

use crate::cache::Cache;
use rtoscope_trace::{
    Act, Address, ContextId, Contexts, Event, Interpret, Resource, Routine, Trace,
};
use rtoscope_wire::cswitch::EntryKind;
use std::collections::HashMap;

/// Says what the events of a context-switch log mean to a scheduler.
pub struct Interpreter<'t> {
    trace: &'t Trace,
    routines: Vec<Routine>,
    known: HashMap<u64, u32>,
    recent: Cache<u32>,
}

/// No routine's number.
const NO_ROUTINE: u32 = u32::MAX;

impl<'t> Interpreter<'t> {
    /// For the events of this trace.
    pub fn new(trace: &'t Trace) -> Self {
        Self {
            trace,
            routines: Vec::new(),
            known: HashMap::new(),
            recent: Cache::new(0, NO_ROUTINE),
        }
    }

    /// The number of the interrupt handler at an address.
    fn routine(&mut self, handler: u64) -> u32 {
        match self.recent.get(handler) {
            Some(number) if number != NO_ROUTINE => number,
            _ => self.look_up(handler),
        }
    }

    #[inline(never)]
    fn look_up(&mut self, handler: u64) -> u32 {
        let address = Address(handler);
        let routines = &mut self.routines;
        let places = &self.trace.places;
        let number = *self.known.entry(handler).or_insert_with(|| {
            let number = u32::try_from(routines.len()).unwrap_or(NO_ROUTINE);
            let name = places.get(address).and_then(|place| place.function.clone());
            routines.push(Routine { name, address });
            number
        });
        self.recent.keep(handler, number);
        number
    }
}

impl Interpret for Interpreter<'_> {
    fn act(&mut self, event: &Event) -> Act {
        let [address, ..] = event.arguments;
        let (Some(kind), flagged) = super::split(event.kind.0) else {
            return Act::None;
        };
        match kind {
            EntryKind::Wake => Act::Switch {
                to: Contexts::INTERRUPT,
            },
            EntryKind::Sleep => Act::Switch { to: Contexts::IDLE },
            EntryKind::SyncResume | EntryKind::AsyncResume => Act::Switch { to: event.context },
            EntryKind::IsrReturn => Act::Return {
                to: thread(event.context),
            },
            EntryKind::IsrEnter => Act::IsrEnter {
                number: self.routine(address),
            },
            EntryKind::IsrExit => Act::IsrExit {
                number: self.routine(address),
            },
            EntryKind::InterruptsDisabled => Act::InterruptsDisabled { already: flagged },
            EntryKind::InterruptsRestored => Act::InterruptsRestored,
        }
    }

    fn resources(&self) -> &[Resource] {
        &[]
    }

    fn routines(&self) -> &[Routine] {
        &self.routines
    }
}

/// A context, if it is a thread.
fn thread(context: ContextId) -> ContextId {
    if context.is_thread() {
        context
    } else {
        ContextId::UNKNOWN
    }
}
