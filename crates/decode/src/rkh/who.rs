//! Who executed when a record was made, as far as the records tell.
//!
//! The records of an active object's step say whose it is; those within a step
//! belong to it. What stands between steps belongs to nobody in particular.
//! Facts: the calls of the `RKH_TR_…` macros in RKH 3.4.00, `rkh_fwk_enter()`
//! of the native scheduler above all.

use super::addresses::Addresses;
use super::columns::Columns;
use super::role::{Role, Sense, Senses};
use super::stream::Run;
use super::survey::Survey;
use rtoscope_trace::event::Standing;
use rtoscope_trace::reaction::Outcome;
use rtoscope_trace::{ContextId, Contexts, EventIndex, Gap};

/// Who executed, for each record.
pub(super) struct Executed {
    pub(super) context: Vec<ContextId>,
    pub(super) standing: Vec<Standing>,
}

/// The active objects by address, in the order of their contexts, and what is
/// known of them.
pub(super) struct Objects {
    pub(super) ids: Addresses<ContextId>,
    /// Index: context. 255, the lowest of all, where it is not known.
    pub(super) priorities: Vec<u16>,
}

/// The priority of an object of which none was recorded: RKH has at most 64.
pub(super) const UNKNOWN_PRIORITY: u16 = 255;

/// RKH has at most 64 active objects, so that no more can preempt each other.
const DEEPEST: usize = 64;

/// Says who executed.
pub(super) fn executed(
    columns: &Columns,
    senses: &Senses,
    objects: &Objects,
    survey: &Survey,
    runs: &[Run],
    gaps: &[Gap],
) -> Executed {
    let mut now = Now {
        objects,
        columns,
        tells_ends: survey.tells_ends,
        steps: Vec::new(),
        started: false,
        lost: false,
        finished: None,
        expired: false,
        transition: None,
        before: Role::Other,
    };
    let count = columns.len();
    let mut executed = Executed {
        context: Vec::with_capacity(count),
        standing: Vec::with_capacity(count),
    };
    let mut runs = runs.iter().peekable();
    let mut gaps = gaps.iter().peekable();
    let records = columns.kinds.iter().zip(&columns.arguments).zip(0..);
    for ((kind, arguments), number) in records {
        let event = EventIndex(number);
        if let Some(run) = runs.next_if(|run| run.first == event) {
            now.start_run(run, columns);
        }
        if gaps.next_if(|gap| gap.before == event).is_some() {
            now.forget();
        }
        let sense = senses.get(*kind);
        let context = now.take(sense, arguments, event);
        if now.with_before(sense.role) {
            // The record before was made on the way to this one.
            executed.context.pop();
            executed.standing.pop();
            executed.push(context, &now);
        }
        executed.push(context, &now);
        now.before = sense.role;
    }
    executed
}

impl Executed {
    #[inline(always)]
    fn push(&mut self, context: ContextId, now: &Now<'_>) {
        self.context.push(context);
        self.standing.push(now.standing(context));
    }
}

/// What is known at a record.
struct Now<'a> {
    objects: &'a Objects,
    columns: &'a Columns,
    tells_ends: bool,
    /// Whose steps have begun and not ended, the innermost last.
    steps: Vec<ContextId>,
    /// Whether the framework schedules.
    started: bool,
    /// Whether records are missing, so that a step may have begun unseen.
    lost: bool,
    /// Whose step has just ended: the event is freed behind it.
    finished: Option<ContextId>,
    /// Whether a timer has expired and its event is not yet sent.
    expired: bool,
    /// Who is in a transition.
    transition: Option<ContextId>,
    before: Role,
}

impl Now<'_> {
    fn start_run(&mut self, run: &Run, columns: &Columns) {
        if run.restart || run.first.0 == 0 {
            self.forget();
            self.lost = false;
            // A recording that begins with neither was begun later.
            let first = columns.sequences.get(run.first.index());
            let attached = run.target.is_none() && run.configuration.sequence;
            self.started = attached && first.is_some_and(|first| *first != 0);
        }
    }

    fn forget(&mut self) {
        self.steps.clear();
        self.finished = None;
        self.transition = None;
        self.expired = false;
        self.lost = true;
        self.before = Role::Other;
    }

    /// Whoever executes where the record does not say.
    #[inline(always)]
    fn current(&self) -> ContextId {
        match self.steps.last() {
            Some(object) => *object,
            None if self.started => Contexts::IDLE,
            None => Contexts::INITIALIZE,
        }
    }

    /// Whoever frees an event: its step has just ended.
    fn freeing(&self) -> ContextId {
        self.finished.unwrap_or_else(|| self.current())
    }

    #[inline(always)]
    fn standing(&self, context: ContextId) -> Standing {
        if context == Contexts::INTERRUPT {
            let unknown = self.lost && self.steps.is_empty();
            let interrupted = if unknown {
                ContextId::UNKNOWN
            } else {
                self.current()
            };
            return Standing::interrupted(interrupted);
        }
        let priority = self.objects.priorities.get(context.index());
        Standing::thread(priority.copied().unwrap_or_default(), None)
    }

    /// Whether the record before belongs to this one.
    #[inline(always)]
    fn with_before(&self, role: Role) -> bool {
        matches!(
            (self.before, role),
            (Role::QueueGet | Role::QueueGetLast, Role::Take)
                | (Role::QueueFifo, Role::PostFifo)
                | (Role::QueueLifo, Role::PostLifo)
                | (Role::PoolGet, Role::Allocate)
        )
    }

    #[inline(always)]
    fn take(&mut self, sense: &Sense, arguments: &[u32; 4], event: EventIndex) -> ContextId {
        let columns = self.columns;
        let words = || columns.extras.words(event);
        let object = || {
            let address = sense.object.of(arguments, words)?;
            self.objects.ids.get(address)
        };
        let role = sense.role;
        let context = match role {
            Role::Take => {
                let object = object();
                self.started = true;
                self.begin(object)
            }
            Role::Dispatch => {
                let object = object();
                self.transition = None;
                self.begin(object)
            }
            Role::Initial => match object() {
                Some(object) => {
                    self.enter(object);
                    object
                }
                None => self.current(),
            },
            Role::Transition => {
                self.transition = object();
                self.transition.unwrap_or_else(|| self.current())
            }
            Role::Done(outcome) => {
                let object = object();
                self.end(object, outcome)
            }
            Role::Segment
            | Role::Enstate
            | Role::Exstate
            | Role::Action
            | Role::Settle
            | Role::Machine
            | Role::Register
            | Role::Activate => object().unwrap_or_else(|| self.current()),
            Role::PostFifo
            | Role::PostLifo
            | Role::Allocate
            | Role::Recycle
            | Role::Synchronous => match sense.actor.of(arguments, words) {
                None | Some(0) if self.expired => Contexts::INTERRUPT,
                None | Some(0) if role == Role::Recycle => self.freeing(),
                None | Some(0) => self.current(),
                Some(actor) => self.objects.ids.get(actor).unwrap_or(Contexts::INTERRUPT),
            },
            Role::TimerExpire => {
                self.started = true;
                Contexts::INTERRUPT
            }
            Role::TimerRemove if self.before == Role::TimerExpire => Contexts::INTERRUPT,
            Role::QueueFifo | Role::QueueLifo if self.expired => Contexts::INTERRUPT,
            Role::Release | Role::PoolPut => self.freeing(),
            Role::Enter => {
                self.started = true;
                Contexts::INITIALIZE
            }
            _ => self.current(),
        };
        match role {
            Role::TimerExpire => self.expired = true,
            Role::TimerRemove | Role::QueueFifo | Role::QueueLifo => {}
            _ => self.expired = false,
        }
        let frees = matches!(
            role,
            Role::Done(_) | Role::Release | Role::Recycle | Role::PoolPut
        );
        if !frees && context != Contexts::INTERRUPT {
            self.finished = None;
        }
        context
    }

    /// An object's step begins, or goes on with a further event.
    fn begin(&mut self, object: Option<ContextId>) -> ContextId {
        let Some(object) = object else {
            return self.current();
        };
        let within = self.steps.last().copied();
        if within.is_some_and(|within| within != object && !self.preempts(object, within)) {
            // The native scheduler lets each step end before the next begins.
            self.steps.clear();
        }
        self.enter(object);
        object
    }

    /// Whether an object's step can have begun within another's.
    fn preempts(&self, object: ContextId, within: ContextId) -> bool {
        let priority = |id: ContextId| self.objects.priorities.get(id.index()).copied();
        self.tells_ends && (self.steps.contains(&object) || priority(object) < priority(within))
    }

    fn enter(&mut self, object: ContextId) {
        match self.steps.iter().position(|step| *step == object) {
            Some(place) => self.steps.truncate(place + 1),
            None => {
                if self.steps.len() >= DEEPEST {
                    self.steps.remove(0);
                }
                self.steps.push(object);
            }
        }
    }

    fn end(&mut self, object: Option<ContextId>, outcome: Outcome) -> ContextId {
        let Some(object) = object else {
            return self.current();
        };
        // A guard that is false ends the step within a transition only.
        if outcome != Outcome::GuardFalse || self.transition == Some(object) {
            if let Some(place) = self.steps.iter().position(|step| *step == object) {
                self.steps.truncate(place);
            }
            self.finished = Some(object);
            self.transition = None;
        }
        object
    }
}
