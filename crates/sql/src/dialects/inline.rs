//! Statements without rtoscope's functions, for executors that have DataFusion's functions only.

use super::functions::{self, measures_time, ticks_to_ns};
use super::translate::{parse_expr, substitute};
use crate::engine::FUNCTIONS;
use datafusion::common::{DataFusionError, plan_err};
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{Expr, Function, visit_expressions_mut};
use rtoscope_command::query::SqlDialect;
use std::ops::ControlFlow;

/// Replaces rtoscope's functions in a statement by expressions.
///
/// # Errors
///
/// If the statement calls one that has no expression.
pub(crate) fn inline_functions(statement: &mut Statement) -> Result<(), DataFusionError> {
    let statement = match statement {
        Statement::Statement(statement) => statement,
        Statement::Explain(explain) => return inline_functions(&mut explain.statement),
        _ => return Ok(()),
    };
    let visited = visit_expressions_mut(statement.as_mut(), |expr| {
        let Expr::Function(function) = expr else {
            return ControlFlow::Continue(());
        };
        match inlined(function) {
            Ok(Some(inlined)) => *expr = Expr::Nested(Box::new(inlined)),
            Ok(None) => {}
            Err(error) => return ControlFlow::Break(error),
        }
        ControlFlow::Continue(())
    });
    match visited {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(error) => Err(error),
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
        name if FUNCTIONS.iter().any(|it| it.name() == name) => {
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
        let plan = plain.state().statement_to_plan(inlined(select).unwrap());
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
             (NULL), ('?')) AS t(q)",
        ] {
            let [own, plain] = values(select).await;
            assert!(own.contains("PrimitiveArray") || own.contains("BooleanArray"));
            assert_eq!(own, plain, "{select}");
        }
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
