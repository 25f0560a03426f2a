//! Binds a filter to a trace.

use super::arguments;
use super::ast::{Comparison, Expression, FieldCondition, FilterField, FilterValue};
use super::binder::{FilterBinder, Result};
use super::bound::{BoundFilter, BoundNode, NumericColumn};
use super::error::{FilterError, FilterProblem};
use super::glob::Glob;
use super::names::{self, NameMatcher, NameTest};
use super::span::Span;
use crate::Trace;

/// Resolves the names of a filter and computes its sets. Unknown names are
/// added to `unknown`, if there is such a list, and match nothing.
pub(super) fn bind<'t>(
    text: &str,
    expression: &Expression,
    trace: &'t Trace,
    unknown: Option<&mut Vec<FilterProblem>>,
) -> Result<BoundFilter<'t>> {
    let binder = match unknown {
        Some(_) => FilterBinder::partial(trace),
        None => FilterBinder::new(trace),
    };
    let node = binder.bind_expression(expression);
    let node = node.map_err(|error| error.in_expression(text))?;
    if let Some(unknown) = unknown {
        unknown.extend(binder.take_unknown().iter().map(|it| it.problem().clone()));
    }
    Ok(BoundFilter {
        trace,
        kinds: binder.kind_table(),
        node,
    })
}

impl FilterBinder<'_> {
    fn bind_expression(&self, expression: &Expression) -> Result<BoundNode> {
        let several = |each: &[Expression]| -> Result<Box<[BoundNode]>> {
            each.iter().map(|each| self.bind_expression(each)).collect()
        };
        Ok(match expression {
            Expression::All(all) => BoundNode::All(several(all)?),
            Expression::Any(any) => BoundNode::Any(several(any)?),
            Expression::Not(inner) => BoundNode::Not(Box::new(self.bind_expression(inner)?)),
            Expression::Comparison(test) => self.bind_comparison(test)?,
            Expression::Text(text) => self.bind_text(text)?,
        })
    }

    /// A text that anything which an event shows contains: its kind, component, object
    /// class and contexts, its objects and other arguments. A number is also compared
    /// with addresses and values.
    fn bind_text(&self, text: &FilterValue) -> Result<BoundNode> {
        let name = || NameTest::from(NameMatcher::Pattern(Glob::new(&text.text())));
        let (name, name_or_number) = (name(), name().or_number(text));
        let contexts = names::contexts(self, &name_or_number)?;
        let shown = [
            BoundNode::Kind(names::kinds(self, &name_or_number, None)?),
            BoundNode::Kind(names::components(self, &name, None)?),
            BoundNode::Kind(names::classes(self, &name)?),
            BoundNode::Context(contexts.clone()),
            BoundNode::Interrupted(contexts),
            BoundNode::Arguments(arguments::containing(self, &name_or_number)),
        ];
        Ok(BoundNode::Any(Box::new(shown)))
    }

    pub(super) fn bind_comparison(&self, test: &Comparison) -> Result<BoundNode> {
        let Comparison {
            field,
            span,
            condition,
        } = test;
        let column = match field {
            FilterField::Event => NumericColumn::Index,
            FilterField::Time => NumericColumn::Time,
            FilterField::Timestamp => NumericColumn::Timestamp,
            FilterField::Core => NumericColumn::Core,
            FilterField::Number => NumericColumn::Id,
            FilterField::Priority => NumericColumn::Priority,
            FilterField::Threshold => NumericColumn::Threshold,
            FilterField::Info1 => NumericColumn::Info(0),
            FilterField::Info2 => NumericColumn::Info(1),
            FilterField::Info3 => NumericColumn::Info(2),
            FilterField::Info4 => NumericColumn::Info(3),
            FilterField::Argument(name) => {
                let kinds: Vec<_> = self.trace.catalogue.iter().collect();
                let test = arguments::named(self, &kinds, (name, 0), *span, condition, true)?;
                return Ok(BoundNode::Arguments(test));
            }
            FilterField::Context
            | FilterField::Interrupted
            | FilterField::Kind
            | FilterField::Component
            | FilterField::Object
            | FilterField::Class => return self.bind_names(field, *span, condition),
        };
        Ok(BoundNode::Number(column, self.matching_numbers(condition)?))
    }

    fn bind_names(
        &self,
        field: &FilterField,
        span: Span,
        condition: &FieldCondition,
    ) -> Result<BoundNode> {
        let test = NameTest::new(condition);
        let test = test.ok_or_else(|| {
            let problem = FilterProblem::Operator {
                field: field.to_string(),
                operator: condition.operator(),
                needs: "numbers",
            };
            FilterError::new(span, problem)
        })?;
        Ok(match field {
            FilterField::Context => BoundNode::Context(names::contexts(self, &test)?),
            FilterField::Interrupted => BoundNode::Interrupted(names::contexts(self, &test)?),
            FilterField::Component => {
                BoundNode::Kind(names::components(self, &test, Some("component"))?)
            }
            FilterField::Class => BoundNode::Kind(names::classes(self, &test)?),
            FilterField::Object => BoundNode::Arguments(arguments::objects(self, &test)?),
            _ => BoundNode::Kind(names::kinds(self, &test, Some("kind"))?),
        })
    }
}
