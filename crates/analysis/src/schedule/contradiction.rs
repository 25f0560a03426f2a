//! Self-checks: states that no kernel allows, because records are missing or say
//! something else than they are taken to say. Nothing is based on them: they
//! become unknown.

use super::lock::Ending;
use super::{Hold, Slices, State, Stretch, Who};
use rtoscope_trace::diagnostic::counted;
use rtoscope_trace::{ContextId, Contexts, Diagnostic, DiagnosticKind, EventIndex, Ticks, Trace};

/// What contradicts itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Impossible {
    /// A thread is ready while the only core is idle.
    ReadyWhileIdle,
    /// A thread that has ended owns a mutex.
    EndedOwner,
}

/// A state of a thread that cannot be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contradiction {
    /// What contradicts itself.
    pub what: Impossible,
    /// The thread.
    pub thread: ContextId,
    /// How often it does.
    pub count: u64,
    /// The event that began it for the first time.
    pub event: EventIndex,
    /// Ticks for which it lasts, all added up.
    pub ticks: Ticks,
}

impl Contradiction {
    /// What `rtoscope report health` says about it.
    pub fn diagnostic(&self, trace: &Trace) -> Diagnostic {
        let name = trace.context_name(self.thread);
        let times = counted(self.count, "time", "times");
        let ticks = self.ticks.0;
        let message = match self.what {
            Impossible::ReadyWhileIdle => format!(
                "{name} seems to be ready while the only core is idle ({times}, {ticks} ticks): \
                 its state is unknown there"
            ),
            Impossible::EndedOwner => format!(
                "{name} has ended and seems to own a mutex ({times}): the end of the hold is unknown"
            ),
        };
        let kind = DiagnosticKind::ImpossibleState;
        Diagnostic::new(kind, message)
            .on(self.event)
            .times(self.count)
    }
}

/// Finds the impossible and makes it unknown, thread by thread.
pub(super) fn resolve(
    cores: &[Slices],
    threads: &mut [Vec<Stretch>],
    holds: &mut [Hold],
) -> Vec<Contradiction> {
    let mut found = Vec::new();
    if let [core] = cores {
        let idle = idle_slices(core);
        for (stretches, id) in threads.iter_mut().zip(0..) {
            found.extend(ready_while_idle(stretches, ContextId(id), core, &idle));
        }
    }
    found.extend(ended_owners(threads, holds));
    found
}

/// The numbers of the slices in which a core is idle.
fn idle_slices(core: &Slices) -> Vec<u32> {
    let numbered = core.all.iter().zip(0..);
    let idle = numbered.filter(|(slice, _)| slice.who == Who::context(Contexts::IDLE));
    idle.map(|(_, number)| number).collect()
}

fn ready_while_idle(
    stretches: &mut [Stretch],
    thread: ContextId,
    core: &Slices,
    mut idle: &[u32],
) -> Option<Contradiction> {
    let times = |number: &u32| {
        let at = *number as usize;
        let start = core.all.get(at).map_or(0, |slice| slice.start.0);
        let next = core.all.get(at + 1);
        (start, next.map_or(core.end.0, |next| next.start.0))
    };
    let mut found: Option<Contradiction> = None;
    for at in 0..stretches.len() {
        let end = stretches
            .get(at + 1)
            .map_or(core.end.0, |next| next.start.0);
        let Some(stretch) = stretches.get_mut(at) else {
            break;
        };
        if stretch.state != State::Ready || idle.is_empty() {
            continue;
        }
        let start = stretch.start.0;
        idle = behind(idle, |number| times(number).1 <= start);
        let overlap = |(from, to): (u64, u64)| to.min(end).saturating_sub(from.max(start));
        let ticks = idle.first().map_or(0, |number| overlap(times(number)));
        if ticks == 0 {
            continue;
        }
        stretch.state = State::Unknown;
        stretch.seen = false;
        let one = found.get_or_insert(Contradiction {
            what: Impossible::ReadyWhileIdle,
            thread,
            count: 0,
            event: stretch.event,
            ticks: Ticks(0),
        });
        one.count += 1;
        one.ticks.0 = one.ticks.0.saturating_add(end.saturating_sub(start));
    }
    found
}

/// What is left of a sorted slice behind those at its beginning that fit, found
/// in steps that grow: the next is rarely far.
fn behind(all: &[u32], fits: impl Fn(&u32) -> bool) -> &[u32] {
    let mut step = 1;
    while all.get(step - 1).is_some_and(&fits) {
        step = step.saturating_mul(2);
    }
    let within = all.get(..step).unwrap_or(all);
    all.get(within.partition_point(fits)..).unwrap_or_default()
}

fn ended_owners(threads: &[Vec<Stretch>], holds: &mut [Hold]) -> Vec<Contradiction> {
    let mut found: Vec<Contradiction> = Vec::new();
    for hold in holds.iter_mut().filter(|it| it.ending == Ending::Lost) {
        let stretches = threads.get(hold.owner.index());
        let stretches = stretches.map(Vec::as_slice).unwrap_or_default();
        let until = stretches.partition_point(|stretch| stretch.event <= hold.last);
        let last = stretches.get(..until).and_then(<[Stretch]>::last);
        let ended = last.filter(|last| {
            let ended = matches!(last.state, State::Waiting { wait, .. } if wait.is_end());
            ended && last.event < hold.last && hold.first <= last.event
        });
        let Some(ended) = ended else { continue };
        let ticks = hold.end.0.saturating_sub(ended.start.0);
        (hold.end, hold.last) = (ended.start, ended.event);
        let known = found.iter().position(|one| one.thread == hold.owner);
        if known.is_none() && found.len() == MAX_OWNERS {
            continue;
        }
        let known = known.unwrap_or_else(|| {
            found.push(Contradiction {
                what: Impossible::EndedOwner,
                thread: hold.owner,
                count: 0,
                event: ended.event,
                ticks: Ticks(0),
            });
            found.len() - 1
        });
        if let Some(one) = found.get_mut(known) {
            one.count += 1;
            one.ticks.0 = one.ticks.0.saturating_add(ticks);
        }
    }
    found
}

/// Owners with a diagnostic of their own, so that the cost of a hold does not
/// grow with the number of threads.
const MAX_OWNERS: usize = 64;
