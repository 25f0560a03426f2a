//! What binding a filter needs to know of a trace.

use super::ast::{Comparator, FieldCondition, FilterValue, Literal};
use super::error::{FilterError, FilterProblem};
use super::kinds::EventKindTable;
use super::quantity::Quantity;
use super::set::{ValueRange, ValueSet, single_value};
use super::span::Span;
use super::suggest::closest;
use crate::catalogue::{ArgumentDef, Meaning};
use crate::{EventKind, Name, Nanoseconds, Object, Trace};
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

pub(super) type Result<T> = std::result::Result<T, FilterError>;

/// The values with a name, by meaning.
type ValuesByName = HashMap<(Literal, Meaning), Rc<[ValueRange]>>;

/// Resolves the names of filters and patterns in a trace. What it needs to know of
/// the trace is computed on first use.
pub struct FilterBinder<'t> {
    /// The trace.
    pub trace: &'t Trace,
    /// Receives unknown names, if they are no error.
    unknown: Option<RefCell<Vec<FilterError>>>,
    kinds: OnceCell<Arc<EventKindTable>>,
    contexts: OnceCell<Vec<String>>,
    objects: OnceCell<Vec<String>>,
    texts: OnceCell<Vec<&'t [u8]>>,
    pub(super) values: RefCell<ValuesByName>,
}

impl<'t> FilterBinder<'t> {
    /// For a trace that has all names.
    pub fn new(trace: &'t Trace) -> Self {
        Self {
            trace,
            unknown: None,
            kinds: OnceCell::new(),
            contexts: OnceCell::new(),
            objects: OnceCell::new(),
            texts: OnceCell::new(),
            values: RefCell::default(),
        }
    }

    /// For a trace that still grows: a name that is unknown yet matches nothing.
    pub fn partial(trace: &'t Trace) -> Self {
        Self {
            unknown: Some(RefCell::default()),
            ..Self::new(trace)
        }
    }

    /// The names that were unknown since the last call.
    pub fn take_unknown(&self) -> Vec<FilterError> {
        self.unknown.as_ref().map(RefCell::take).unwrap_or_default()
    }

    /// Something is not known, which is an error unless the trace still grows.
    pub fn unknown(&self, error: FilterError) -> Result<()> {
        let Some(unknown) = &self.unknown else {
            return Err(error);
        };
        unknown.borrow_mut().push(error);
        Ok(())
    }

    /// The table of kinds; empty if nothing needed it.
    pub(super) fn kind_table(&self) -> Arc<EventKindTable> {
        self.kinds.get().cloned().unwrap_or_default()
    }

    pub(super) fn kinds(&self) -> &EventKindTable {
        let table = || Arc::new(EventKindTable::new(self.trace));
        self.kinds.get_or_init(table)
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

    /// The texts among the arguments of the trace's events.
    pub(super) fn texts(&self) -> &[&'t [u8]] {
        self.texts.get_or_init(|| {
            let trace = self.trace;
            let is_text = |argument: &ArgumentDef| argument.meaning == Meaning::Text;
            let has_text = |kind: &&EventKind| kind.all_arguments().flatten().any(is_text);
            let mut texts = Vec::new();
            trace.events.visit(0..trace.events.len(), |event| {
                if let Some(kind) = trace.catalogue.get(event.kind).filter(has_text) {
                    let all = trace.raw_arguments(kind, &event);
                    let of_event = all.filter(|(argument, _)| is_text(argument));
                    texts.extend(of_event.map(|(_, value)| trace.events.extras().text(value)));
                }
            });
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
                ticks.map_err(|why| FilterError::new(value.span, FilterProblem::NoTime(why)))
            }
            _ => {
                let problem = FilterProblem::Unexpected {
                    found: format!("`{}`", value.literal),
                    expected: "a number",
                };
                Err(FilterError::new(value.span, problem))
            }
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
        let name = Name::new(name).to_string();
        let closest = closest(&name, names);
        let problem = FilterProblem::UnknownName {
            noun: what,
            name,
            closest,
        };
        self.unknown(FilterError::new(span, problem))
    }
}
