//! A trace on its way: the events of entries, before it is settled how much
//! time went by and what is missing between them.

use super::columns::{self, Decoded};
use super::cores::{self, CoreBits};
use super::intern::Known;
use crate::clock::Unwrapped;
use crate::records::Run;
use rtoscope_trace::diagnostic::counted;
use rtoscope_trace::event::Standing;
use rtoscope_trace::{
    Catalogue, ContextId, Contexts, Diagnostic, DiagnosticKind, Diagnostics, Events, Gap, Objects,
    Places, Telling, Trace,
};
use rtoscope_wire::threadx::Layout;

/// The events of entries, without their times.
pub(crate) struct Draft {
    pub(crate) events: Events,
    /// The number of the first event of each run of entries.
    pub(crate) run_starts: Vec<u64>,
    contexts: Contexts,
    unused_between: u64,
}

/// What makes a draft a trace.
pub(crate) struct Addition {
    pub(crate) unwrapped: Unwrapped,
    pub(crate) objects: Objects,
    pub(crate) catalogue: Catalogue,
    pub(crate) cores: CoreBits,
    /// Each with what is to be said of it.
    pub(crate) gaps: Vec<(Gap, Diagnostic)>,
    /// What was found before.
    pub(crate) found: Vec<Diagnostic>,
}

impl Draft {
    /// Decodes runs of entries, one behind the other, in which objects occur.
    pub(crate) fn new(layout: Layout, runs: &[Run<'_>], objects: &Objects) -> Self {
        let mut known = Known::new(objects);
        let Decoded {
            mut events,
            run_starts,
            unused_between,
        } = columns::decode(layout, runs, &mut known);
        forget_interrupted(&mut events);
        Self {
            events,
            run_starts,
            contexts: known.contexts,
            unused_between,
        }
    }

    /// The whole trace, based on its first event.
    pub(crate) fn finish(self, addition: Addition) -> Trace {
        let Addition {
            unwrapped,
            objects,
            catalogue,
            cores,
            gaps,
            mut found,
        } = addition;
        let mut events = self.events;
        events.time = unwrapped.time;
        found.extend(unwrapped.diagnostics);
        let cores = cores::settle(&mut events, &catalogue, cores, &mut found);
        let (gaps, said): (Vec<_>, Vec<_>) = gaps.into_iter().unzip();
        found.extend(said);
        if self.unused_between > 0 {
            let count = self.unused_between;
            let slots = counted(count, "unused slot", "unused slots");
            let message = format!("{slots} between events");
            found.push(Diagnostic::new(DiagnosticKind::UnusedSlots, message).times(count));
        }
        let mut diagnostics = Diagnostics::default();
        diagnostics.extend(found);
        Trace {
            base: Default::default(),
            events,
            contexts: self.contexts,
            objects,
            clock: unwrapped.clock,
            cores,
            gaps,
            catalogue,
            telling: Telling::default(),
            places: Places::default(),
            diagnostics,
        }
    }
}

/// Before ThreadX recorded preemption thresholds, records of interrupts did not
/// say who was interrupted: their priority word is 0.
fn forget_interrupted(events: &mut Events) {
    let mut columns = events.context.iter().zip(&events.standing);
    let of_thread = columns.find(|(context, _)| **context > Contexts::IDLE);
    if of_thread.is_none_or(|(_, standing)| standing.has_threshold()) {
        return;
    }
    for (context, standing) in events.context.iter().zip(&mut events.standing) {
        if *context == Contexts::INTERRUPT && *standing == Standing::interrupted(Contexts::IDLE) {
            *standing = Standing::interrupted(ContextId::UNKNOWN);
        }
    }
}
