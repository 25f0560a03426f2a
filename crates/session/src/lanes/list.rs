//! Which lanes there are.

use super::inversions::InversionIndex;
use super::isr::IsrTracks;
use super::machine::MachineTracks;
use super::masked::MaskTracks;
use super::per_axis::PerAxis;
use super::sums::Sums;
use crate::answer::LaneKind;
use crate::machines::Machines;
use crate::postings::Postings;
use rtoscope_analysis::Analysis;
use rtoscope_analysis::report::CoreShares;
use rtoscope_trace::{ContextId, Contexts, Trace};
use std::sync::OnceLock;

/// A lane of a trace.
#[derive(Debug)]
pub(crate) struct Lane {
    /// What it is of.
    pub(crate) of: LaneKind,
    /// How many events it shows.
    pub(crate) events: u32,
    /// Ticks in which it executes; of a machine, in which its state is known.
    pub(crate) executed: u64,
    /// Sums over its bars; those of a core's lanes are in [`Lanes::cores`].
    pub(super) sums: PerAxis<Sums>,
}

/// The lanes of a trace, by number, in the order in which they are best shown.
#[derive(Debug)]
pub(crate) struct Lanes {
    pub(crate) all: Vec<Lane>,
    /// What the lanes of single interrupt service routines show, made when
    /// first used.
    pub(super) isrs: OnceLock<IsrTracks>,
    /// The same of those of times without interrupts.
    pub(super) masks: OnceLock<MaskTracks>,
    /// The same of the lanes of machines.
    pub(super) machines: OnceLock<MachineTracks>,
    /// Sums over what each core executes.
    pub(super) cores: Vec<PerAxis<Sums>>,
    /// Where inversions lie.
    pub(super) inversions: PerAxis<InversionIndex>,
}

impl Lane {
    fn new(of: LaneKind, events: u32, executed: u64) -> Self {
        Self {
            of,
            events,
            executed,
            sums: PerAxis::new(),
        }
    }
}

impl Lanes {
    pub(crate) fn of(
        trace: &Trace,
        analysis: &Analysis,
        postings: &Postings,
        machines: &Machines,
    ) -> Self {
        let mut all = Vec::new();
        let shares = &analysis.shares;
        let busy: u64 = shares.iter().map(CoreShares::busy).sum();
        all.push(Lane::new(
            LaneKind::Summary,
            u32::try_from(trace.events.len()).unwrap_or(u32::MAX),
            busy,
        ));
        let events = |context: ContextId, place: usize| {
            u32::try_from(postings.on_core(context, place).len()).unwrap_or(u32::MAX)
        };
        let has_several = shares.iter().count() > 1;
        for core in shares.iter().filter(|_| has_several) {
            let of = LaneKind::Core { core: core.core };
            all.push(Lane::new(of, 0, core.busy()));
        }
        let routines = super::isr::totals(analysis, postings);
        let masked = super::masked::totals(&analysis.schedule);
        for (place, core) in shares.iter().enumerate() {
            let count = events(Contexts::INTERRUPT, place);
            let of_core = (core.core, None)..=(core.core, Some(u32::MAX));
            let mut of_core = routines.range(of_core).peekable();
            // Of several cores, some often have no interrupts.
            let masked = masked.get(&core.core);
            if has_several && count == 0 && of_core.peek().is_none() && masked.is_none() {
                continue;
            }
            let of = LaneKind::Interrupt { core: core.core };
            let executed = core.interrupts();
            all.push(Lane::new(of, count, executed));
            for ((core, number), (count, executed)) in of_core {
                let (core, number) = (*core, *number);
                let of = LaneKind::Isr { core, number };
                all.push(Lane::new(of, *count, *executed));
            }
            if let Some(ticks) = masked {
                let of = LaneKind::InterruptsOff { core: core.core };
                all.push(Lane::new(of, 0, *ticks));
            }
        }
        for (place, core) in shares.iter().enumerate() {
            let of = LaneKind::InitializeIdle { core: core.core };
            let count = events(Contexts::INITIALIZE, place) + events(Contexts::IDLE, place);
            all.push(Lane::new(of, count, core.initialize));
        }
        let executed = shares.contexts(trace.contexts.len());
        for thread in trace.contexts.threads() {
            let of = LaneKind::Thread {
                context: thread.id.0,
            };
            let executed = executed.get(thread.id.index());
            all.push(Lane::new(
                of,
                postings.count(thread.id),
                executed.copied().unwrap_or_default(),
            ));
            if let Some((_, machine)) = machines.find(thread.id) {
                let of = LaneKind::Machine {
                    context: thread.id.0,
                };
                all.push(Lane::new(of, 0, machine.known()));
            }
        }
        Self {
            all,
            isrs: OnceLock::new(),
            masks: OnceLock::new(),
            machines: OnceLock::new(),
            cores: shares.iter().map(|_| PerAxis::new()).collect(),
            inversions: PerAxis::new(),
        }
    }
}
