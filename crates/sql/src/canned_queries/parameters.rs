//! Parameters of canned queries.

use crate::engine::{ByteOffsets, SqlPosition};
use anyhow::{Context as _, ensure};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};
use rtoscope_command::query::QueryParameter;
use rtoscope_tables::sql::SqlScript;

/// A statement with values in place of its parameters.
#[derive(Debug)]
pub(crate) struct BoundSql {
    /// The statement.
    pub(crate) sql: String,
    /// The values in it, in ascending order.
    values: Vec<BoundValue>,
}

/// A value in a statement.
#[derive(Debug)]
struct BoundValue {
    /// The line, from 1, and the first character, from 0.
    line: usize,
    start: usize,
    /// The number of characters.
    length: usize,
    /// The number of characters of the parameter.
    parameter_length: usize,
}

impl BoundSql {
    /// A statement without parameters.
    pub(crate) fn unbound(sql: &str) -> Self {
        Self {
            sql: sql.to_owned(),
            values: Vec::new(),
        }
    }

    /// The position in the statement with parameters for one in the statement with values.
    pub(crate) fn original(&self, position: SqlPosition) -> SqlPosition {
        let on_line = |value: &&BoundValue| value.line == position.line;
        // Numbers of characters by which the text before is longer, and shorter.
        let moved = |at: usize, is_end: bool| {
            let (mut longer, mut shorter) = (0, 0);
            for value in self.values.iter().filter(on_line) {
                let end = value.start + value.length;
                let is_inside = match is_end {
                    true => value.start < at && at < end,
                    false => value.start <= at && at < end,
                };
                if is_inside {
                    let edge = if is_end { value.parameter_length } else { 0 };
                    return value.start + shorter + edge - longer;
                }
                if end <= at {
                    longer += value.length;
                    shorter += value.parameter_length;
                }
            }
            at + shorter - longer
        };
        SqlPosition {
            line: position.line,
            start: moved(position.start, false),
            end: moved(position.end, true),
        }
    }
}

/// A statement with each `$name` replaced by the given value, or else by the default in
/// the file of the canned query. A parameter with a numeric default needs a number.
pub(super) fn bind_parameters(
    script: &SqlScript,
    sql: &str,
    set: &[QueryParameter],
) -> anyhow::Result<BoundSql> {
    let parameters = script.parameters.iter().map(|it| it.name.split_once('='));
    let parameters: Vec<_> = parameters.flatten().collect();
    for QueryParameter { name, .. } in set {
        ensure!(
            parameters.iter().any(|(known, _)| known == name),
            "{} has no parameter {name:?}{}",
            script.name,
            match &parameters[..] {
                [] => String::new(),
                known => {
                    let names: Vec<_> = known.iter().map(|(name, _)| *name).collect();
                    format!("; it has {}", names.join(", "))
                }
            }
        );
    }
    let value = |name: &str| {
        let (_, default) = parameters.iter().find(|(known, _)| *known == name)?;
        let set = set.iter().rev().find(|parameter| parameter.name == name);
        Some((*default, set.map_or(*default, |parameter| &parameter.value)))
    };
    let mut tokens = Vec::new();
    // The parser reports a text that is not terminated.
    let _ = Tokenizer::new(&GenericDialect {}, sql).tokenize_with_location_into_buf(&mut tokens);
    let mut offsets = ByteOffsets::new(sql);
    let mut bound = BoundSql::unbound("");
    let mut copied = 0;
    for token in &tokens {
        let Token::Placeholder(placeholder) = &token.token else {
            continue;
        };
        let name = placeholder.trim_start_matches('$');
        let (default, value) = value(name).with_context(|| format!("no value for ${name}"))?;
        ensure!(
            !value.contains(['\n', '\r']),
            "the value of {name} has more than one line"
        );
        let value = if default.parse::<u32>().is_ok() {
            let number: u32 = value
                .parse()
                .ok()
                .filter(|number| *number > 0)
                .with_context(|| format!("{name} must be a number of at least 1, not {value:?}"))?;
            Token::Number(number.to_string(), false)
        } else {
            Token::SingleQuotedString(value.replace('\'', "''"))
        };
        let value = value.to_string();
        let start = offsets.offset(token.span.start);
        bound.sql.push_str(&sql[copied..start]);
        copied = start + placeholder.len();
        let line_start = bound.sql.rfind('\n').map_or(0, |end| end + 1);
        bound.values.push(BoundValue {
            line: usize::try_from(token.span.start.line).unwrap_or_default(),
            start: bound.sql[line_start..].chars().count(),
            length: value.chars().count(),
            parameter_length: placeholder.chars().count(),
        });
        bound.sql.push_str(&value);
    }
    bound.sql.push_str(&sql[copied..]);
    Ok(bound)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound(set: &[&str]) -> anyhow::Result<String> {
        bind(set).map(|bound| bound.sql)
    }

    fn bind(set: &[&str]) -> anyhow::Result<BoundSql> {
        let text =
            "-- T\n--\n-- Parameters\n--   n=10: rows\n--   who=%: thread\nSELECT $n, $who -- $n";
        let set: Vec<QueryParameter> = set.iter().map(|text| text.parse().unwrap()).collect();
        let script = SqlScript::parse("x", text);
        bind_parameters(&script, script.sql, &set)
    }

    #[test]
    fn parameters_are_bound() {
        assert!(bound(&[]).unwrap().starts_with("SELECT 10, '%' "));
        let hostile = bound(&["n=3", "who=it's; DROP"]).unwrap();
        assert!(hostile.starts_with("SELECT 3, 'it''s; DROP' "), "{hostile}");
    }

    #[test]
    fn positions_are_those_of_the_statement_with_parameters() {
        // SELECT $n, $who
        let bound = bind(&["n=12345", "who=µ"]).unwrap();
        assert_eq!(bound.sql, "SELECT 12345, 'µ' -- $n");
        let original = |start, end| {
            let position = bound.original(SqlPosition {
                line: 1,
                start,
                end,
            });
            (position.start, position.end)
        };
        assert_eq!(original(0, 6), (0, 6));
        assert_eq!(original(7, 12), (7, 9));
        assert_eq!(original(9, 10), (7, 9));
        assert_eq!(original(12, 13), (9, 10));
        assert_eq!(original(14, 17), (11, 15));
        assert_eq!(original(18, 20), (16, 18));
        let elsewhere = SqlPosition {
            line: 2,
            start: 20,
            end: 21,
        };
        assert_eq!(bound.original(elsewhere), elsewhere);
    }

    #[test]
    fn invalid_parameters_are_rejected() {
        let error = |set: &[&str]| bound(set).unwrap_err().to_string();
        assert_eq!(error(&["m=1"]), "x has no parameter \"m\"; it has n, who");
        assert!(error(&["n=1 OR"]).contains("number"));
        assert!(error(&["n=0"]).contains("at least 1"));
        assert!(error(&["who=a\nb"]).contains("more than one line"));
    }
}
