//! Binds a filter to a trace.

use super::arguments;
use super::ast::{Comparison, Expression, FieldCondition, FilterField, FilterValue};
use super::binder::{Binder, Result};
use super::bound::{BoundFilter, BoundNode, NumericColumn};
use super::error::{FilterError, FilterProblem};
use super::glob::Glob;
use super::names::{self, NameTest};
use super::set::BitSet;
use super::span::Span;
use crate::Trace;
use crate::catalogue::ExtrasLayout;

/// Resolves the names of a filter and computes its sets. Unknown names are
/// added to `unknown`, if there is such a list, and match nothing.
pub(super) fn bind<'t>(
    text: &str,
    expression: &Expression,
    trace: &'t Trace,
    unknown: Option<&mut Vec<FilterProblem>>,
) -> Result<BoundFilter<'t>> {
    let binder = Binder::new(text, trace, unknown);
    let node = binder.bind_expression(expression)?;
    Ok(BoundFilter {
        trace,
        kinds: binder.into_kinds(),
        node,
    })
}

impl Binder<'_, '_> {
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
        let pattern = Glob::new(&String::from_utf8_lossy(text.literal.bytes()));
        let name = NameTest::like(pattern.clone());
        let name_or_number = NameTest::like(pattern.clone()).or_number(text);
        let contexts = names::contexts(self, &name_or_number)?;
        let shown = [
            BoundNode::Kind(names::kinds(self, &name_or_number)?),
            BoundNode::Kind(names::components(self, &name)?),
            BoundNode::Kind(names::classes(self, &name)?),
            BoundNode::Context(contexts.clone()),
            BoundNode::Interrupted(contexts),
            BoundNode::Arguments(arguments::containing(self, &name_or_number)),
            BoundNode::ItemTexts(self.kinds_with_items(), pattern),
        ];
        Ok(BoundNode::Any(Box::new(shown)))
    }

    /// The kinds whose events have self-describing items.
    fn kinds_with_items(&self) -> BitSet {
        let catalogue = &self.trace.catalogue;
        let kinds = self.kinds().iter().map(|id| catalogue.get(id));
        BitSet::from_members(
            kinds.map(|kind| kind.is_some_and(|kind| kind.extras == ExtrasLayout::Items)),
        )
    }

    fn bind_comparison(&self, test: &Comparison) -> Result<BoundNode> {
        let Comparison {
            field,
            span,
            condition,
        } = test;
        let column = match field {
            FilterField::Index => NumericColumn::Index,
            FilterField::Time => NumericColumn::Time,
            FilterField::Stamp => NumericColumn::Timestamp,
            FilterField::Core => NumericColumn::Core,
            FilterField::Id => NumericColumn::Id,
            FilterField::Priority => NumericColumn::Priority,
            FilterField::Threshold => NumericColumn::Threshold,
            FilterField::Info1 => NumericColumn::Info(0),
            FilterField::Info2 => NumericColumn::Info(1),
            FilterField::Info3 => NumericColumn::Info(2),
            FilterField::Info4 => NumericColumn::Info(3),
            FilterField::Argument(name) => {
                let test = arguments::named(self, name, *span, condition)?;
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
        let test = test.ok_or_else(|| FilterError::unexpected(self.text, span, "a number"))?;
        Ok(match field {
            FilterField::Context => BoundNode::Context(names::contexts(self, &test)?),
            FilterField::Interrupted => BoundNode::Interrupted(names::contexts(self, &test)?),
            FilterField::Component => BoundNode::Kind(names::components(self, &test)?),
            FilterField::Class => BoundNode::Kind(names::classes(self, &test)?),
            FilterField::Object => BoundNode::Arguments(arguments::objects(self, &test)?),
            _ => BoundNode::Kind(names::kinds(self, &test)?),
        })
    }
}
