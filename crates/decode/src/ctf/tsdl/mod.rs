//! Parses TSDL, the language of CTF 1.8's metadata.

mod blocks;
mod types;

use super::field_class::{FieldClass, Metadata, MetadataError};
use super::lexer::{LocatedToken, Token, tokens};
use std::collections::HashMap;
use std::sync::Arc;

/// Parses metadata.
pub(super) fn parse(text: &str) -> Result<Metadata, MetadataError> {
    let tokens = tokens(text)?;
    let mut parser = Parser {
        tokens: &tokens,
        at: 0,
        scopes: vec![HashMap::new()],
        depth: 0,
        metadata: Metadata {
            version: "1.8",
            ..Metadata::default()
        },
    };
    while parser.peek().is_some() {
        parser.top_level()?;
    }
    Ok(parser.metadata)
}

/// Parses tokens, which may be nested this deep.
const MAX_DEPTH: usize = 64;

struct Parser<'t> {
    tokens: &'t [LocatedToken],
    at: usize,
    /// The named types, those of the innermost block last.
    scopes: Vec<HashMap<String, Arc<FieldClass>>>,
    depth: usize,
    metadata: Metadata,
}

type Parsed<T> = Result<T, MetadataError>;

impl<'t> Parser<'t> {
    fn peek(&self) -> Option<&'t Token> {
        self.tokens.get(self.at).map(|(token, _)| token)
    }

    fn next(&mut self) -> Option<&'t Token> {
        let token = self.peek();
        self.at += 1;
        token
    }

    fn error<T>(&self, problem: impl Into<String>) -> Parsed<T> {
        let token = self.tokens.get(self.at).or(self.tokens.last());
        Err(MetadataError {
            line: token.map_or(1, |(_, line)| *line),
            problem: problem.into(),
        })
    }

    /// Takes a symbol or a keyword, if it is next.
    fn take(&mut self, wanted: &str) -> bool {
        let is_next = match self.peek() {
            Some(Token::Symbol(symbol)) => *symbol == wanted,
            Some(Token::Word(word)) => word == wanted,
            _ => false,
        };
        self.at += usize::from(is_next);
        is_next
    }

    fn expect(&mut self, wanted: &str) -> Parsed<()> {
        match self.take(wanted) {
            true => Ok(()),
            false => {
                let found = match self.peek() {
                    Some(Token::Symbol(symbol)) => format!("`{symbol}`"),
                    Some(Token::Word(word)) => format!("`{word}`"),
                    Some(Token::Number(number)) => format!("`{number}`"),
                    Some(Token::Text(text)) => format!("{text:?}"),
                    None => "the end".to_owned(),
                };
                self.error(format!("expected `{wanted}`, found {found}"))
            }
        }
    }

    fn word(&mut self) -> Parsed<String> {
        match self.peek() {
            Some(Token::Word(word)) => {
                self.at += 1;
                Ok(word.clone())
            }
            _ => self.error("expected a name"),
        }
    }

    fn number(&mut self) -> Parsed<i128> {
        let is_negative = self.take("-");
        let _ = self.take("+");
        match self.peek() {
            Some(Token::Number(number)) => {
                self.at += 1;
                Ok(if is_negative { -number } else { *number })
            }
            _ => self.error("expected a number"),
        }
    }

    /// Parses what is nested one deeper.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return self.error(format!("nested deeper than {MAX_DEPTH}"));
        }
        self.depth += 1;
        self.scopes.push(HashMap::new());
        let parsed = parse(self);
        self.scopes.pop();
        self.depth -= 1;
        parsed
    }

    fn define(&mut self, name: String, class: Arc<FieldClass>) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name, class);
        }
    }

    fn find(&self, name: &str) -> Option<Arc<FieldClass>> {
        let mut scopes = self.scopes.iter().rev();
        scopes.find_map(|scope| scope.get(name)).cloned()
    }
}
