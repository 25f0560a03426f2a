//! Patterns: a kind of events, and conditions on its arguments.

use super::arguments::{self, argument_names, argument_place};
use super::ast::{Comparison, FieldCondition, FilterField, FilterValue};
use super::binder::{FilterBinder, Result};
use super::bound::{ArgumentTest, BoundNode, NumericColumn, ValueTest};
use super::error::{FilterError, FilterProblem};
use super::kinds::EventKindTable;
use super::names::{self, NameMatcher, NameTest};
use super::set::{BitSet, ValueSet, single_value};
use super::span::Span;
use super::suggest::closest;
use crate::{EventIndex, EventKind, EventKindId, Trace};
use std::sync::Arc;

/// A filter in short form: the name of kinds, and comparisons of their arguments,
/// such as `SM.TRN sst=idle`.
///
/// An argument that no kind has is a field of the [filter language](super), such as
/// `context`. If several arguments share a name, their comparisons apply in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// The name of a kind or a group; `None` for every kind.
    pub(super) kind: Option<FilterValue>,
    pub(super) arguments: Vec<PatternArgument>,
    pub(super) span: Span,
}

/// A condition on an argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PatternArgument {
    /// See [`argument_name`](super::argument_name).
    pub(super) name: String,
    /// Number of conditions on arguments with that name before it.
    pub(super) ordinal: usize,
    pub(super) span: Span,
    pub(super) condition: FieldCondition,
}

/// A pattern whose names are resolved for one trace.
#[derive(Debug, Clone)]
pub struct BoundPattern {
    kinds: Arc<EventKindTable>,
    kind: Option<BoundNode>,
    arguments: Box<[BoundArgument]>,
}

/// An argument of a [`BoundPattern`].
#[derive(Debug, Clone)]
pub struct BoundArgument {
    /// Its [name in filters](super::argument_name).
    pub name: Box<str>,
    /// Number of arguments with that name before it.
    pub ordinal: usize,
    /// Whether it is a field that all events have, no argument.
    pub is_field: bool,
    condition: BoundNode,
}

impl Pattern {
    /// Whether it names kinds.
    pub fn has_kind(&self) -> bool {
        self.kind.is_some()
    }

    /// Its position.
    pub fn span(&self) -> Span {
        self.span
    }
}

impl BoundPattern {
    /// Matches all events of these kinds.
    pub fn of_kinds(kinds: &[EventKindId]) -> Self {
        Self {
            kinds: Arc::default(),
            kind: Some(kind_condition(kinds)),
            arguments: Box::default(),
        }
    }

    /// Whether an event of the trace matches.
    pub fn matches(&self, trace: &Trace, index: EventIndex) -> bool {
        self.has_kind_of(trace, index) && self.first_failed(trace, index).is_none()
    }

    /// Whether an event is of one of the kinds.
    pub fn has_kind_of(&self, trace: &Trace, index: EventIndex) -> bool {
        let kind = self.kind.as_ref();
        kind.is_none_or(|kind| kind.matches(trace, &self.kinds, index))
    }

    /// The first argument that does not match.
    pub fn first_failed(&self, trace: &Trace, index: EventIndex) -> Option<&BoundArgument> {
        let fails = |it: &&BoundArgument| !it.condition.matches(trace, &self.kinds, index);
        self.arguments.iter().find(fails)
    }
}

fn kind_condition(kinds: &[EventKindId]) -> BoundNode {
    let kinds = kinds.iter().map(|kind| single_value(kind.0.into()));
    BoundNode::Number(NumericColumn::Id, ValueSet::from_ranges(kinds))
}

impl FilterBinder<'_> {
    /// Resolves the names of a pattern.
    ///
    /// # Errors
    ///
    /// If a name is unknown, or no kind has all arguments.
    pub fn bind_pattern(&self, pattern: &Pattern) -> Result<BoundPattern> {
        let catalogue = &self.trace.catalogue;
        let kinds = pattern.kind.as_ref().map(|name| self.bind_kinds(name));
        let kinds = kinds.transpose()?;
        let scope: Vec<&EventKind> = match &kinds {
            Some(kinds) if kinds.is_empty() => return Ok(BoundPattern::of_kinds(kinds)),
            Some(kinds) => kinds.iter().filter_map(|id| catalogue.get(*id)).collect(),
            None => catalogue.iter().collect(),
        };
        let arguments = pattern.arguments.iter();
        let arguments = arguments.map(|argument| self.bind_argument(&scope, argument));
        let arguments = arguments.collect::<Result<Box<[BoundArgument]>>>()?;
        let has_all = |kind: &&EventKind| {
            let index = self.kinds().index_of(kind.id);
            let mut conditions = arguments.iter().map(|argument| &argument.condition);
            conditions.all(|condition| match condition {
                BoundNode::Arguments(test) => index.is_some_and(|index| test.applies_to(index)),
                _ => true,
            })
        };
        if !arguments.iter().all(|it| it.is_field) && !scope.iter().any(has_all) {
            let problem = "no kind has all these arguments; expected arguments of one kind";
            let problem = FilterProblem::Rule(problem.to_owned());
            return Err(FilterError::new(pattern.span, problem));
        }
        Ok(BoundPattern {
            kinds: self.kind_table(),
            kind: kinds.map(|kinds| kind_condition(&kinds)),
            arguments,
        })
    }

    /// The kinds with that name, symbol or number; if there are none, those of the
    /// components with that name.
    ///
    /// # Errors
    ///
    /// If there are none.
    pub fn bind_kinds(&self, name: &FilterValue) -> Result<Vec<EventKindId>> {
        let matcher = NameMatcher::new(name);
        if let Some(number) = matcher.as_number() {
            // The kind need neither occur nor be in the catalogue.
            let number = u32::try_from(number).ok();
            return Ok(number.map(EventKindId).into_iter().collect());
        }
        let test = NameTest::from(matcher);
        let members = |set: BitSet| -> Vec<EventKindId> {
            let kinds = self.kinds().iter().enumerate();
            let kinds = kinds.filter(|(number, _)| set.contains(*number));
            kinds.map(|(_, id)| id).collect()
        };
        let mut kinds = members(names::kinds(self, &test, None)?);
        if kinds.is_empty() {
            kinds = members(names::components(self, &test, None)?);
        }
        if kinds.is_empty() {
            let catalogue = &self.trace.catalogue;
            let names = self
                .kinds()
                .iter()
                .map(|id| catalogue.name(id).replace(' ', "."));
            let groups = self
                .kinds()
                .iter()
                .map(|id| catalogue.component(id).to_owned());
            let known = names.chain(groups);
            self.unknown_name("kind or group", name.literal.bytes(), name.span, known)?;
        }
        Ok(kinds)
    }

    /// A pattern for events of a kind with one of these values in each of some
    /// arguments. Names that are no argument's do not count.
    pub fn pattern_of_values<'v>(
        &self,
        kind: EventKindId,
        arguments: impl IntoIterator<Item = (&'v str, &'v [u64])>,
    ) -> BoundPattern {
        let scope: Vec<&EventKind> = self.trace.catalogue.get(kind).into_iter().collect();
        let bound = arguments.into_iter().filter_map(|(name, values)| {
            let places = |kind: &EventKind| Vec::from_iter(argument_place(kind, name, 0));
            let test = ArgumentTest::new(self.kinds(), &scope, false, places, |_| {
                let values = values.iter().copied().map(single_value);
                ValueTest::Numbers(ValueSet::from_ranges(values))
            });
            let is_argument = scope.iter().any(|kind| !places(kind).is_empty());
            is_argument.then(|| BoundArgument {
                name: name.into(),
                ordinal: 0,
                is_field: false,
                condition: BoundNode::Arguments(test),
            })
        });
        BoundPattern {
            arguments: bound.collect(),
            kinds: self.kind_table(),
            ..BoundPattern::of_kinds(&[kind])
        }
    }

    fn bind_argument(
        &self,
        scope: &[&EventKind],
        argument: &PatternArgument,
    ) -> Result<BoundArgument> {
        let PatternArgument {
            name,
            ordinal,
            span,
            condition,
        } = argument;
        let mut places = scope
            .iter()
            .map(|kind| argument_place(kind, name, *ordinal));
        let is_argument = places.any(|place| place.is_some());
        let field = FilterField::from_name(name).filter(|_| *ordinal == 0);
        let condition = match field {
            _ if is_argument => {
                let key = (name.as_str(), *ordinal);
                let test = arguments::named(self, scope, key, *span, condition, false)?;
                BoundNode::Arguments(test)
            }
            Some(field) => self.bind_comparison(&Comparison {
                field,
                span: *span,
                condition: condition.clone(),
            })?,
            None => return Err(unknown_argument(scope, argument)),
        };
        Ok(BoundArgument {
            name: name.as_str().into(),
            ordinal: *ordinal,
            is_field: !is_argument,
            condition,
        })
    }
}

/// No kind has the argument: it suggests similar names, or all of the only kind.
fn unknown_argument(scope: &[&EventKind], argument: &PatternArgument) -> FilterError {
    let names = || {
        let names = scope.iter().flat_map(|kind| argument_names(kind));
        names.filter(|name| *name != argument.name)
    };
    let mut similar = closest(&argument.name, names());
    if similar.is_empty() && scope.len() == 1 {
        similar = names().collect();
    }
    let problem = FilterProblem::UnknownName {
        noun: match argument.ordinal {
            0 => "argument",
            _ => "further argument",
        },
        name: argument.name.clone(),
        closest: similar,
    };
    FilterError::new(argument.span, problem)
}
