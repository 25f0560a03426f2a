//! Counts that do not depend on the schedule.

use crate::report::Scope;
use foldhash::{HashMap, HashMapExt as _};
use rtoscope_trace::catalogue::Meaning;
use rtoscope_trace::{ContextId, Event, EventIndex, EventKindId, Trace};
use std::ops::Range;

/// Counts over the events of a scope.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventCounts {
    /// Events of the scope.
    pub events: u64,
    /// Number of events by context and kind.
    pub services: HashMap<(ContextId, EventKindId), u64>,
    /// Counts by context.
    pub contexts: Vec<ContextCounts>,
}

/// Counts over a context's own events.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ContextCounts {
    /// Number of events.
    pub events: u64,
    /// Highest and lowest effective priority (0 is the highest), where recorded.
    pub priorities: Option<(u16, u16)>,
    /// The smallest stack pointer that is not below the thread's stack, and its
    /// event.
    pub stack_pointer: Option<(u64, EventIndex)>,
    /// Stack pointers outside the thread's stack.
    pub outside_stack_pointers: u64,
    /// Whether one of these is only a little below the stack, as after an overflow.
    pub is_just_below_stack: bool,
}

/// A stack pointer that is below a stack by at most this part of its size is just below it.
const JUST_BELOW_PART: u64 = 4;

/// Kinds below this number find their stack pointer and their counts in tables.
const TABLE_KINDS: usize = 1024;
/// Contexts below this number find their counts in tables.
const TABLE_CONTEXTS: usize = 256;

/// Counts events as they arrive.
#[derive(Debug, Clone)]
pub(crate) struct EventCountsBuilder {
    stacks: Vec<Option<Range<u64>>>,
    stack_pointers: Vec<Option<u8>>,
    events: u64,
    /// Number of events by context, then by kind.
    services: Vec<Vec<u64>>,
    /// Number of events of higher contexts and kinds.
    other_services: HashMap<(ContextId, EventKindId), u64>,
    contexts: Vec<ContextCounts>,
}

impl EventCounts {
    /// Counts the events of a scope.
    pub fn from_trace(trace: &Trace, scope: &Scope) -> Self {
        let mut builder = EventCountsBuilder::new(trace);
        trace.events.visit(scope.events(trace), |event| {
            if scope.includes(&event) {
                builder.push(&event);
            }
        });
        builder.finish()
    }
}

impl EventCountsBuilder {
    pub(crate) fn new(trace: &Trace) -> Self {
        Self {
            stacks: stacks(trace),
            stack_pointers: stack_pointers(trace),
            events: 0,
            services: Vec::new(),
            other_services: HashMap::new(),
            contexts: vec![ContextCounts::default(); trace.contexts.len()],
        }
    }

    /// Counts an event.
    #[inline]
    pub(crate) fn push(&mut self, event: &Event) {
        self.events += 1;
        *self.count_of(event.context, event.kind) += 1;
        let Some(context) = self.contexts.get_mut(event.context.index()) else {
            return;
        };
        context.events += 1;
        if let Some(priority) = event.priority() {
            let (highest, lowest) = context.priorities.unwrap_or((priority, priority));
            context.priorities = Some((highest.min(priority), lowest.max(priority)));
            let pointer = self.stack_pointers.get(event.kind.index());
            let pointer = pointer.copied().flatten();
            let pointer = pointer.and_then(|at| event.arguments.get(usize::from(at)));
            if let (Some(pointer), Some(Some(stack))) =
                (pointer, self.stacks.get(event.context.index()))
            {
                context.record_stack_pointer(*pointer, stack, event.index);
            }
        }
    }

    #[inline]
    fn count_of(&mut self, context: ContextId, kind: EventKindId) -> &mut u64 {
        let (row, column) = (context.index(), kind.index());
        if row >= TABLE_CONTEXTS || column >= TABLE_KINDS {
            return self.other_services.entry((context, kind)).or_default();
        }
        if row >= self.services.len() {
            self.services.resize_with(row + 1, Vec::new);
        }
        let counts = &mut self.services[row];
        if column >= counts.len() {
            counts.resize(column + 1, 0);
        }
        &mut counts[column]
    }

    pub(crate) fn finish(self) -> EventCounts {
        let mut services = self.other_services;
        for (counts, context) in self.services.into_iter().zip((0..).map(ContextId)) {
            let counts = counts.into_iter().zip((0..).map(EventKindId));
            let counted = counts.filter(|(count, _)| *count > 0);
            services.extend(counted.map(|(count, kind)| ((context, kind), count)));
        }
        EventCounts {
            events: self.events,
            services,
            contexts: self.contexts,
        }
    }
}

impl ContextCounts {
    fn record_stack_pointer(&mut self, pointer: u64, stack: &Range<u64>, event: EventIndex) {
        if pointer < stack.start || pointer > stack.end {
            self.outside_stack_pointers += 1;
            let overflow = stack.start.checked_sub(pointer);
            let little = (stack.end - stack.start) / JUST_BELOW_PART;
            self.is_just_below_stack |= overflow.is_some_and(|bytes| bytes <= little);
        } else if self.stack_pointer.is_none_or(|(least, _)| pointer < least) {
            self.stack_pointer = Some((pointer, event));
        }
    }
}

/// The stack of each context that has one.
fn stacks(trace: &Trace) -> Vec<Option<Range<u64>>> {
    let stack = |context: &rtoscope_trace::Context| {
        let [start, bytes] = trace.objects.get(context.object?)?.stack()?;
        Some(start..start.checked_add(bytes)?)
    };
    trace.contexts.iter().map(stack).collect()
}

/// The argument of each kind that is the stack pointer of the logging context.
fn stack_pointers(trace: &Trace) -> Vec<Option<u8>> {
    let mut pointers = vec![None; TABLE_KINDS];
    for kind in &trace.catalogue {
        let mut arguments = kind.arguments.iter();
        let at = arguments.position(|argument| {
            let meaning = argument.as_ref().map(|argument| argument.meaning);
            meaning == Some(Meaning::StackPointer)
        });
        if let Some(slot) = pointers.get_mut(kind.id.index()) {
            *slot = at.and_then(|at| u8::try_from(at).ok());
        }
    }
    pointers
}
