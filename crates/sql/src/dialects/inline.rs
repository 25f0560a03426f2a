//! Statements without rtoscope's functions, for executors that have DataFusion's functions only.

use super::functions::{self, measures_time, ticks_to_ns};
use super::series::{bounds, only_selects};
use super::translate::{parse_expr, parse_select, substitute};
use crate::engine::FUNCTIONS;
use datafusion::common::{DataFusionError, plan_err};
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{
    ExceptSelectItem, Expr, Function, Ident, Select, SelectItem, TableFactor, VisitMut as _,
    VisitorMut,
};
use rtoscope_command::query::SqlDialect;
use std::ops::ControlFlow;

/// Replaces rtoscope's functions in a statement by expressions, and ranges by queries.
///
/// # Errors
///
/// If the statement calls a function that has no expression.
pub(crate) fn inline_functions(statement: &mut Statement) -> Result<(), DataFusionError> {
    let statement = match statement {
        Statement::Statement(statement) => statement,
        Statement::Explain(explain) => return inline_functions(&mut explain.statement),
        _ => return Ok(()),
    };
    match statement.visit(&mut Inliner) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(error) => Err(error),
    }
}

/// Changes a syntax tree.
struct Inliner;

impl VisitorMut for Inliner {
    type Break = DataFusionError;

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<Self::Break> {
        for item in &mut select.projection {
            name_after_function(item);
        }
        match inline_series(select) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => ControlFlow::Break(DataFusionError::Plan(error.to_string())),
        }
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<Self::Break> {
        let Expr::Function(function) = expr else {
            return ControlFlow::Continue(());
        };
        match inlined(function) {
            Ok(Some(inlined)) => *expr = Expr::Nested(Box::new(inlined)),
            Ok(None) => {}
            Err(error) => return ControlFlow::Break(error),
        }
        ControlFlow::Continue(())
    }
}

/// Gives a column the name of the function that computes it, which is shorter than its expression.
fn name_after_function(item: &mut SelectItem) {
    if let SelectItem::UnnamedExpr(expr) = item
        && let Expr::Function(function) = expr
        && is_own(&functions::name_of(function))
    {
        *item = SelectItem::ExprWithAlias {
            alias: Ident::with_quote('"', expr.to_string()),
            expr: expr.clone(),
        };
    }
}

/// Whether a function is one of rtoscope's.
fn is_own(name: &str) -> bool {
    FUNCTIONS.iter().any(|function| function.name() == name)
}

/// The numbers of a digit of a series.
const DIGITS: usize = 64;

/// The relation of a template.
const SOURCE: &str = "series_source";

/// The digits of a series, which has fewer than 64⁵ numbers.
const PLACES: u32 = 5;

/// Replaces a range of integers in a `SELECT` from one relation, because executors lack the
/// function `generate_series`: the number in the range has digits, and each digit is a row
/// of a constant list. Ranges in other places stay.
fn inline_series(select: &mut Select) -> anyhow::Result<()> {
    let mut items = select.projection.iter().enumerate();
    let found = items.find_map(|(index, item)| match item {
        SelectItem::ExprWithAlias { expr, alias } => Some((index, alias.clone(), bounds(expr)?)),
        _ => None,
    });
    let Some((index, name, bounds)) = found.filter(|_| only_selects(select)) else {
        return Ok(());
    };
    let [from] = &mut select.from[..] else {
        return Ok(());
    };
    let alias = match &from.relation {
        TableFactor::Table { alias, .. } | TableFactor::Derived { alias, .. } => alias.clone(),
        _ => None,
    };
    let Some(alias) = alias.filter(|alias| alias.columns.is_empty() && from.joins.is_empty())
    else {
        return Ok(());
    };
    let helper = |column: &str| format!("{}_{column}", name.value);
    let (first, last) = (helper("first"), helper("last"));
    let mut helpers = vec![first.clone(), last.clone()];
    let mut text = format!(
        "SELECT *, CAST($first AS BIGINT) AS \"{first}\", \
         CAST($last AS BIGINT) - CAST($first AS BIGINT) AS \"{last}\" \
         FROM {SOURCE} WHERE CAST($first AS BIGINT) <= CAST($last AS BIGINT)"
    );
    let digits: Vec<_> = (0..DIGITS).map(|digit| digit.to_string()).collect();
    let digits = digits.join(", ");
    let mut number = "0".to_owned();
    for place in (0..PLACES).rev() {
        let limit = format!("(\"{last}\" / {})", (DIGITS as u64).pow(place));
        let (digit, next) = (
            helper(&format!("digit_{place}")),
            helper(&format!("number_{place}")),
        );
        let value = format!("{number} * {DIGITS} + \"{digit}\"");
        text = format!(
            "SELECT *, {value} AS \"{next}\" FROM (SELECT *, unnest(CASE WHEN {limit} = 0 THEN [0] \
             ELSE [{digits}] END) AS \"{digit}\" FROM ({text}) AS series) AS series \
             WHERE {value} <= {limit}"
        );
        number = format!("\"{next}\"");
        helpers.extend([digit, next]);
    }
    let mut outer = parse_select(&format!("SELECT 1 FROM ({text}) AS {}", alias.name))?;
    substitute(&mut outer, &bounds);
    std::mem::swap(&mut select.from, &mut outer.from);
    let source = outer.from.pop().map(|from| from.relation);
    let _ = select.from.visit(&mut SourceReplacer(source));
    let value = parse_expr(&format!("\"{first}\" + {number}"))?;
    for item in &mut select.projection {
        if let SelectItem::QualifiedWildcard(_, options) = item {
            let mut names = helpers.iter().map(|name| Ident::with_quote('"', name));
            if let Some(first_element) = names.next() {
                options.opt_except = Some(ExceptSelectItem {
                    first_element,
                    additional_elements: names.collect(),
                });
            }
        }
    }
    select.projection[index] = SelectItem::ExprWithAlias {
        expr: value,
        alias: name,
    };
    Ok(())
}

/// Replaces the relation of a template, once.
struct SourceReplacer(Option<TableFactor>);

impl VisitorMut for SourceReplacer {
    type Break = ();

    fn pre_visit_table_factor(&mut self, relation: &mut TableFactor) -> ControlFlow<()> {
        let is_source =
            matches!(relation, TableFactor::Table { name, .. } if name.to_string() == SOURCE);
        if let Some(source) = self.0.take_if(|_| is_source) {
            *relation = source;
        }
        ControlFlow::Continue(())
    }
}

/// The expression for a call of one of rtoscope's functions; `None` for other functions.
fn inlined(function: &Function) -> Result<Option<Expr>, DataFusionError> {
    let name = functions::name_of(function);
    let expr = match &*name {
        "measures_time" => functions::fixed(function).and_then(measures_time),
        "ticks_to_ns" => functions::fixed(function)
            .and_then(|arguments| ticks_to_ns(arguments, SqlDialect::Datafusion)),
        "overlap" => functions::fixed(function).and_then(overlap),
        name if is_own(name) => {
            return plan_err!(
                "the function {name} is not available on a cluster, whose executors have only the \
                 functions of DataFusion; run the query without --engine, or apply {name} to the \
                 result"
            );
        }
        _ => return Ok(None),
    };
    let expr = expr.map_err(|error| DataFusionError::Plan(error.to_string()))?;
    Ok(Some(expr))
}

/// The overlap of two intervals; null if an end of one is null.
fn overlap([start1, end1, start2, end2]: [Expr; 4]) -> anyhow::Result<Expr> {
    let mut expr = parse_expr(
        "CASE WHEN $start1 IS NOT NULL AND $end1 IS NOT NULL AND $start2 IS NOT NULL AND \
         $end2 IS NOT NULL THEN greatest(least(CAST($end1 AS BIGINT), CAST($end2 AS BIGINT)) - \
         greatest(CAST($start1 AS BIGINT), CAST($start2 AS BIGINT)), 0) END",
    )?;
    let values = [
        ("$start1", start1),
        ("$end1", end1),
        ("$start2", start2),
        ("$end2", end2),
    ];
    substitute(&mut expr, &values);
    Ok(expr)
}

#[cfg(test)]
mod tests {
    use super::*;
    use datafusion::prelude::SessionContext;

    fn inlined(sql: &str) -> Result<Statement, DataFusionError> {
        let state = SessionContext::new().state();
        let dialect = state.config().options().sql_parser.dialect;
        let mut statement = state.sql_to_statement(sql, &dialect)?;
        inline_functions(&mut statement)?;
        Ok(statement)
    }

    /// The values of a query, with rtoscope's functions and without them.
    async fn values(select: &str) -> [String; 2] {
        let own = SessionContext::new();
        crate::engine::register_functions(&own);
        let plain = SessionContext::new();
        let state = plain.state();
        let plan = state.statement_to_plan(inlined(select).unwrap());
        let plain = plain
            .execute_logical_plan(plan.await.unwrap())
            .await
            .unwrap();
        let mut texts = Vec::new();
        for frame in [own.sql(select).await.unwrap(), plain] {
            let mut text = String::new();
            for batch in frame.collect().await.unwrap() {
                for column in batch.columns() {
                    text += &format!("{column:?}");
                }
            }
            texts.push(text);
        }
        texts.try_into().unwrap()
    }

    #[tokio::test]
    async fn expressions_have_the_values_of_the_functions() {
        for select in [
            "SELECT overlap(a, b, c, d) FROM (VALUES (1, 5, 3, 9), (1, 2, 3, 4), (3, 9, 1, 5), \
             (1, 9, 3, 5), (NULL, 5, 3, 9), (1, 5, 3, NULL), (-5, 5, -1, 7)) AS t(a, b, c, d)",
            "SELECT ticks_to_ns(a, b) FROM (VALUES (1, 3e0), (7, 25e6), (-1, 25e6), (1, 0.5e0), \
             (9223372036854775807, 1e0), (NULL, 1e0), (1, NULL)) AS t(a, b)",
            "SELECT measures_time(q) FROM (VALUES ('good'), ('static'), ('event-counter'), \
             ('lossy'), ('uneven'), (NULL), ('?')) AS t(q)",
        ] {
            let [own, plain] = values(select).await;
            assert!(own.contains("PrimitiveArray") || own.contains("BooleanArray"));
            assert_eq!(own, plain, "{select}");
        }
    }

    #[tokio::test]
    async fn ranges_have_the_same_numbers() {
        let select = "SELECT a.*, unnest(generate_series(a.f, a.l)) AS n FROM (SELECT * FROM (VALUES (1, 0, 0), \
            (2, -3, 70), (3, 5, 4), (4, NULL, 3), (5, 3, NULL), (6, 100, 4200), \
            (7, 1000000000000, 1000000000063), (8, 0, 300000)) AS v(id, f, l)) AS a";
        let sums = format!(
            "SELECT id, f, l, count(*), count(DISTINCT n), sum(n), min(n), max(n) FROM ({select}) \
             GROUP BY id, f, l ORDER BY id"
        );
        let [own, plain] = values(&sums).await;
        assert!(own.contains("1000000000063"), "{own}");
        assert_eq!(own, plain);
        let text = inlined(&sums).unwrap().to_string();
        assert!(!text.contains("generate_series"), "{text}");
        // Its columns are those of the relation and the number.
        let [own, plain] =
            values(&format!("SELECT * FROM ({select}) WHERE id < 3 ORDER BY n")).await;
        assert_eq!(own, plain);
    }

    #[test]
    fn nested_calls_are_replaced() {
        let text = inlined("EXPLAIN SELECT 1 + overlap(ticks_to_ns(a, b), c, d, e) FROM t");
        let text = text.unwrap().to_string();
        for function in FUNCTIONS {
            assert!(!text.contains(function.name()), "{text}");
        }
    }

    #[test]
    fn other_functions_of_rtoscope_are_refused() {
        for sql in [
            "SELECT format_time(duration_ns) FROM slices",
            "SELECT * FROM slices WHERE id IN (SELECT count(Histogram(a)) FROM t)",
        ] {
            let error = inlined(sql).unwrap_err().to_string();
            assert!(error.contains("not available on a cluster"), "{error}");
        }
    }
}
