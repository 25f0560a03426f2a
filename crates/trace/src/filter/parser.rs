//! Parses a text into an [`Expression`], by recursive descent.

use super::ast::{
    Comparator, Comparison, Expression, FieldCondition, FieldType, FilterField, FilterValue,
    Literal, argument_name,
};
use super::error::{FilterError, FilterProblem};
use super::lexer::Lexer;
use super::quantity::Quantity;
use super::span::Span;
use super::suggest::closest;
use super::token::{Symbol, Token, TokenKind};
use crate::Name;

/// Maximum nesting of parentheses and negations, so that no text can exhaust
/// the stack.
pub(super) const MAX_DEPTH: usize = 128;

/// Maximum length of a filter in bytes, so that no text can exhaust the memory.
pub(super) const MAX_FILTER_LEN: usize = 16 * 1024;

type Result<T> = std::result::Result<T, FilterError>;

/// Parses a whole filter.
pub(super) fn parse(text: &str) -> Result<Expression> {
    if text.len() > MAX_FILTER_LEN {
        let problem = FilterProblem::TooLong {
            limit: MAX_FILTER_LEN,
            length: text.len(),
        };
        let span = Span {
            start: MAX_FILTER_LEN,
            end: MAX_FILTER_LEN,
        };
        return Err(FilterError::new(text, span, problem));
    }
    let mut lexer = Lexer::new(text);
    let token = lexer.next()?;
    let mut parser = Parser {
        text,
        lexer,
        token,
        depth: 0,
    };
    let expression = parser.parse_any()?;
    match parser.token.kind {
        TokenKind::End => Ok(expression),
        _ => Err(parser.unexpected("`and`, `or` or the end")),
    }
}

struct Parser<'t> {
    text: &'t str,
    lexer: Lexer<'t>,
    /// The next token.
    token: Token,
    depth: usize,
}

impl Parser<'_> {
    fn unexpected(&self, expected: &'static str) -> FilterError {
        FilterError::unexpected(self.text, self.token.span, expected)
    }

    fn error(&self, span: Span, problem: FilterProblem) -> FilterError {
        FilterError::new(self.text, span, problem)
    }

    fn advance(&mut self) -> Result<Token> {
        let next = self.lexer.next()?;
        Ok(std::mem::replace(&mut self.token, next))
    }

    /// Takes the next token if it is one of these symbols.
    fn accept(&mut self, symbols: &[Symbol]) -> Result<bool> {
        let found =
            matches!(self.token.kind, TokenKind::Symbol(symbol) if symbols.contains(&symbol));
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    fn parse_any(&mut self) -> Result<Expression> {
        let first = self.parse_all()?;
        let mut any = vec![first];
        while self.accept(&[Symbol::Or, Symbol::OrSign])? {
            any.push(self.parse_all()?);
        }
        Ok(join_expressions(any, Expression::Any))
    }

    fn parse_all(&mut self) -> Result<Expression> {
        let first = self.parse_negation()?;
        let mut all = vec![first];
        while self.accept(&[Symbol::And, Symbol::AndSign])? {
            all.push(self.parse_negation()?);
        }
        Ok(join_expressions(all, Expression::All))
    }

    fn parse_negation(&mut self) -> Result<Expression> {
        let span = self.token.span;
        if self.accept(&[Symbol::Not, Symbol::NotSign])? {
            self.enter_nesting(span)?;
            let inner = self.parse_negation()?;
            self.depth -= 1;
            return Ok(Expression::Not(Box::new(inner)));
        }
        if self.accept(&[Symbol::Open])? {
            self.enter_nesting(span)?;
            let inner = self.parse_any()?;
            self.depth -= 1;
            if !self.accept(&[Symbol::Close])? {
                return Err(self.unexpected("`and`, `or` or `)`"));
            }
            return Ok(inner);
        }
        match self.is_text()? {
            true => self.parse_text(),
            false => self.parse_comparison().map(Expression::Comparison),
        }
    }

    /// Whether a text follows rather than a comparison: a quoted text, or a word without
    /// an operator. A field's name alone is an unfinished comparison.
    fn is_text(&self) -> Result<bool> {
        match self.token.kind {
            TokenKind::Quoted(_) => return Ok(true),
            TokenKind::Word => {}
            TokenKind::Symbol(_) | TokenKind::End => return Ok(false),
        }
        let word = self.word(self.token.span).to_lowercase();
        let next = self.lexer.clone().next()?;
        Ok(match next.kind {
            TokenKind::Word => true,
            TokenKind::Quoted(_) => word != "arg.",
            TokenKind::Symbol(symbol) => !is_operator(symbol) && !is_field(&word),
            TokenKind::End => !is_field(&word),
        })
    }

    /// Parses words and quoted texts that follow each other: all must be found.
    fn parse_text(&mut self) -> Result<Expression> {
        let mut all = Vec::new();
        while all.is_empty() || self.is_text()? {
            let mut value = self.parse_literal("a text")?;
            // Alone, it would be the name of a field.
            if let Literal::Word(word) = &value.literal
                && is_field(&word.to_lowercase())
            {
                value.literal = Literal::Quoted(Name::new(word.as_bytes()));
            }
            all.push(Expression::Text(value));
        }
        Ok(join_expressions(all, Expression::All))
    }

    fn word(&self, span: Span) -> &str {
        self.text.get(span.start..span.end).unwrap_or_default()
    }

    fn enter_nesting(&mut self, span: Span) -> Result<()> {
        self.depth += 1;
        if self.depth <= MAX_DEPTH {
            return Ok(());
        }
        Err(self.error(span, FilterProblem::TooDeep { limit: MAX_DEPTH }))
    }

    fn parse_comparison(&mut self) -> Result<Comparison> {
        let (field, span) = self.parse_field()?;
        let token = self.token.span;
        let TokenKind::Symbol(operator) = self.token.kind else {
            return Err(self.unexpected("an operator such as `==`"));
        };
        let condition = if let Some(comparator) = Comparator::from_symbol(operator) {
            self.check_operator(&field, operator, token)?;
            self.advance()?;
            let pattern = matches!(comparator, Comparator::Like | Comparator::Unlike);
            let ordered = !matches!(comparator, Comparator::Equal | Comparator::NotEqual);
            let value = match () {
                () if pattern => self.parse_pattern()?,
                () if ordered => self.parse_number(&field)?,
                () => self.parse_value(&field)?,
            };
            FieldCondition::Compare(comparator, value)
        } else if operator == Symbol::Bits {
            self.check_operator(&field, operator, token)?;
            self.advance()?;
            let value = self.parse_number(&field)?;
            self.check_plain(&value)?;
            FieldCondition::Bits(value)
        } else if operator == Symbol::In {
            self.advance()?;
            self.parse_in(&field)?
        } else {
            return Err(self.unexpected("an operator such as `==`"));
        };
        Ok(Comparison {
            field,
            span,
            condition,
        })
    }

    fn parse_field(&mut self) -> Result<(FilterField, Span)> {
        if self.token.kind != TokenKind::Word {
            return Err(self.unexpected("a field such as `kind`, `not` or `(`"));
        }
        let span = self.advance()?.span;
        let word = self.word(span).to_owned();
        let name = word.to_lowercase();
        let Some(argument) = name.strip_prefix("arg.") else {
            let unknown = || FilterProblem::UnknownName {
                noun: "field",
                name: word.clone(),
                closest: closest(&name, FilterField::NAMES.iter().copied()),
            };
            let field = FilterField::from_name(&name);
            return field
                .map(|field| (field, span))
                .ok_or_else(|| self.error(span, unknown()));
        };
        if !argument.is_empty() {
            return Ok((FilterField::Argument(argument_name(argument)), span));
        }
        let name = match &self.token.kind {
            TokenKind::Quoted(name) => std::str::from_utf8(name.as_bytes()).ok(),
            _ => None,
        };
        let Some(name) = name.map(argument_name) else {
            return Err(self.unexpected("the name of an argument"));
        };
        let end = self.advance()?.span.end;
        let start = span.start;
        Ok((FilterField::Argument(name), Span { start, end }))
    }

    /// Checks that the operator applies to the field.
    fn check_operator(&self, field: &FilterField, operator: Symbol, span: Span) -> Result<()> {
        let field_type = field.field_type();
        let needs = match operator {
            Symbol::Equal | Symbol::NotEqual => return Ok(()),
            Symbol::Like | Symbol::Unlike if field_type == FieldType::Number => "names",
            Symbol::Like | Symbol::Unlike => return Ok(()),
            _ if field_type == FieldType::Name => "numbers",
            _ => return Ok(()),
        };
        let problem = FilterProblem::Operator {
            field: field.to_string(),
            operator: operator.text(),
            needs,
        };
        Err(self.error(span, problem))
    }

    /// Parses what follows `in`.
    fn parse_in(&mut self, field: &FilterField) -> Result<FieldCondition> {
        if self.accept(&[Symbol::Open])? {
            let mut values = vec![self.parse_value(field)?];
            while self.accept(&[Symbol::Comma])? {
                values.push(self.parse_value(field)?);
            }
            return match self.accept(&[Symbol::Close])? {
                true => Ok(FieldCondition::Among(values)),
                false => Err(self.unexpected("`,` or `)`")),
            };
        }
        if field.field_type() == FieldType::Name {
            return Err(self.unexpected("`(` and names"));
        }
        let start = match self.token.kind {
            TokenKind::Word => self.parse_number(field)?,
            _ => return Err(self.unexpected("`(` or a number and `..`")),
        };
        let inclusive = self.accept(&[Symbol::RangeInclusive])?;
        if !inclusive && !self.accept(&[Symbol::Range])? {
            return Err(self.unexpected("`..` or `..=`"));
        }
        let end = self.parse_number(field)?;
        Ok(FieldCondition::Range {
            start,
            end,
            inclusive,
        })
    }

    /// Parses a value of the field.
    fn parse_value(&mut self, field: &FilterField) -> Result<FilterValue> {
        if field.field_type() == FieldType::Number {
            return self.parse_number(field);
        }
        let value = self.parse_literal("a value")?;
        match value.literal.word() {
            Some(word) if word.contains(['*', '?']) => {
                let expected = "a name without wildcards, or `~` before it";
                Err(FilterError::unexpected(self.text, value.span, expected))
            }
            _ => Ok(value),
        }
    }

    fn parse_pattern(&mut self) -> Result<FilterValue> {
        self.parse_literal("a name or a pattern")
    }

    /// Parses a number, or a time if the field is one.
    fn parse_number(&mut self, field: &FilterField) -> Result<FilterValue> {
        let time = *field == FilterField::Time;
        let value = self.parse_literal(if time { "a time" } else { "a number" })?;
        let quantity = value.literal.word().map(Quantity::parse);
        match quantity.unwrap_or(Err("a number")) {
            Ok(_) if !time => self.check_plain(&value).map(|()| value),
            Ok(_) => Ok(value),
            Err(expected) => Err(FilterError::unexpected(self.text, value.span, expected)),
        }
    }

    fn check_plain(&self, value: &FilterValue) -> Result<()> {
        match value.literal.word().map(Quantity::parse) {
            Some(Ok(Quantity::Plain(_))) => Ok(()),
            _ => {
                let expected = "a number without a unit";
                Err(FilterError::unexpected(self.text, value.span, expected))
            }
        }
    }

    fn parse_literal(&mut self, expected: &'static str) -> Result<FilterValue> {
        let span = self.token.span;
        let literal = match &self.token.kind {
            TokenKind::Word => Literal::Word(self.word(span).to_owned()),
            TokenKind::Quoted(name) => Literal::Quoted(name.clone()),
            TokenKind::Symbol(_) | TokenKind::End => return Err(self.unexpected(expected)),
        };
        self.advance()?;
        Ok(FilterValue { literal, span })
    }
}

/// Whether a word in lower case is the name of a field.
fn is_field(word: &str) -> bool {
    FilterField::from_name(word).is_some() || word.starts_with("arg.")
}

/// Whether a symbol makes the word before it a field.
fn is_operator(symbol: Symbol) -> bool {
    Comparator::from_symbol(symbol).is_some() || matches!(symbol, Symbol::Bits | Symbol::In)
}

/// The only expression, or several joined into one.
fn join_expressions(
    mut several: Vec<Expression>,
    join: fn(Vec<Expression>) -> Expression,
) -> Expression {
    match several.pop() {
        Some(only) if several.is_empty() => only,
        last => {
            several.extend(last);
            join(several)
        }
    }
}
