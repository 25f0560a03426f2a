//! Filters that select recordings by their identifiers.

use datafusion::logical_expr::{Expr, Operator};
use std::collections::HashSet;

/// A filter that consists of comparisons with texts: `id = 'a'`, `id IN ('a', 'b')`,
/// `id = 'a' OR id = 'b'`.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct TextComparisons<'a> {
    /// What is compared.
    pub(super) compared: HashSet<&'a Expr>,
    /// The texts: it must be one of them.
    pub(super) texts: HashSet<&'a str>,
}

impl<'a> TextComparisons<'a> {
    /// The comparisons of a filter; `None` if it has another form.
    pub(super) fn of(filter: &'a Expr) -> Option<Self> {
        let mut comparisons = Self::default();
        comparisons.collect(filter)?;
        Some(comparisons)
    }

    fn collect(&mut self, filter: &'a Expr) -> Option<()> {
        match filter {
            Expr::BinaryExpr(binary) if binary.op == Operator::Or => {
                self.collect(&binary.left)?;
                self.collect(&binary.right)
            }
            Expr::BinaryExpr(binary) if binary.op == Operator::Eq => {
                let (left, right) = (&*binary.left, &*binary.right);
                let (compared, text) = match (text(left), text(right)) {
                    (None, Some(text)) => (left, text),
                    (Some(text), None) => (right, text),
                    _ => return None,
                };
                self.compared.insert(compared);
                self.texts.insert(text);
                Some(())
            }
            Expr::InList(list) if !list.negated => {
                self.compared.insert(&list.expr);
                for value in &list.list {
                    self.texts.insert(text(value)?);
                }
                Some(())
            }
            Expr::Alias(alias) => self.collect(&alias.expr),
            _ => None,
        }
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
    fn comparisons_with_texts_are_found() {
        let id = ident("recording_id");
        let one = id.clone().eq(lit("a"));
        let either = one
            .clone()
            .or(id.clone().in_list(vec![lit("b"), lit("a")], false));
        for (filter, texts) in [(&one, &["a"][..]), (&either, &["a", "b"])] {
            let found = TextComparisons::of(filter).unwrap_or_default();
            assert_eq!(found.texts, texts.iter().copied().collect(), "{filter}");
            assert_eq!(found.compared, HashSet::from([&id]));
        }
        for other in [
            id.clone().not_eq(lit("a")),
            id.clone().like(lit("a%")),
            id.clone().in_list(vec![lit("a")], true),
            one.and(id.clone().not_eq(lit("b"))),
            id.eq(ident("file")),
        ] {
            assert_eq!(TextComparisons::of(&other), None, "{other}");
        }
    }
}
