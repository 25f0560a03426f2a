//! Names in conditions, such as that of a thread.

use datafusion::common::tree_node::{Transformed, TreeNode as _};
use datafusion::common::{Column, Result};
use datafusion::logical_expr::{BinaryExpr, Expr, Operator};
use rtoscope_trace::printable::Printable;

/// A condition on one column that only certain names fulfil.
#[derive(Debug, Clone)]
pub(super) struct NameTest {
    pub(super) column: String,
    /// The name, unless it is a pattern.
    pub(super) text: Option<String>,
    test: Expr,
}

impl NameTest {
    /// The same condition on a column with another name.
    pub(super) fn on(&self, name: &str) -> Result<Expr> {
        let renamed = self.test.clone().transform(|node| match node {
            Expr::Column(_) => Ok(Transformed::yes(Expr::Column(Column::new_unqualified(
                name,
            )))),
            other => Ok(Transformed::no(other)),
        });
        Ok(renamed?.data)
    }

    /// The name or pattern, for a message.
    pub(super) fn value(&self) -> String {
        let value = match (&self.text, &self.test) {
            (Some(text), _) => format!("'{text}'"),
            (None, Expr::Like(like)) => {
                format!("like '{}'", literal(&like.pattern).unwrap_or_default())
            }
            (None, test) => test.to_string(),
        };
        Printable::text(&value).to_string()
    }
}

/// The tests of names in a condition: each alternative is one.
pub(super) fn name_tests(condition: &Expr) -> Vec<NameTest> {
    let mut all = Vec::new();
    collect(condition, &mut all);
    all
}

fn collect(condition: &Expr, all: &mut Vec<NameTest>) {
    match condition {
        Expr::BinaryExpr(BinaryExpr { left, op, right }) => match op {
            Operator::And | Operator::Or => {
                collect(left, all);
                collect(right, all);
            }
            Operator::Eq => {
                let (side, value) = match literal(right) {
                    Some(value) => (left, Some(value)),
                    None => (right, literal(left)),
                };
                all.extend(name_test(side, value, condition));
            }
            _ => {}
        },
        Expr::InList(list) if !list.negated => {
            for value in &list.list {
                let test = (*list.expr).clone().eq(value.clone());
                all.extend(name_test(&list.expr, literal(value), &test));
            }
        }
        Expr::Like(like) if !like.negated && literal(&like.pattern).is_some() => {
            let test = name_test(&like.expr, literal(&like.pattern), condition);
            all.extend(test.map(|test| NameTest { text: None, ..test }));
        }
        _ => {}
    }
}

/// The test of a column in `side`, if it is the only one.
fn name_test(side: &Expr, value: Option<String>, test: &Expr) -> Option<NameTest> {
    let columns = side.column_refs();
    let mut columns = columns.iter();
    let (Some(column), None) = (columns.next(), columns.next()) else {
        return None;
    };
    Some(NameTest {
        column: column.name.clone(),
        text: Some(value?),
        test: test.clone(),
    })
}

/// The text of a literal.
fn literal(expression: &Expr) -> Option<String> {
    match expression {
        Expr::Literal(value, _) => Some(value.try_as_str()??.to_owned()),
        Expr::Cast(cast) => literal(&cast.expr),
        _ => None,
    }
}
