//! Rows from a range of integers: `unnest(generate_series(first, last))`.
//!
//! A range whose first number is greater than its last, or null, has no rows. Sources use
//! it only as an item of a `SELECT` that neither filters nor groups, because in Trino it
//! becomes part of the `FROM` clause.

use super::functions::{arguments, name_of};
use super::translate::{parse_expr, parse_select, substitute};
use anyhow::{Context as _, ensure};
use datafusion::sql::sqlparser::ast::{Expr, GroupByExpr, Ident, Select, SelectItem};
use rtoscope_command::query::SqlDialect;

/// Translates the ranges in a `SELECT`; their bounds are translated later.
pub(super) fn translate(select: &mut Select, dialect: SqlDialect) -> anyhow::Result<()> {
    let is_spark = match dialect {
        SqlDialect::Datafusion | SqlDialect::Duckdb => return Ok(()),
        SqlDialect::Spark => true,
        SqlDialect::Trino => false,
    };
    for at in 0..select.projection.len() {
        let SelectItem::ExprWithAlias { expr, alias } = &mut select.projection[at] else {
            continue;
        };
        let Some(bounds) = bounds(expr) else {
            continue;
        };
        if is_spark {
            *expr = explode(&bounds)?;
            continue;
        }
        let alias = alias.clone();
        cross_join(select, &alias, &bounds)?;
        select.projection[at] = SelectItem::UnnamedExpr(Expr::Identifier(alias));
    }
    Ok(())
}

/// The bounds of a range, by the names that templates have for them.
pub(super) fn bounds(expr: &Expr) -> Option<[(&'static str, Expr); 2]> {
    let unnested = |expr: &Expr, name: &str| match expr {
        Expr::Function(function) if name_of(function) == name => arguments(function).ok(),
        _ => None,
    };
    let range: [Expr; 1] = unnested(expr, "unnest")?.try_into().ok()?;
    let [first, last] = unnested(&range[0], "generate_series")?.try_into().ok()?;
    Some([("$first", first), ("$last", last)])
}

/// Spark's `sequence` counts down if the first number is the greater one.
fn explode(bounds: &[(&str, Expr)]) -> anyhow::Result<Expr> {
    let mut expr =
        parse_expr("explode(CASE WHEN $first <= $last THEN sequence($first, $last) END)")?;
    substitute(&mut expr, bounds);
    Ok(expr)
}

/// Trino's `sequence` counts down too, and has at most 10 000 numbers: one makes the first
/// number of each chunk, another one the numbers of the chunk.
fn cross_join(select: &mut Select, name: &Ident, bounds: &[(&str, Expr)]) -> anyhow::Result<()> {
    ensure!(
        only_selects(select),
        "a SELECT with unnest must not filter, group, or have an unqualified `*`"
    );
    let joins = format!(
        "SELECT 1 FROM x \
        CROSS JOIN UNNEST(CASE WHEN $first <= $last THEN sequence($first, $last, 10000) END) \
        AS {name}_chunks ({name}_chunk) \
        CROSS JOIN UNNEST(sequence({name}_chunk, least({name}_chunk + 9999, $last))) \
        AS {name}_series ({name})"
    );
    let mut joins = parse_select(&joins)?;
    substitute(&mut joins, bounds);
    let joins = joins.from.into_iter().flat_map(|from| from.joins);
    let from = select.from.last_mut().context("a SELECT without FROM")?;
    from.joins.extend(joins);
    Ok(())
}

/// Whether a `SELECT` neither filters nor groups, nor has an unqualified `*`.
pub(super) fn only_selects(select: &Select) -> bool {
    select.selection.is_none()
        && select.having.is_none()
        && matches!(&select.group_by, GroupByExpr::Expressions(by, _) if by.is_empty())
        && !select
            .projection
            .iter()
            .any(|item| matches!(item, SelectItem::Wildcard(_)))
}
