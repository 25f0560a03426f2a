//! From what was written to what it means for a trace.

use super::arguments;
use super::ast::{Comparator, Condition, Expression, Field, Place, Test, Value};
use super::bound::{BoundFilter, Column, Node};
use super::error::{FilterError, FilterProblem};
use super::kinds::KindTable;
use super::names::{self, NameTest};
use super::quantity::Quantity;
use super::set::{Run, ValueSet, point};
use super::suggest::closest;
use crate::catalogue::Meaning;
use crate::{Frequency, Kind, Name, Object, Trace};
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;

pub(super) type Result<T> = std::result::Result<T, FilterError>;

/// Resolves the names of a filter and computes its sets. Names that nothing has
/// go to `unknown`, if there is such a list, and mean nothing.
pub(super) fn bind<'t>(
    text: &str,
    expression: &Expression,
    trace: &'t Trace,
    unknown: Option<&mut Vec<FilterProblem>>,
) -> Result<BoundFilter<'t>> {
    let binder = Binder {
        text,
        trace,
        unknown: unknown.map(RefCell::new),
        kinds: OnceCell::new(),
        contexts: OnceCell::new(),
        objects: OnceCell::new(),
        texts: OnceCell::new(),
    };
    let node = binder.expression(expression)?;
    Ok(BoundFilter {
        trace,
        kinds: binder.kinds.into_inner().unwrap_or_default(),
        node,
    })
}

/// What is needed to bind, computed when it is first needed.
pub(super) struct Binder<'e, 't> {
    text: &'e str,
    pub(super) trace: &'t Trace,
    /// Where names go that nothing has, if that is no error.
    unknown: Option<RefCell<&'e mut Vec<FilterProblem>>>,
    kinds: OnceCell<KindTable>,
    contexts: OnceCell<Vec<String>>,
    objects: OnceCell<Vec<String>>,
    texts: OnceCell<Vec<(u64, String, &'t [u8])>>,
}

impl<'t> Binder<'_, 't> {
    pub(super) fn kinds(&self) -> &KindTable {
        self.kinds.get_or_init(|| KindTable::new(self.trace))
    }

    /// The names of the trace's contexts as they are shown, in its order.
    pub(super) fn context_names(&self) -> &[String] {
        let contexts = self.trace.contexts.iter();
        let shown = || contexts.map(|context| self.trace.context_name(context.id));
        self.contexts.get_or_init(|| shown().collect())
    }

    /// The names of the trace's objects as they are shown, in its order.
    pub(super) fn object_names(&self) -> &[String] {
        let shown = || self.trace.objects.iter().map(Object::display_name);
        self.objects.get_or_init(|| shown().collect())
    }

    /// The texts that are arguments of the trace's events: the value, how it is
    /// shown, and what the target wrote.
    pub(super) fn texts(&self) -> &[(u64, String, &'t [u8])] {
        self.texts.get_or_init(|| {
            let trace = self.trace;
            let has_text = |kind: &&Kind| {
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
                for (argument, value) in trace.words(kind, &event) {
                    if argument.meaning == Meaning::Text {
                        let raw = trace.events.extras.text(value);
                        texts.push((value, Name::new(raw).to_string(), raw));
                    }
                }
            }
            texts
        })
    }

    fn expression(&self, expression: &Expression) -> Result<Node> {
        let several = |each: &[Expression]| -> Result<Box<[Node]>> {
            each.iter().map(|each| self.expression(each)).collect()
        };
        Ok(match expression {
            Expression::All(all) => Node::All(several(all)?),
            Expression::Any(any) => Node::Any(several(any)?),
            Expression::Not(inner) => Node::Not(Box::new(self.expression(inner)?)),
            Expression::Test(test) => self.test(test)?,
        })
    }

    fn test(&self, test: &Test) -> Result<Node> {
        let Test {
            field,
            place,
            condition,
        } = test;
        let column = match field {
            Field::Index => Column::Index,
            Field::Time => Column::Time,
            Field::Stamp => Column::Stamp,
            Field::Core => Column::Core,
            Field::Id => Column::Id,
            Field::Priority => Column::Priority,
            Field::Threshold => Column::Threshold,
            Field::Info1 => Column::Info(0),
            Field::Info2 => Column::Info(1),
            Field::Info3 => Column::Info(2),
            Field::Info4 => Column::Info(3),
            Field::Argument(name) => {
                let test = arguments::named(self, name, *place, condition)?;
                return Ok(Node::Arguments(test));
            }
            Field::Context
            | Field::Interrupted
            | Field::Kind
            | Field::Component
            | Field::Object
            | Field::Class => return self.names(field, *place, condition),
        };
        Ok(Node::Number(column, self.numbers(condition)?))
    }

    fn names(&self, field: &Field, place: Place, condition: &Condition) -> Result<Node> {
        let test = NameTest::new(condition);
        let test = test.ok_or_else(|| FilterError::unexpected(self.text, place, "a number"))?;
        Ok(match field {
            Field::Context => Node::Context(names::contexts(self, &test)?),
            Field::Interrupted => Node::Interrupted(names::contexts(self, &test)?),
            Field::Component => Node::Kind(names::components(self, &test)?),
            Field::Class => Node::Kind(names::classes(self, &test)?),
            Field::Object => Node::Arguments(arguments::objects(self, &test)?),
            _ => Node::Kind(names::kinds(self, &test)?),
        })
    }

    /// The numbers that fulfil a condition.
    pub(super) fn numbers(&self, condition: &Condition) -> Result<ValueSet> {
        let (comparator, value) = match condition {
            Condition::Compare(comparator, value) => (*comparator, value),
            Condition::Among(values) => {
                let runs: Result<Vec<_>> = values.iter().map(|value| self.run(value)).collect();
                return Ok(ValueSet::of(runs?));
            }
            Condition::Range {
                start,
                end,
                inclusive,
            } => {
                let (first, last) = (self.run(start)?, self.run(end)?);
                let end = if *inclusive { last.end } else { last.start };
                return Ok(ValueSet::run(first.start..end));
            }
            Condition::Bits(value) => {
                let run = self.run(value)?;
                return Ok(ValueSet::Bits(u64::try_from(run.start).unwrap_or_default()));
            }
        };
        let run = self.run(value)?;
        Ok(match comparator {
            Comparator::Less => ValueSet::run(0..run.start),
            Comparator::LessOrEqual => ValueSet::run(0..run.end),
            Comparator::Greater => ValueSet::run(run.end..u128::MAX),
            Comparator::GreaterOrEqual => ValueSet::run(run.start..u128::MAX),
            Comparator::NotEqual | Comparator::Unlike => ValueSet::except([run]),
            Comparator::Equal | Comparator::Like => ValueSet::of([run]),
        })
    }

    /// The numbers that are equal to a value: one, or those ticks that are
    /// shown as the same time.
    fn run(&self, value: &Value) -> Result<Run> {
        match value.literal.word().map(Quantity::read) {
            Some(Ok(Quantity::Plain(number))) => Ok(point(number)),
            Some(Ok(Quantity::Nanoseconds(time))) => match self.trace.clock.timebase() {
                Some(frequency) => {
                    let time = u128::from(time);
                    Ok(first_tick(frequency, time)..first_tick(frequency, time + 1))
                }
                None => {
                    let problem = FilterProblem::UnknownFrequency;
                    Err(FilterError::new(self.text, value.place, problem))
                }
            },
            _ => Err(FilterError::unexpected(self.text, value.place, "a number")),
        }
    }

    /// A name that nothing has: an error, unless such names are collected.
    pub(super) fn unknown<'n>(
        &self,
        what: &'static str,
        name: &[u8],
        place: Place,
        names: impl IntoIterator<Item = impl Into<std::borrow::Cow<'n, str>>>,
    ) -> Result<()> {
        let name = crate::Name::new(name).to_string();
        let closest = closest(&name, names);
        let problem = FilterProblem::UnknownName {
            what,
            name,
            closest,
        };
        match &self.unknown {
            Some(unknown) => {
                unknown.borrow_mut().push(problem);
                Ok(())
            }
            None => Err(FilterError::new(self.text, place, problem)),
        }
    }
}

/// The first tick that is at least so many nanoseconds, at most 2^64, after
/// the start.
fn first_tick(frequency: Frequency, nanoseconds: u128) -> u128 {
    (nanoseconds * u128::from(frequency.0.get())).div_ceil(1_000_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Nanoseconds, Ticks};
    use proptest::prelude::*;
    use std::num::NonZeroU64;

    proptest! {
        #[test]
        fn ticks_are_compared_as_they_are_shown(hertz in 1..=u64::MAX, time in any::<u64>()) {
            let frequency = Frequency(NonZeroU64::new(hertz).unwrap());
            let first = first_tick(frequency, time.into());
            if let Ok(tick) = u64::try_from(first) {
                prop_assert!(frequency.to_time(Ticks(tick)) >= Nanoseconds(time));
                if let Some(before) = tick.checked_sub(1) {
                    prop_assert!(frequency.to_time(Ticks(before)) < Nanoseconds(time));
                }
            }
            first_tick(frequency, 1 << 64);
        }
    }
}
