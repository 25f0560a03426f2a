//! How deeply a statement nests.
//!
//! A parser bounds parentheses, but a chain of operators, joins or set operations makes a tree
//! as deep as the chain is long, which recursive code follows: planning takes a time that grows
//! with the square of its depth, and then all of the stack.

use datafusion::common::{Result, plan_err};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};

/// Maximum depth, in tokens: about a thousand operators.
const MAX_DEPTH: usize = 2000;

/// What a join counts: planning many of them takes long.
const JOIN_DEPTH: usize = 20;

/// What a set operation counts.
const SET_DEPTH: usize = 8;

/// The stack of a thread that plans and runs statements. Those of the maximum depth take less
/// than an eighth in a build without optimisations.
pub(crate) const STACK_BYTES: usize = 64 << 20;

/// What is inside of one pair of parentheses, or of `CASE` and `END`.
#[derive(Default)]
struct Level {
    /// Tokens of the current expression.
    expression: usize,
    /// The depth of joins and set operations.
    relations: usize,
    /// Whether a comma is a join.
    is_from: bool,
}

/// Rejects a statement that nests too deeply.
///
/// # Errors
///
/// If an expression, or a chain of joins or set operations, is too long.
pub(super) fn check(sql: &str) -> Result<()> {
    // The parser reports what is no token.
    let tokens = Tokenizer::new(&GenericDialect {}, sql).tokenize();
    let tokens = tokens.unwrap_or_default();
    let mut outer: Vec<Level> = Vec::new();
    let mut level = Level::default();
    let mut outer_depth = 0;
    for token in &tokens {
        let keyword = match token {
            Token::Whitespace(_) => continue,
            Token::Word(word) if word.quote_style.is_none() => word.keyword,
            _ => Keyword::NoKeyword,
        };
        match (token, keyword) {
            (Token::LParen | Token::LBracket, _) | (_, Keyword::CASE) => {
                level.expression += 1;
                outer_depth += level.depth();
                outer.push(std::mem::take(&mut level));
            }
            (Token::RParen | Token::RBracket, _) | (_, Keyword::END) => {
                if let Some(enclosing) = outer.pop() {
                    outer_depth -= enclosing.depth();
                    level = enclosing;
                }
            }
            (Token::Comma, _) => level.next(if level.is_from { JOIN_DEPTH } else { 0 }),
            (_, Keyword::JOIN) => level.next(JOIN_DEPTH),
            (_, Keyword::UNION | Keyword::EXCEPT | Keyword::INTERSECT) => level.next(SET_DEPTH),
            (_, Keyword::FROM) => {
                level.next(0);
                level.is_from = true;
            }
            (_, Keyword::SELECT | Keyword::WHERE | Keyword::GROUP | Keyword::ORDER) => {
                level.next(0);
                level.is_from = false;
            }
            (_, Keyword::ON | Keyword::WHEN | Keyword::THEN | Keyword::ELSE) => level.next(0),
            _ => level.expression += 1,
        }
        if outer_depth + level.depth() > MAX_DEPTH {
            return plan_err!(
                "the statement nests too deeply: an expression can have about {} operators, and a \
                 query about {} joins or {} set operations; IN (…) and a join with VALUES (…), (…) \
                 have no such limit",
                MAX_DEPTH / 2,
                MAX_DEPTH / JOIN_DEPTH,
                MAX_DEPTH / SET_DEPTH
            );
        }
    }
    Ok(())
}

impl Level {
    fn depth(&self) -> usize {
        self.expression + self.relations
    }

    /// Begins another expression.
    fn next(&mut self, relations: usize) {
        self.expression = 0;
        self.relations += relations;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_chains_are_rejected_and_long_lists_are_not() {
        let chain = |item: &str, separator: &str| vec![item; 20_000].join(separator);
        for deep in [
            format!("SELECT {}", chain("1", "+")),
            format!("SELECT 1 WHERE {}", chain("a = 'x'", " OR ")),
            format!("SELECT {}", chain("CASE WHEN a THEN 1 END", " || ")),
            chain("SELECT 1, 2 FROM a", " UNION ALL "),
            format!("SELECT * FROM {}", chain("a", ", ")),
            format!("SELECT * FROM {}", chain("a", " JOIN ")),
            "(".repeat(20_000),
            format!("SELECT {}1", "- ".repeat(20_000)),
            format!("SELECT a{}", "::INT".repeat(20_000)),
        ] {
            let error = check(&deep).unwrap_err().to_string();
            assert!(error.contains("nests too deeply"), "{error}");
        }
        for flat in [
            format!("SELECT {}", chain("a + 1", ", ")),
            format!("SELECT 1 WHERE a IN ({})", chain("1", ", ")),
            format!("VALUES {}", chain("(1, (2))", ", ")),
            format!("SELECT CASE {} END", chain("WHEN a = 1 THEN 'x'", " ")),
            format!("SELECT 1 WHERE {}", vec!["a = 'x'"; 400].join(" OR ")),
            "SELECT 'unterminated".to_owned(),
        ] {
            assert!(check(&flat).is_ok(), "{}", &flat[..40]);
        }
    }
}
