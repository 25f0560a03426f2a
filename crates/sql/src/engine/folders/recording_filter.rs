//! Filters that select recordings by their identifiers.

use datafusion::logical_expr::{Expr, Operator};
use std::collections::HashSet;

/// The identifiers of which a filter requires one, if the filter consists of comparisons of
/// one expression with texts: `id = 'a'`, `id IN ('a', 'b')`, `id = 'a' OR id = 'b'`.
pub(super) fn required_values(filter: &Expr) -> Option<HashSet<&str>> {
    let mut values = HashSet::new();
    collect(filter, &mut values)?;
    Some(values)
}

fn collect<'a>(filter: &'a Expr, values: &mut HashSet<&'a str>) -> Option<()> {
    match filter {
        Expr::BinaryExpr(binary) if binary.op == Operator::Or => {
            collect(&binary.left, values)?;
            collect(&binary.right, values)
        }
        Expr::BinaryExpr(binary) if binary.op == Operator::Eq => {
            let value = text(&binary.left).or_else(|| text(&binary.right))?;
            values.insert(value);
            Some(())
        }
        Expr::InList(list) if !list.negated => {
            for value in &list.list {
                values.insert(text(value)?);
            }
            Some(())
        }
        Expr::Alias(alias) => collect(&alias.expr, values),
        _ => None,
    }
}

fn text(value: &Expr) -> Option<&str> {
    match value {
        Expr::Literal(value, _) => value.try_as_str().flatten(),
        Expr::Cast(cast) => text(&cast.expr),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use datafusion::logical_expr::{ident, lit};

    #[test]
    fn comparisons_require_values() {
        let id = || ident("recording_id");
        let one = id().eq(lit("a"));
        let either = one
            .clone()
            .or(id().in_list(vec![lit("b"), lit("a")], false));
        assert_eq!(required_values(&one), Some(HashSet::from(["a"])));
        assert_eq!(required_values(&either), Some(HashSet::from(["a", "b"])));
        for other in [
            id().not_eq(lit("a")),
            id().like(lit("a%")),
            id().in_list(vec![lit("a")], true),
            one.and(id().not_eq(lit("b"))),
            id().eq(ident("file")),
        ] {
            assert_eq!(required_values(&other), None, "{other}");
        }
    }
}
