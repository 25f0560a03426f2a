//! Who executed when a record was made, as far as the records tell.
//!
//! The records of an active object's step say whose it is; those within a step
//! belong to it. What stands between steps belongs to nobody in particular.
//! Facts: the calls of the `RKH_TR_…` macros in RKH 3.4.00, `rkh_fwk_enter()`
//! of the native scheduler above all.

use super::actors::Objects;
use super::columns::Columns;
use super::page::Page;
use super::role::{Role, Sense, Senses};
use super::stream::Run;
use rtoscope_trace::event::Standing;
use rtoscope_trace::reaction::Outcome;
use rtoscope_trace::{ContextId, Contexts, EventIndex};
use std::ops::Range;

/// Who executed, for each record.
pub(super) struct Executed {
    pub(super) context: Vec<ContextId>,
    pub(super) standing: Vec<Standing>,
}

/// RKH has at most 64 active objects, so that no more can preempt each other.
const DEEPEST: usize = 64;

/// What is known of the records beside themselves.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    pub(super) senses: &'a Senses,
    pub(super) objects: &'a Objects,
    /// Whether any record tells that the processing of an event ended.
    pub(super) tells_ends: bool,
}

/// What is known before a record of who executes; active objects are addresses,
/// since their contexts have other numbers once another is known.
#[derive(Debug, Clone, Default)]
pub(super) struct State {
    steps: Vec<u32>,
    started: bool,
    lost: bool,
    finished: Option<u32>,
    expired: bool,
    transition: Option<u32>,
    before: Role,
}

/// Says who executed in a part of a page, and what is known behind it.
pub(super) fn executed(
    page: &Page,
    range: Range<usize>,
    known: &Known<'_>,
    state: &State,
) -> (Executed, State) {
    let mut now = Now::new(page, known, state);
    let mut executed = Executed {
        context: Vec::with_capacity(range.len()),
        standing: Vec::with_capacity(range.len()),
    };
    let first = EventIndex(u32::try_from(range.start).unwrap_or(u32::MAX));
    let passed = page.runs.partition_point(|run| run.first < first);
    let mut runs = page.runs.iter().skip(passed).peekable();
    let passed = page.gaps.partition_point(|gap| gap.before < first);
    let mut gaps = page.gaps.iter().skip(passed).peekable();
    let columns = &page.columns;
    let kinds = columns.kinds.get(range.clone()).unwrap_or_default();
    let arguments = columns.arguments.get(range).unwrap_or_default();
    let records = kinds.iter().zip(arguments).zip(first.0..);
    for ((kind, arguments), number) in records {
        let event = EventIndex(number);
        if let Some(run) = runs.next_if(|run| run.first == event) {
            now.start_run(run, page);
        }
        if gaps.next_if(|gap| gap.before == event).is_some() {
            now.forget();
        }
        let sense = known.senses.get(*kind);
        let context = now.take(sense, arguments, event);
        if now.with_before(sense.role) && executed.context.pop().is_some() {
            // The record before was made on the way to this one.
            executed.standing.pop();
            executed.push(context, &now);
        }
        executed.push(context, &now);
        now.before = sense.role;
    }
    let state = now.state();
    (executed, state)
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

impl<'a> Now<'a> {
    fn new(page: &'a Page, known: &Known<'a>, state: &State) -> Self {
        let objects = known.objects;
        let id = |address: &u32| objects.ids.get(*address);
        Self {
            objects,
            columns: &page.columns,
            tells_ends: known.tells_ends,
            steps: state.steps.iter().filter_map(id).collect(),
            started: state.started,
            lost: state.lost,
            finished: state.finished.as_ref().and_then(id),
            expired: state.expired,
            transition: state.transition.as_ref().and_then(id),
            before: state.before,
        }
    }

    fn state(&self) -> State {
        let address = |id: &ContextId| self.objects.address(*id);
        State {
            steps: self.steps.iter().filter_map(address).collect(),
            started: self.started,
            lost: self.lost,
            finished: self.finished.as_ref().and_then(address),
            expired: self.expired,
            transition: self.transition.as_ref().and_then(address),
            before: self.before,
        }
    }

    fn start_run(&mut self, run: &Run, page: &Page) {
        if run.restart || page.is_start(run.first) {
            self.forget();
            self.lost = false;
            // A recording that begins with neither was begun later.
            let first = page.columns.sequences.get(run.first.index());
            let carried = page.carries && run.first.0 == 0;
            let attached = (carried || run.target.is_none()) && run.configuration.sequence;
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
