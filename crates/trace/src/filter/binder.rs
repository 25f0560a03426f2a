//! What binding a filter needs to know of a trace.

use super::ast::{Comparator, FieldCondition, FilterValue};
use super::error::{FilterError, FilterProblem};
use super::kinds::EventKindTable;
use super::quantity::Quantity;
use super::set::{ValueRange, ValueSet, single_value};
use super::span::Span;
use super::suggest::closest;
use crate::catalogue::Meaning;
use crate::{EventKind, Name, Nanoseconds, Object, Trace};
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;

pub(super) type Result<T> = std::result::Result<T, FilterError>;

/// The inputs of binding, computed on first use.
pub(super) struct Binder<'e, 't> {
    pub(super) text: &'e str,
    pub(super) trace: &'t Trace,
    /// Receives unknown names, if they are no error.
    unknown: Option<RefCell<&'e mut Vec<FilterProblem>>>,
    kinds: OnceCell<EventKindTable>,
    contexts: OnceCell<Vec<String>>,
    objects: OnceCell<Vec<String>>,
    texts: OnceCell<Vec<(u64, String, &'t [u8])>>,
}

impl<'e, 't> Binder<'e, 't> {
    pub(super) fn new(
        text: &'e str,
        trace: &'t Trace,
        unknown: Option<&'e mut Vec<FilterProblem>>,
    ) -> Self {
        Self {
            text,
            trace,
            unknown: unknown.map(RefCell::new),
            kinds: OnceCell::new(),
            contexts: OnceCell::new(),
            objects: OnceCell::new(),
            texts: OnceCell::new(),
        }
    }

    /// The table of kinds; empty if nothing needed it.
    pub(super) fn into_kinds(self) -> EventKindTable {
        self.kinds.into_inner().unwrap_or_default()
    }

    pub(super) fn kinds(&self) -> &EventKindTable {
        self.kinds.get_or_init(|| EventKindTable::new(self.trace))
    }

    /// The display names of the trace's contexts, in its order.
    pub(super) fn context_names(&self) -> &[String] {
        let contexts = self.trace.contexts.iter();
        let shown = || contexts.map(|context| self.trace.context_name(context.id));
        self.contexts.get_or_init(|| shown().collect())
    }

    /// The display names of the trace's objects, in its order.
    pub(super) fn object_names(&self) -> &[String] {
        let shown = || self.trace.objects.iter().map(Object::display_name);
        self.objects.get_or_init(|| shown().collect())
    }

    /// The texts among the arguments of the trace's events: the value, its
    /// display form, and the bytes that the target wrote.
    pub(super) fn texts(&self) -> &[(u64, String, &'t [u8])] {
        self.texts.get_or_init(|| {
            let trace = self.trace;
            let has_text = |kind: &&EventKind| {
                let mut arguments = kind.all_arguments().flatten();
                arguments.any(|argument| argument.meaning == Meaning::Text)
            };
            let kinds: HashMap<_, _> = trace
                .catalogue
                .iter()
                .filter(has_text)
                .map(|kind| (kind.id, kind))
                .collect();
            let mut texts = Vec::new();
            for event in trace.events.iter().filter(|_| !kinds.is_empty()) {
                let Some(kind) = kinds.get(&event.kind) else {
                    continue;
                };
                for (argument, value) in trace.raw_arguments(kind, &event) {
                    if argument.meaning == Meaning::Text {
                        let raw = trace.events.extras().text(value);
                        texts.push((value, Name::new(raw).to_string(), raw));
                    }
                }
            }
            texts
        })
    }

    /// The numbers that satisfy a condition.
    pub(super) fn matching_numbers(&self, condition: &FieldCondition) -> Result<ValueSet> {
        let (comparator, value) = match condition {
            FieldCondition::Compare(comparator, value) => (*comparator, value),
            FieldCondition::Among(values) => {
                let runs: Result<Vec<_>> =
                    values.iter().map(|value| self.value_range(value)).collect();
                return Ok(ValueSet::from_ranges(runs?));
            }
            FieldCondition::Range {
                start,
                end,
                inclusive,
            } => {
                let (first, last) = (self.value_range(start)?, self.value_range(end)?);
                let end = if *inclusive { last.end } else { last.start };
                return Ok(ValueSet::from_range(first.start..end));
            }
            FieldCondition::Bits(value) => {
                let run = self.value_range(value)?;
                return Ok(ValueSet::Bits(u64::try_from(run.start).unwrap_or_default()));
            }
        };
        let run = self.value_range(value)?;
        Ok(match comparator {
            Comparator::Less => ValueSet::from_range(0..run.start),
            Comparator::LessOrEqual => ValueSet::from_range(0..run.end),
            Comparator::Greater => ValueSet::from_range(run.end..u128::MAX),
            Comparator::GreaterOrEqual => ValueSet::from_range(run.start..u128::MAX),
            Comparator::NotEqual | Comparator::Unlike => ValueSet::all_except([run]),
            Comparator::Equal | Comparator::Like => ValueSet::from_ranges([run]),
        })
    }

    /// The numbers that are equal to a value: one, or the ticks that are
    /// displayed as the same time.
    fn value_range(&self, value: &FilterValue) -> Result<ValueRange> {
        match value.literal.word().map(Quantity::parse) {
            Some(Ok(Quantity::Plain(number))) => Ok(single_value(number)),
            Some(Ok(Quantity::Nanoseconds(time))) => {
                let ticks = self.trace.timescale().ticks_at(Nanoseconds(time));
                ticks.map_err(|why| {
                    FilterError::new(self.text, value.span, FilterProblem::NoTime(why))
                })
            }
            _ => Err(FilterError::unexpected(self.text, value.span, "a number")),
        }
    }

    /// An unknown name: an error, unless such names are collected.
    pub(super) fn unknown_name<'n>(
        &self,
        what: &'static str,
        name: &[u8],
        span: Span,
        names: impl IntoIterator<Item = impl Into<std::borrow::Cow<'n, str>>>,
    ) -> Result<()> {
        let name = crate::Name::new(name).to_string();
        let closest = closest(&name, names);
        let problem = FilterProblem::UnknownName {
            noun: what,
            name,
            closest,
        };
        match &self.unknown {
            Some(unknown) => {
                unknown.borrow_mut().push(problem);
                Ok(())
            }
            None => Err(FilterError::new(self.text, span, problem)),
        }
    }
}
