//! Tags in paths.

use anyhow::{Context as _, ensure};
use regex::Regex;
use std::collections::BTreeMap;
use std::str::FromStr;

/// A pattern such as `{device}/{firmware}/*.trx`.
#[derive(Debug, Clone)]
pub(crate) struct PathPattern(Regex);

impl PathPattern {
    /// The tags in a path; `None` if the pattern does not match.
    pub(super) fn tags(&self, path: &str) -> Option<BTreeMap<String, String>> {
        let found = self.0.captures(path)?;
        let names = self.0.capture_names().flatten();
        let tags =
            names.filter_map(|name| Some((name.to_owned(), found.name(name)?.as_str().to_owned())));
        Some(tags.collect())
    }
}

impl FromStr for PathPattern {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let mut pattern = "^".to_owned();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            if let Some(after) = rest.strip_prefix("**") {
                pattern.push_str(".*");
                rest = after;
            } else if let Some(after) = rest.strip_prefix('*') {
                pattern.push_str("[^/]*");
                rest = after;
            } else if let Some(after) = rest.strip_prefix('{') {
                let (name, after) = after.split_once('}').context("a `{` without a `}`")?;
                let is_name = name.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_')
                    && name
                        .chars()
                        .all(|it| it.is_ascii_alphanumeric() || it == '_');
                ensure!(
                    is_name,
                    "{name:?} is no name of a tag; expected letters, digits and _"
                );
                pattern.push_str(&format!("(?<{name}>[^/]+?)"));
                rest = after;
            } else {
                pattern.push_str(&regex::escape(&first.to_string()));
                rest = rest.get(first.len_utf8()..).unwrap_or_default();
            }
        }
        pattern.push('$');
        Ok(Self(
            Regex::new(&pattern).context("the pattern names a tag twice")?,
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags(pattern: &str, path: &str) -> Option<String> {
        let tags = pattern.parse::<PathPattern>().unwrap().tags(path)?;
        let tags: Vec<_> = tags
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        Some(tags.join(" "))
    }

    #[test]
    fn tags_are_parts_of_names() {
        for (pattern, path, expected) in [
            (
                "{device}/{firmware}/*.trx",
                "7/1.2/a.trx",
                Some("device=7 firmware=1.2"),
            ),
            ("{device}/*.trx", "7/1.2/a.trx", None),
            ("{device}/**.trx", "7/1.2/a.trx", Some("device=7")),
            (
                "dev-{device}_{n}.trx",
                "dev-7_x_1.trx",
                Some("device=7 n=x_1"),
            ),
            ("a.b", "axb", None),
            ("{device}", "", None),
        ] {
            assert_eq!(tags(pattern, path).as_deref(), expected, "{pattern} {path}");
        }
    }

    #[test]
    fn wrong_patterns_are_errors() {
        for (pattern, reason) in [
            ("{device", "without"),
            ("{}", "no name"),
            ("{a b}", "no name"),
            ("{a}/{a}", "twice"),
        ] {
            let error = format!("{:#}", pattern.parse::<PathPattern>().unwrap_err());
            assert!(error.contains(reason), "{error}");
        }
    }
}
