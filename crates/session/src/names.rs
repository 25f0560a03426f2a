//! Names for people, cut where they get too long.

use crate::answer::LaneKind;
use crate::session::Session;
use crate::short::{NAME, short};
use rtoscope_trace::{ContextId, Contexts, ResourceId};

impl Session {
    /// A thread's name, `interrupt`, `initialise`, `idle` or `unknown`.
    pub(crate) fn context_name(&self, id: ContextId) -> String {
        match id {
            Contexts::INTERRUPT => "interrupt".to_owned(),
            Contexts::INITIALIZE => "initialise".to_owned(),
            Contexts::IDLE => "idle".to_owned(),
            ContextId::UNKNOWN => "unknown".to_owned(),
            thread => short(self.trace.context_name(thread), NAME),
        }
    }

    /// A resource's name: the object's, or its address.
    pub(crate) fn resource_name(&self, id: ResourceId) -> String {
        let view = self.analysis.view(&self.trace, self.statistics);
        short(view.resource_name(id), NAME)
    }

    /// What a lane is called.
    pub(crate) fn lane_name(&self, of: LaneKind) -> String {
        let several = self.analysis.schedule.cores.len() > 1;
        let on_core = |name: &str, core: u8| match several {
            true => format!("{name}, core {core}"),
            false => name.to_owned(),
        };
        match of {
            LaneKind::Summary => "Summary".to_owned(),
            LaneKind::Core { core } => format!("Core {core}"),
            LaneKind::Interrupt { core } => on_core("Interrupts", core),
            LaneKind::Isr { core, number } => on_core(&isr_name(number), core),
            LaneKind::InitializeIdle { core } => on_core("Initialise / idle", core),
            LaneKind::Thread { context } => self.context_name(ContextId(context)),
        }
    }
}

/// What an interrupt service routine is called.
pub(crate) fn isr_name(number: Option<u32>) -> String {
    match number {
        Some(number) => format!("ISR {number}"),
        None => "ISR without number".to_owned(),
    }
}
