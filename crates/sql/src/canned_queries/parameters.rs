//! Parameters of canned queries.

use crate::script::SqlScript;
use anyhow::{Context as _, ensure};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};
use rtoscope_command::query::QueryParameter;

/// The statement with each `$name` replaced by the given value, or else by the
/// default in its file. A parameter with a numeric default needs a number.
pub(super) fn bind_parameters(
    script: &SqlScript,
    set: &[QueryParameter],
) -> anyhow::Result<String> {
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
    let mut tokens = Tokenizer::new(&GenericDialect {}, script.sql).tokenize()?;
    for token in &mut tokens {
        let Token::Placeholder(name) = token else {
            continue;
        };
        let name = name.trim_start_matches('$');
        let (default, value) = value(name).with_context(|| format!("no value for ${name}"))?;
        *token = if default.parse::<u32>().is_ok() {
            let number: u32 = value
                .parse()
                .ok()
                .filter(|number| *number > 0)
                .with_context(|| format!("{name} must be a number of at least 1, not {value:?}"))?;
            Token::Number(number.to_string(), false)
        } else {
            Token::SingleQuotedString(value.replace('\'', "''"))
        };
    }
    Ok(tokens.iter().map(Token::to_string).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound(set: &[&str]) -> anyhow::Result<String> {
        let text =
            "-- T\n--\n-- Parameters\n--   n=10: rows\n--   who=%: thread\nSELECT $n, $who -- $n";
        let set: Vec<QueryParameter> = set.iter().map(|text| text.parse().unwrap()).collect();
        bind_parameters(&SqlScript::parse("x", text), &set)
    }

    #[test]
    fn parameters_are_bound() {
        assert!(bound(&[]).unwrap().starts_with("SELECT 10, '%' "));
        let hostile = bound(&["n=3", "who=it's; DROP"]).unwrap();
        assert!(hostile.starts_with("SELECT 3, 'it''s; DROP' "), "{hostile}");
    }

    #[test]
    fn invalid_parameters_are_rejected() {
        let error = |set: &[&str]| bound(set).unwrap_err().to_string();
        assert_eq!(error(&["m=1"]), "x has no parameter \"m\"; it has n, who");
        assert!(error(&["n=1 OR"]).contains("number"));
        assert!(error(&["n=0"]).contains("at least 1"));
    }
}
