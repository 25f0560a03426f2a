//! From text to an [`Expression`], by recursive descent.

use super::ast::{
    Comparator, Condition, Expression, Field, Literal, Place, Sort, Test, Value, argument_name,
};
use super::error::{FilterError, FilterProblem};
use super::lexer::{Lexer, Symbol, Token, TokenKind};
use super::quantity::Quantity;
use super::suggest::closest;

/// How many parentheses and negations can be nested, so that no text can
/// exhaust the stack.
pub(super) const DEEPEST: usize = 128;

/// How long a filter can be, in bytes, so that none can exhaust the memory.
pub(super) const LONGEST: usize = 16 * 1024;

type Result<T> = std::result::Result<T, FilterError>;

/// Reads a whole filter.
pub(super) fn parse(text: &str) -> Result<Expression> {
    if text.len() > LONGEST {
        let problem = FilterProblem::TooLong {
            limit: LONGEST,
            length: text.len(),
        };
        let place = Place {
            start: LONGEST,
            end: LONGEST,
        };
        return Err(FilterError::new(text, place, problem));
    }
    let mut lexer = Lexer::new(text);
    let token = lexer.next()?;
    let mut parser = Parser {
        text,
        lexer,
        token,
        depth: 0,
    };
    let expression = parser.any()?;
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
        FilterError::unexpected(self.text, self.token.place, expected)
    }

    fn error(&self, place: Place, problem: FilterProblem) -> FilterError {
        FilterError::new(self.text, place, problem)
    }

    fn advance(&mut self) -> Result<Token> {
        let next = self.lexer.next()?;
        Ok(std::mem::replace(&mut self.token, next))
    }

    /// Takes the next token if it is one of these.
    fn take(&mut self, symbols: &[Symbol]) -> Result<bool> {
        let found =
            matches!(self.token.kind, TokenKind::Symbol(symbol) if symbols.contains(&symbol));
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    fn any(&mut self) -> Result<Expression> {
        let first = self.all()?;
        let mut any = vec![first];
        while self.take(&[Symbol::Or, Symbol::EitherSigns])? {
            any.push(self.all()?);
        }
        Ok(one_or(any, Expression::Any))
    }

    fn all(&mut self) -> Result<Expression> {
        let first = self.negation()?;
        let mut all = vec![first];
        while self.take(&[Symbol::And, Symbol::BothSigns])? {
            all.push(self.negation()?);
        }
        Ok(one_or(all, Expression::All))
    }

    fn negation(&mut self) -> Result<Expression> {
        let place = self.token.place;
        if self.take(&[Symbol::Not, Symbol::NotSign])? {
            self.deeper(place)?;
            let inner = self.negation()?;
            self.depth -= 1;
            return Ok(Expression::Not(Box::new(inner)));
        }
        if self.take(&[Symbol::Open])? {
            self.deeper(place)?;
            let inner = self.any()?;
            self.depth -= 1;
            if !self.take(&[Symbol::Close])? {
                return Err(self.unexpected("`and`, `or` or `)`"));
            }
            return Ok(inner);
        }
        self.test().map(Expression::Test)
    }

    fn deeper(&mut self, place: Place) -> Result<()> {
        self.depth += 1;
        if self.depth <= DEEPEST {
            return Ok(());
        }
        Err(self.error(place, FilterProblem::TooDeep { limit: DEEPEST }))
    }

    fn test(&mut self) -> Result<Test> {
        let (field, place) = self.field()?;
        let token = self.token.place;
        let TokenKind::Symbol(operator) = self.token.kind else {
            return Err(self.unexpected("an operator such as `==`"));
        };
        let condition = if let Some(comparator) = Comparator::from_symbol(operator) {
            self.check_operator(&field, operator, token)?;
            self.advance()?;
            let pattern = matches!(comparator, Comparator::Like | Comparator::Unlike);
            let ordered = !matches!(comparator, Comparator::Equal | Comparator::NotEqual);
            let value = match () {
                () if pattern => self.pattern()?,
                () if ordered => self.number(&field)?,
                () => self.value(&field)?,
            };
            Condition::Compare(comparator, value)
        } else if operator == Symbol::Bits {
            self.check_operator(&field, operator, token)?;
            self.advance()?;
            let value = self.number(&field)?;
            self.check_plain(&value)?;
            Condition::Bits(value)
        } else if operator == Symbol::In {
            self.advance()?;
            self.within(&field)?
        } else {
            return Err(self.unexpected("an operator such as `==`"));
        };
        Ok(Test {
            field,
            place,
            condition,
        })
    }

    fn field(&mut self) -> Result<(Field, Place)> {
        if self.token.kind != TokenKind::Word {
            return Err(self.unexpected("a field such as `kind`, `not` or `(`"));
        }
        let place = self.advance()?.place;
        let word = self.text.get(place.start..place.end).unwrap_or_default();
        let name = word.to_lowercase();
        let Some(argument) = name.strip_prefix("arg.") else {
            let unknown = || FilterProblem::UnknownName {
                what: "field",
                name: word.to_owned(),
                closest: closest(&name, Field::NAMES.iter().copied()),
            };
            let field = Field::from_name(&name);
            return field
                .map(|field| (field, place))
                .ok_or_else(|| self.error(place, unknown()));
        };
        if !argument.is_empty() {
            return Ok((Field::Argument(argument_name(argument)), place));
        }
        let name = match &self.token.kind {
            TokenKind::Quoted(name) => std::str::from_utf8(name.as_bytes()).ok(),
            _ => None,
        };
        let Some(name) = name.map(argument_name) else {
            return Err(self.unexpected("the name of an argument"));
        };
        let end = self.advance()?.place.end;
        let start = place.start;
        Ok((Field::Argument(name), Place { start, end }))
    }

    /// Whether the field knows what the operator asks for.
    fn check_operator(&self, field: &Field, operator: Symbol, place: Place) -> Result<()> {
        let sort = field.sort();
        let needs = match operator {
            Symbol::Equal | Symbol::NotEqual => return Ok(()),
            Symbol::Like | Symbol::Unlike if sort == Sort::Number => "names",
            Symbol::Like | Symbol::Unlike => return Ok(()),
            _ if sort == Sort::Name => "numbers",
            _ => return Ok(()),
        };
        let problem = FilterProblem::Operator {
            field: field.to_string(),
            operator: operator.text(),
            needs,
        };
        Err(self.error(place, problem))
    }

    /// What follows `in`.
    fn within(&mut self, field: &Field) -> Result<Condition> {
        if self.take(&[Symbol::Open])? {
            let mut values = vec![self.value(field)?];
            while self.take(&[Symbol::Comma])? {
                values.push(self.value(field)?);
            }
            return match self.take(&[Symbol::Close])? {
                true => Ok(Condition::Among(values)),
                false => Err(self.unexpected("`,` or `)`")),
            };
        }
        if field.sort() == Sort::Name {
            return Err(self.unexpected("`(` and names"));
        }
        let start = match self.token.kind {
            TokenKind::Word => self.number(field)?,
            _ => return Err(self.unexpected("`(` or a number and `..`")),
        };
        let inclusive = self.take(&[Symbol::RangeInclusive])?;
        if !inclusive && !self.take(&[Symbol::Range])? {
            return Err(self.unexpected("`..` or `..=`"));
        }
        let end = self.number(field)?;
        Ok(Condition::Range {
            start,
            end,
            inclusive,
        })
    }

    /// A value of the field.
    fn value(&mut self, field: &Field) -> Result<Value> {
        if field.sort() == Sort::Number {
            return self.number(field);
        }
        let value = self.literal("a value")?;
        match value.literal.word() {
            Some(word) if word.contains(['*', '?']) => {
                let expected = "a name without wildcards, or `~` before it";
                Err(FilterError::unexpected(self.text, value.place, expected))
            }
            _ => Ok(value),
        }
    }

    fn pattern(&mut self) -> Result<Value> {
        self.literal("a name or a pattern")
    }

    /// A number, or a time where the field is one.
    fn number(&mut self, field: &Field) -> Result<Value> {
        let time = *field == Field::Time;
        let value = self.literal(if time { "a time" } else { "a number" })?;
        let quantity = value.literal.word().map(Quantity::read);
        match quantity.unwrap_or(Err("a number")) {
            Ok(_) if !time => self.check_plain(&value).map(|()| value),
            Ok(_) => Ok(value),
            Err(expected) => Err(FilterError::unexpected(self.text, value.place, expected)),
        }
    }

    fn check_plain(&self, value: &Value) -> Result<()> {
        match value.literal.word().map(Quantity::read) {
            Some(Ok(Quantity::Plain(_))) => Ok(()),
            _ => {
                let expected = "a number without a unit";
                Err(FilterError::unexpected(self.text, value.place, expected))
            }
        }
    }

    fn literal(&mut self, expected: &'static str) -> Result<Value> {
        let place = self.token.place;
        let literal = match &self.token.kind {
            TokenKind::Word => {
                let word = self.text.get(place.start..place.end);
                Literal::Word(word.unwrap_or_default().to_owned())
            }
            TokenKind::Quoted(name) => Literal::Quoted(name.clone()),
            TokenKind::Symbol(_) | TokenKind::End => return Err(self.unexpected(expected)),
        };
        self.advance()?;
        Ok(Value { literal, place })
    }
}

/// The only expression, or several as one.
fn one_or(mut several: Vec<Expression>, join: fn(Vec<Expression>) -> Expression) -> Expression {
    match several.pop() {
        Some(only) if several.is_empty() => only,
        last => {
            several.extend(last);
            join(several)
        }
    }
}
