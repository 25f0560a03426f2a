//! Attributes each record to the context that was running, as far as the
//! records show it.
//!
//! The records of an active object's step identify the object; other records
//! within a step belong to it. Records between steps belong to no particular
//! context. References: the calls of the `RKH_TR_…` macros in RKH 3.4.00,
//! especially `rkh_fwk_enter()` of the native scheduler.

use super::active_object_contexts::ActiveObjectContexts;
use super::columns::RecordColumns;
use super::kind_semantics::{KindSemantics, RecordRole, SemanticsTable};
use super::record_page::RecordPage;
use super::stream_info::StreamRun;
use super::survey::TargetSurvey;
use rtoscope_trace::active_object::StepOutcome;
use rtoscope_trace::event::PriorityWord;
use rtoscope_trace::{ContextId, Contexts, EventIndex};
use std::ops::Range;

/// The running context of each record.
pub(super) struct ContextAttribution {
    pub(super) context: Vec<ContextId>,
    pub(super) priority_word: Vec<PriorityWord>,
}

/// RKH has at most 64 active objects, which limits the nesting of preemptions.
const MAX_NESTED_STEPS: usize = 64;

/// Properties of the stream that attribution needs.
pub(super) struct AttributionContext<'a> {
    pub(super) kind_semantics: &'a SemanticsTable,
    pub(super) objects: ActiveObjectContexts,
    /// Whether any record marks the end of an event's processing.
    pub(super) records_step_ends: bool,
}

impl<'a> AttributionContext<'a> {
    pub(super) fn new(kind_semantics: &'a SemanticsTable, survey: &TargetSurvey) -> Self {
        Self {
            kind_semantics,
            objects: ActiveObjectContexts::new(&survey.active_objects, |_| None).1,
            records_step_ends: survey.records_step_ends,
        }
    }
}

/// The running context before a record. Active objects are stored as addresses,
/// because their context ids change when further objects become known.
#[derive(Debug, Clone, Default)]
pub(super) struct RunningState {
    steps: Vec<u32>,
    is_scheduling: bool,
    has_lost_records: bool,
    finished_step: Option<u32>,
    timer_expired: bool,
    in_transition: Option<u32>,
    previous_role: RecordRole,
}

/// Attributes a range of a page, and returns the state after it.
pub(super) fn attribute_contexts(
    page: &RecordPage,
    range: Range<usize>,
    known: &AttributionContext<'_>,
    state: &RunningState,
) -> (ContextAttribution, RunningState) {
    let mut cursor = AttributionCursor::new(page, known, state);
    let mut executed = ContextAttribution {
        context: Vec::with_capacity(range.len()),
        priority_word: Vec::with_capacity(range.len()),
    };
    let first = EventIndex(u32::try_from(range.start).unwrap_or(u32::MAX));
    let passed = page.runs.partition_point(|run| run.first < first);
    let mut runs = page.runs.iter().skip(passed).peekable();
    let passed = page.gaps.partition_point(|gap| gap.next_event < first);
    let mut gaps = page.gaps.iter().skip(passed).peekable();
    let columns = &page.columns;
    let kinds = columns.kinds.get(range.clone()).unwrap_or_default();
    let arguments = columns.arguments.get(range).unwrap_or_default();
    let records = kinds.iter().zip(arguments).zip(first.0..);
    for ((kind, arguments), number) in records {
        let event = EventIndex(number);
        if let Some(run) = runs.next_if(|run| run.first == event) {
            cursor.start_run(run, page);
        }
        if gaps.next_if(|gap| gap.next_event == event).is_some() {
            cursor.reset();
        }
        let semantics = known.kind_semantics.get(*kind);
        let context = cursor.attribute(semantics, arguments, event);
        if cursor.belongs_to_previous(semantics.role) && executed.context.pop().is_some() {
            // The previous record was written in the course of this one.
            executed.priority_word.pop();
            executed.push(context, &cursor);
        }
        executed.push(context, &cursor);
        cursor.previous_role = semantics.role;
    }
    let state = cursor.state();
    (executed, state)
}

impl ContextAttribution {
    #[inline(always)]
    fn push(&mut self, context: ContextId, cursor: &AttributionCursor<'_>) {
        self.context.push(context);
        self.priority_word.push(cursor.priority_word(context));
    }
}

/// The state at a record.
struct AttributionCursor<'a> {
    objects: &'a ActiveObjectContexts,
    columns: &'a RecordColumns,
    records_step_ends: bool,
    /// Objects with unfinished steps, the innermost last.
    steps: Vec<ContextId>,
    /// Whether the framework is scheduling.
    is_scheduling: bool,
    /// Whether records are missing, so that a step may have begun unrecorded.
    has_lost_records: bool,
    /// The object whose step has just ended: it frees the event next.
    finished_step: Option<ContextId>,
    /// Whether a timer has expired and its event is not yet posted.
    timer_expired: bool,
    /// The object in a transition.
    in_transition: Option<ContextId>,
    previous_role: RecordRole,
}

impl<'a> AttributionCursor<'a> {
    fn new(page: &'a RecordPage, known: &'a AttributionContext<'_>, state: &RunningState) -> Self {
        let objects = &known.objects;
        let id = |address: &u32| objects.ids.get(address).copied();
        Self {
            objects,
            columns: &page.columns,
            records_step_ends: known.records_step_ends,
            steps: state.steps.iter().filter_map(id).collect(),
            is_scheduling: state.is_scheduling,
            has_lost_records: state.has_lost_records,
            finished_step: state.finished_step.as_ref().and_then(id),
            timer_expired: state.timer_expired,
            in_transition: state.in_transition.as_ref().and_then(id),
            previous_role: state.previous_role,
        }
    }

    fn state(&self) -> RunningState {
        let address = |id: &ContextId| self.objects.address(*id);
        RunningState {
            steps: self.steps.iter().filter_map(address).collect(),
            is_scheduling: self.is_scheduling,
            has_lost_records: self.has_lost_records,
            finished_step: self.finished_step.as_ref().and_then(address),
            timer_expired: self.timer_expired,
            in_transition: self.in_transition.as_ref().and_then(address),
            previous_role: self.previous_role,
        }
    }

    fn start_run(&mut self, run: &StreamRun, page: &RecordPage) {
        if run.restart || page.is_start(run.first) {
            self.reset();
            self.has_lost_records = false;
            // A recording that begins with neither was started later.
            let first = page.columns.sequences.get(run.first.index());
            let carried = page.continues_run && run.first.0 == 0;
            let attached = (carried || run.target.is_none()) && run.configuration.sequence;
            self.is_scheduling = attached && first.is_some_and(|first| *first != 0);
        }
    }

    fn reset(&mut self) {
        self.steps.clear();
        self.finished_step = None;
        self.in_transition = None;
        self.timer_expired = false;
        self.has_lost_records = true;
        self.previous_role = RecordRole::Other;
    }

    /// The running context if the record does not identify one.
    #[inline(always)]
    fn current_context(&self) -> ContextId {
        match self.steps.last() {
            Some(object) => *object,
            None if self.is_scheduling => Contexts::IDLE,
            None => Contexts::INITIALIZE,
        }
    }

    /// The context that frees an event: the object whose step has just ended.
    fn freeing_context(&self) -> ContextId {
        self.finished_step.unwrap_or_else(|| self.current_context())
    }

    #[inline(always)]
    fn priority_word(&self, context: ContextId) -> PriorityWord {
        if context == Contexts::INTERRUPT {
            let unknown = self.has_lost_records && self.steps.is_empty();
            let interrupted = if unknown {
                ContextId::UNKNOWN
            } else {
                self.current_context()
            };
            return PriorityWord::interrupted(interrupted);
        }
        let priority = self.objects.priorities.get(context.index());
        PriorityWord::thread(priority.copied().unwrap_or_default(), None)
    }

    /// Whether the previous record belongs to this one.
    #[inline(always)]
    fn belongs_to_previous(&self, role: RecordRole) -> bool {
        matches!(
            (self.previous_role, role),
            (
                RecordRole::QueueGet | RecordRole::QueueGetLast,
                RecordRole::Take
            ) | (RecordRole::QueueFifo, RecordRole::PostFifo)
                | (RecordRole::QueueLifo, RecordRole::PostLifo)
                | (RecordRole::PoolGet, RecordRole::Allocate)
        )
    }

    #[inline(always)]
    fn attribute(
        &mut self,
        semantics: &KindSemantics,
        arguments: &[u32; 4],
        event: EventIndex,
    ) -> ContextId {
        let columns = self.columns;
        let words = || columns.extras.words(event);
        let object = || {
            let address = semantics.object.value(arguments, words)?;
            self.objects.ids.get(&address).copied()
        };
        let role = semantics.role;
        let context = match role {
            RecordRole::Take => {
                let object = object();
                self.is_scheduling = true;
                self.begin_step(object)
            }
            RecordRole::Dispatch => {
                let object = object();
                self.in_transition = None;
                self.begin_step(object)
            }
            RecordRole::Initial => match object() {
                Some(object) => {
                    self.enter_step(object);
                    object
                }
                None => self.current_context(),
            },
            RecordRole::Transition => {
                self.in_transition = object();
                self.in_transition.unwrap_or_else(|| self.current_context())
            }
            RecordRole::Done(outcome) => {
                let object = object();
                self.end_step(object, outcome)
            }
            RecordRole::Segment
            | RecordRole::Enstate
            | RecordRole::Exstate
            | RecordRole::Action
            | RecordRole::Settle
            | RecordRole::Machine
            | RecordRole::Register
            | RecordRole::Activate => object().unwrap_or_else(|| self.current_context()),
            RecordRole::PostFifo
            | RecordRole::PostLifo
            | RecordRole::Allocate
            | RecordRole::Recycle
            | RecordRole::Synchronous => match semantics.actor.value(arguments, words) {
                None | Some(0) if self.timer_expired => Contexts::INTERRUPT,
                None | Some(0) if role == RecordRole::Recycle => self.freeing_context(),
                None | Some(0) => self.current_context(),
                Some(actor) => self
                    .objects
                    .ids
                    .get(&actor)
                    .copied()
                    .unwrap_or(Contexts::INTERRUPT),
            },
            RecordRole::TimerExpire => {
                self.is_scheduling = true;
                Contexts::INTERRUPT
            }
            RecordRole::TimerRemove if self.previous_role == RecordRole::TimerExpire => {
                Contexts::INTERRUPT
            }
            RecordRole::QueueFifo | RecordRole::QueueLifo if self.timer_expired => {
                Contexts::INTERRUPT
            }
            RecordRole::Release | RecordRole::PoolPut => self.freeing_context(),
            RecordRole::StartScheduling => {
                self.is_scheduling = true;
                Contexts::INITIALIZE
            }
            _ => self.current_context(),
        };
        match role {
            RecordRole::TimerExpire => self.timer_expired = true,
            RecordRole::TimerRemove | RecordRole::QueueFifo | RecordRole::QueueLifo => {}
            _ => self.timer_expired = false,
        }
        let frees = matches!(
            role,
            RecordRole::Done(_) | RecordRole::Release | RecordRole::Recycle | RecordRole::PoolPut
        );
        if !frees && context != Contexts::INTERRUPT {
            self.finished_step = None;
        }
        context
    }

    /// An object's step begins, or continues with a further event.
    fn begin_step(&mut self, object: Option<ContextId>) -> ContextId {
        let Some(object) = object else {
            return self.current_context();
        };
        let within = self.steps.last().copied();
        if within.is_some_and(|within| within != object && !self.preempts(object, within)) {
            // The native scheduler completes each step before the next begins.
            self.steps.clear();
        }
        self.enter_step(object);
        object
    }

    /// Whether an object's step can begin within another's.
    fn preempts(&self, object: ContextId, within: ContextId) -> bool {
        let priority = |id: ContextId| self.objects.priorities.get(id.index()).copied();
        self.records_step_ends
            && (self.steps.contains(&object) || priority(object) < priority(within))
    }

    fn enter_step(&mut self, object: ContextId) {
        match self.steps.iter().position(|step| *step == object) {
            Some(place) => self.steps.truncate(place + 1),
            None => {
                if self.steps.len() >= MAX_NESTED_STEPS {
                    self.steps.remove(0);
                }
                self.steps.push(object);
            }
        }
    }

    fn end_step(&mut self, object: Option<ContextId>, outcome: StepOutcome) -> ContextId {
        let Some(object) = object else {
            return self.current_context();
        };
        // A false guard ends the step only within a transition.
        if outcome != StepOutcome::GuardFalse || self.in_transition == Some(object) {
            if let Some(place) = self.steps.iter().position(|step| *step == object) {
                self.steps.truncate(place);
            }
            self.finished_step = Some(object);
            self.in_transition = None;
        }
        object
    }
}
