//! Translates a query whose expressions are all known.
//!
//! The division has two meanings that the syntax tree does not show. Sources follow a rule
//! instead: a quotient is a fraction only if its text says so, by a literal with a point or
//! an exponent, a `CAST` to `DOUBLE`, or a function whose result is a fraction; otherwise
//! it is an integer, rounded toward zero.

use super::{DeltaTable, Target, base_tables, functions, literals, series};
use anyhow::{Context as _, anyhow, bail, ensure};
use datafusion::sql::sqlparser::ast::{
    BinaryOperator, CastKind, DataType, Expr, Function, Ident, NamedWindowExpr, ObjectName,
    ObjectNamePart, OrderByExpr, OrderByKind, Query, Select, SetExpr, Statement, UnaryOperator,
    Value, VisitMut, VisitorMut, WindowType, visit_expressions_mut,
};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::parser::Parser;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};
use rtoscope_command::query::SqlDialect;
use rtoscope_tables::Table;
use rtoscope_tables::sql::views;
use std::fmt::Write as _;
use std::ops::ControlFlow;

/// The placeholder of the schema in the tree.
const SCHEMA: &str = "$schema";

/// Translates a query of DataFusion.
pub(super) fn translate(sql: &str, target: &Target) -> anyhow::Result<String> {
    let mut statements = Parser::parse_sql(&GenericDialect {}, sql)?;
    let mut translator = Translator {
        target,
        texts: Vec::new(),
    };
    if let ControlFlow::Break(error) = statements.visit(&mut translator) {
        return Err(error);
    }
    let [Statement::Query(query)] = &mut statements[..] else {
        bail!("not one query");
    };
    // The parser writes them on the last line of what precedes.
    let order = query.order_by.take();
    let limit = query.limit_clause.take();
    let mut tree = format!("{query:#}");
    if let Some(order) = order {
        let _ = write!(tree, "\n{order}");
    }
    if let Some(limit) = limit {
        // It begins with a space.
        let _ = write!(tree, "\n{}", limit.to_string().trim_start());
    }
    translator.render(&tree)
}

/// Changes a syntax tree. Texts become placeholders until the tree is written, because the
/// parser's own output of them is ambiguous.
struct Translator<'a> {
    target: &'a Target,
    /// The texts by the numbers of their placeholders.
    texts: Vec<String>,
}

impl Translator<'_> {
    /// The tree's text in the dialect.
    fn render(&self, tree: &str) -> anyhow::Result<String> {
        let dialect = self.target.dialect;
        let mut text = String::with_capacity(tree.len());
        for token in Tokenizer::new(&GenericDialect {}, tree).tokenize()? {
            match token {
                Token::Placeholder(name) if name == SCHEMA => {
                    let schema = self.target.schema.iter();
                    let schema: Vec<_> = schema
                        .map(|part| literals::identifier(part, dialect))
                        .collect();
                    text.push_str(&schema.join("."));
                }
                Token::Placeholder(name) => {
                    let number = name.trim_start_matches('$').parse::<usize>();
                    let value = number.ok().and_then(|number| self.texts.get(number));
                    let value =
                        value.with_context(|| format!("the parameter {name} has no value"))?;
                    text.push_str(&literals::text(value, dialect));
                }
                Token::Word(word) if word.quote_style.is_some() => {
                    text.push_str(&literals::quoted(&word.value, dialect));
                }
                token => text.push_str(&token.to_string()),
            }
        }
        Ok(text)
    }

    /// The placeholder of a text.
    fn placeholder(&mut self, text: String) -> Value {
        self.texts.push(text);
        Value::Placeholder(format!("${}", self.texts.len() - 1))
    }

    fn select(&self, select: &mut Select) -> anyhow::Result<()> {
        series::translate(select, self.target.dialect)?;
        for window in &mut select.named_window {
            if let NamedWindowExpr::WindowSpec(window) = &mut window.1 {
                place_nulls(&mut window.order_by);
            }
        }
        Ok(())
    }

    /// Checks an expression, and translates what does not depend on its operands.
    fn check(&mut self, expr: &mut Expr) -> anyhow::Result<()> {
        match expr {
            Expr::Identifier(_)
            | Expr::CompoundIdentifier(_)
            | Expr::IsNull(_)
            | Expr::IsNotNull(_)
            | Expr::InList { .. }
            | Expr::Nested(_)
            | Expr::Case { .. }
            | Expr::Function(_) => {}
            Expr::UnaryOp { op, .. } => {
                ensure!(
                    matches!(op, UnaryOperator::Not | UnaryOperator::Minus),
                    "the operator {op} has no translation"
                );
            }
            Expr::BinaryOp { op, .. } => check_operator(op)?,
            Expr::Cast {
                kind: CastKind::Cast,
                data_type,
                format: None,
                array: false,
                ..
            } => {
                if let Some(other) = functions::data_type(data_type, self.target.dialect)? {
                    *data_type = other;
                }
            }
            Expr::Like {
                any: false,
                pattern,
                escape_char: escape @ None,
                ..
            } => {
                let Expr::Value(pattern) = &mut **pattern else {
                    bail!("the pattern {pattern} is not a text");
                };
                let Value::SingleQuotedString(text) = &mut pattern.value else {
                    bail!("the pattern {pattern} is not a text");
                };
                *text = literals::like_pattern(text);
                // Some dialects have no escape character unless one is given.
                if text.contains('\\') {
                    *escape = Some(self.placeholder("\\".to_owned()).into());
                }
            }
            Expr::Value(value) => match &mut value.value {
                Value::Number(digits, false) => {
                    // Without an exponent it would be a decimal number in most dialects.
                    if digits.contains('.') && !is_exponential(digits) {
                        digits.push_str("e0");
                    }
                }
                Value::SingleQuotedString(text) => {
                    let text = std::mem::take(text);
                    value.value = self.placeholder(text);
                }
                Value::Boolean(_) | Value::Null => {}
                // A text whose parent was visited.
                Value::Placeholder(name) if name[1..].parse::<usize>().is_ok() => {}
                other => bail!("the literal {other} has no translation"),
            },
            other => bail!("the expression {other} has no translation"),
        }
        Ok(())
    }

    /// Translates an expression whose operands are translated.
    fn expr(&mut self, expr: &mut Expr) -> anyhow::Result<()> {
        let dialect = self.target.dialect;
        match expr {
            Expr::BinaryOp { op, left, right }
                if *op == BinaryOperator::Divide && !is_float(left) && !is_float(right) =>
            {
                *op = match dialect {
                    SqlDialect::Duckdb => BinaryOperator::DuckIntegerDivide,
                    SqlDialect::Spark => BinaryOperator::MyIntegerDivide,
                    SqlDialect::Datafusion | SqlDialect::Trino => BinaryOperator::Divide,
                };
            }
            Expr::Function(function) => {
                if let Some(WindowType::WindowSpec(window)) = &mut function.over {
                    place_nulls(&mut window.order_by);
                }
                if let Some(mut other) = functions::translate(function, dialect)? {
                    self.take_texts(&mut other);
                    *expr = other;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Turns the texts of a template into placeholders.
    fn take_texts(&mut self, expr: &mut Expr) {
        let _ = visit_expressions_mut(expr, |expr| {
            if let Expr::Value(value) = expr
                && let Value::SingleQuotedString(text) = &mut value.value
            {
                let text = std::mem::take(text);
                value.value = self.placeholder(text);
            }
            ControlFlow::<()>::Continue(())
        });
    }
}

impl VisitorMut for Translator<'_> {
    type Break = anyhow::Error;

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<Self::Break> {
        flow(self.select(select))
    }

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<Self::Break> {
        if let Some(order) = &mut query.order_by
            && let OrderByKind::Expressions(order) = &mut order.kind
        {
            place_nulls(order);
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_relation(&mut self, relation: &mut ObjectName) -> ControlFlow<Self::Break> {
        let name = relation.to_string();
        let is_known = Table::from_name(&name).is_some()
            || base_tables::table_of_files(&name).is_some()
            || name == DeltaTable::NAME
            || views::all().any(|view| view.name == name);
        if is_known && !self.target.schema.is_empty() {
            let schema = ObjectNamePart::Identifier(Ident::new(SCHEMA));
            relation.0.insert(0, schema);
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<Self::Break> {
        flow(self.check(expr))
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<Self::Break> {
        flow(self.expr(expr))
    }
}

fn flow(result: anyhow::Result<()>) -> ControlFlow<anyhow::Error> {
    match result {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => ControlFlow::Break(error),
    }
}

fn check_operator(operator: &BinaryOperator) -> anyhow::Result<()> {
    let is_known = matches!(
        operator,
        BinaryOperator::Plus
            | BinaryOperator::Minus
            | BinaryOperator::Multiply
            | BinaryOperator::Divide
            | BinaryOperator::Eq
            | BinaryOperator::NotEq
            | BinaryOperator::Lt
            | BinaryOperator::LtEq
            | BinaryOperator::Gt
            | BinaryOperator::GtEq
            | BinaryOperator::And
            | BinaryOperator::Or
    );
    ensure!(is_known, "the operator {operator} has no translation");
    Ok(())
}

/// Writes DataFusion's default out: nulls are greater than all values.
fn place_nulls(order: &mut [OrderByExpr]) {
    for OrderByExpr { options, .. } in order {
        let is_ascending = options.asc.unwrap_or(true);
        options.nulls_first.get_or_insert(!is_ascending);
    }
}

/// Whether the text of an expression says that its values are fractions: see the rule of
/// this module.
pub(super) fn is_float(expr: &Expr) -> bool {
    match expr {
        Expr::Nested(expr) | Expr::UnaryOp { expr, .. } => is_float(expr),
        Expr::Value(value) => match &value.value {
            Value::Number(digits, _) => digits.contains('.') || is_exponential(digits),
            _ => false,
        },
        Expr::Cast { data_type, .. } => matches!(data_type, DataType::Double(_)),
        Expr::BinaryOp { left, right, .. } => is_float(left) || is_float(right),
        Expr::Case {
            conditions,
            else_result,
            ..
        } => {
            let mut results = conditions.iter().map(|case| &case.result);
            results.any(is_float) || else_result.as_deref().is_some_and(is_float)
        }
        Expr::Function(function) => is_float_function(function),
        _ => false,
    }
}

fn is_float_function(function: &Function) -> bool {
    match &*functions::name_of(function) {
        "avg" | "round" | "sqrt" => true,
        "count" | "row_number" => false,
        _ => functions::arguments(function).is_ok_and(|it| it.iter().any(is_float)),
    }
}

fn is_exponential(digits: &str) -> bool {
    digits.contains(['e', 'E'])
}

/// Parses an expression of a template.
pub(super) fn parse_expr(sql: &str) -> anyhow::Result<Expr> {
    let mut parser = Parser::new(&GenericDialect {}).try_with_sql(sql)?;
    Ok(parser.parse_expr()?)
}

/// Parses a `SELECT` of a template.
pub(super) fn parse_select(sql: &str) -> anyhow::Result<Select> {
    let statements = Parser::parse_sql(&GenericDialect {}, sql)?;
    match statements.into_iter().next() {
        Some(Statement::Query(query)) => match *query.body {
            SetExpr::Select(select) => Ok(*select),
            other => Err(anyhow!("{other} is not a SELECT")),
        },
        _ => bail!("{sql} is not a query"),
    }
}

/// Replaces the placeholders of a template by expressions.
pub(super) fn substitute(template: &mut impl VisitMut, values: &[(&str, Expr)]) {
    let _ = visit_expressions_mut(template, |expr| {
        if let Expr::Value(value) = expr
            && let Value::Placeholder(name) = &value.value
            && let Some((_, value)) = values.iter().find(|(known, _)| known == name)
        {
            *expr = value.clone();
        }
        ControlFlow::<()>::Continue(())
    });
}
