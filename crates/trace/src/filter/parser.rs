//! Parses a text into an [`Expression`], by recursive descent.

use super::ast::{
    Comparator, Comparison, Expression, FieldCondition, FieldType, FilterField, FilterValue,
    Literal, argument_name,
};
use super::error::{FilterError, FilterProblem};
use super::lexer::Lexer;
use super::pattern::{Pattern, PatternArgument};
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
    let mut parser = FilterParser::new(text)?;
    let expression = parser.parse_any()?;
    match parser.is_end() {
        true => Ok(expression),
        false => Err(parser.unexpected("`and`, `or` or the end")),
    }
}

/// Parses a text in the [filter language](super), or a line of a language that
/// contains [patterns](Pattern).
pub struct FilterParser<'t> {
    text: &'t str,
    lexer: Lexer<'t>,
    /// The next token.
    token: Token,
    /// The end of the token before it.
    last_end: usize,
    depth: usize,
}

impl<'t> FilterParser<'t> {
    /// Starts at the first token of a text.
    pub fn new(text: &'t str) -> Result<Self> {
        if text.len() > MAX_FILTER_LEN {
            let problem = FilterProblem::TooLong {
                limit: MAX_FILTER_LEN,
                length: text.len(),
            };
            let span = Span {
                start: MAX_FILTER_LEN,
                end: MAX_FILTER_LEN,
            };
            return Err(FilterError::new(span, problem).in_expression(text));
        }
        let mut lexer = Lexer::new(text);
        let token = lexer.next()?;
        Ok(Self {
            text,
            lexer,
            token,
            last_end: 0,
            depth: 0,
        })
    }

    /// Whether no token is left.
    pub fn is_end(&self) -> bool {
        self.token.kind == TokenKind::End
    }

    /// The position of the next token.
    pub fn span(&self) -> Span {
        self.token.span
    }

    /// The next token if it is a word without quotes.
    pub fn word(&self) -> Option<&'t str> {
        let is_word = self.token.kind == TokenKind::Word;
        is_word.then(|| self.source(self.token.span))
    }

    /// Takes the next token if it is a word without quotes.
    pub fn next_word(&mut self) -> Result<Option<&'t str>> {
        let word = self.word();
        if word.is_some() {
            self.advance()?;
        }
        Ok(word)
    }

    /// Takes the next token if it is `...`.
    pub fn accept_dots(&mut self) -> Result<bool> {
        self.accept(&[Symbol::Dots])
    }

    /// The text at a position.
    pub fn source(&self, span: Span) -> &'t str {
        self.text.get(span.start..span.end).unwrap_or_default()
    }

    /// The error that something else than the next token was expected.
    pub fn unexpected(&self, expected: &'static str) -> FilterError {
        self.unexpected_at(self.token.span, expected)
    }

    /// The error that something else was expected at a position.
    pub fn unexpected_at(&self, span: Span, expected: &'static str) -> FilterError {
        FilterError::unexpected(self.text, span, expected)
    }

    /// Parses a pattern: a name of kinds, comparisons of arguments, or both.
    pub fn parse_pattern(&mut self) -> Result<Pattern> {
        let mut span = self.token.span;
        let mut kind = None;
        if !self.is_comparison()? {
            let name = self.parse_literal("the name of a kind or a group")?;
            span.end = name.span.end;
            kind = Some(name);
        }
        let mut arguments: Vec<PatternArgument> = Vec::new();
        while self.is_comparison()? {
            let name = self.parse_literal("an argument")?;
            let key = argument_name(&name.text());
            let field = FilterField::Argument(key.clone());
            let condition = self.parse_condition(&field)?;
            span.end = self.last_end;
            arguments.push(PatternArgument {
                ordinal: arguments.iter().filter(|it| it.name == key).count(),
                name: key,
                span: name.span,
                condition,
            });
        }
        Ok(Pattern {
            kind,
            arguments,
            span,
        })
    }

    /// Whether a name and an operator follow.
    fn is_comparison(&self) -> Result<bool> {
        if !matches!(self.token.kind, TokenKind::Word | TokenKind::Quoted(_)) {
            return Ok(false);
        }
        let next = self.lexer.clone().next()?.kind;
        Ok(matches!(next, TokenKind::Symbol(symbol) if is_operator(symbol)))
    }

    fn error(&self, span: Span, problem: FilterProblem) -> FilterError {
        FilterError::new(span, problem).in_expression(self.text)
    }

    fn advance(&mut self) -> Result<Token> {
        let next = self.lexer.next()?;
        self.last_end = self.token.span.end;
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
        let word = self.source(self.token.span).to_lowercase();
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

    fn enter_nesting(&mut self, span: Span) -> Result<()> {
        self.depth += 1;
        if self.depth <= MAX_DEPTH {
            return Ok(());
        }
        Err(self.error(span, FilterProblem::TooDeep { limit: MAX_DEPTH }))
    }

    fn parse_comparison(&mut self) -> Result<Comparison> {
        let (field, span) = self.parse_field()?;
        let condition = self.parse_condition(&field)?;
        Ok(Comparison {
            field,
            span,
            condition,
        })
    }

    /// Parses the operator and the value after a field.
    fn parse_condition(&mut self, field: &FilterField) -> Result<FieldCondition> {
        const EXPECTED: &str = "an operator such as `==`";
        let TokenKind::Symbol(operator) = self.token.kind else {
            return Err(self.unexpected(EXPECTED));
        };
        if operator == Symbol::In {
            self.advance()?;
            return self.parse_in(field);
        }
        let comparator = Comparator::from_symbol(operator);
        if comparator.is_none() && operator != Symbol::Bits {
            return Err(self.unexpected(EXPECTED));
        }
        self.check_operator(field, operator, self.token.span)?;
        self.advance()?;
        let Some(comparator) = comparator else {
            let value = self.parse_number(field)?;
            self.check_plain(&value)?;
            return Ok(FieldCondition::Bits(value));
        };
        let value = match comparator {
            Comparator::Like | Comparator::Unlike => self.parse_literal("a name or a pattern")?,
            Comparator::Equal if operator == Symbol::Assign => {
                let value = self.parse_any_value(field)?;
                if value.is_pattern() {
                    return Ok(FieldCondition::Compare(Comparator::Like, value));
                }
                value
            }
            Comparator::Equal | Comparator::NotEqual => self.parse_value(field)?,
            _ => self.parse_number(field)?,
        };
        Ok(FieldCondition::Compare(comparator, value))
    }

    fn parse_field(&mut self) -> Result<(FilterField, Span)> {
        if self.token.kind != TokenKind::Word {
            return Err(self.unexpected("a field such as `kind`, `not` or `(`"));
        }
        let span = self.advance()?.span;
        let word = self.source(span).to_owned();
        let name = word.to_lowercase();
        let Some(argument) = name.strip_prefix("arg.") else {
            let unknown = || FilterProblem::UnknownName {
                noun: "field",
                name: word.clone(),
                closest: match &*name {
                    "thread" | "task" => vec![FilterField::Context.to_string()],
                    name => closest(name, FilterField::NAMES.iter().copied()),
                },
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
            Symbol::Equal | Symbol::Assign | Symbol::NotEqual => return Ok(()),
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

    /// Parses a value of the field, not a pattern.
    fn parse_value(&mut self, field: &FilterField) -> Result<FilterValue> {
        let value = self.parse_any_value(field)?;
        match value.is_pattern() {
            true => {
                let expected = "a name without wildcards, or `~` before it";
                Err(FilterError::unexpected(self.text, value.span, expected))
            }
            false => Ok(value),
        }
    }

    /// Parses a value of the field, or a pattern.
    fn parse_any_value(&mut self, field: &FilterField) -> Result<FilterValue> {
        match field.field_type() {
            FieldType::Number => self.parse_number(field),
            FieldType::Name | FieldType::Either => self.parse_literal("a value"),
        }
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

    /// Parses a word or a quoted text.
    pub fn parse_literal(&mut self, expected: &'static str) -> Result<FilterValue> {
        let span = self.token.span;
        let literal = match &self.token.kind {
            TokenKind::Word => Literal::Word(self.source(span).to_owned()),
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
