//! Spelling and terms: `typos`, and the words that `xtask/words.toml` rules out.

use crate::{packages, shell};
use anyhow::{Context as _, bail};
use regex::bytes::{Regex, RegexBuilder, RegexSet, RegexSetBuilder};
use serde::Deserialize;
use std::fs;
use std::path::Path;

const RULES: &str = "xtask/words.toml";
const REQUIREMENTS: &str = "xtask/requirements.txt";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Config {
    /// Beginnings of the paths of files that are not checked.
    exclude: Vec<String>,
    #[serde(rename = "rule")]
    rules: Vec<Rule>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rule {
    pattern: String,
    #[serde(default)]
    case: bool,
    #[serde(rename = "use")]
    instead: String,
    #[serde(default)]
    files: Vec<String>,
    #[serde(default)]
    allow: Vec<Exception>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Exception {
    #[serde(default)]
    path: String,
    text: String,
    /// Whether a line needs it.
    #[serde(skip)]
    needed: bool,
}

impl Rule {
    fn expression(&self) -> String {
        let flags = if self.case { "" } else { "(?i)" };
        format!("{flags}{}", self.pattern)
    }

    fn regex(&self) -> anyhow::Result<Regex> {
        let mut regex = RegexBuilder::new(&self.expression());
        let regex = regex.unicode(false).build();
        regex.with_context(|| self.pattern.clone())
    }

    fn applies_to(&self, path: &str) -> bool {
        self.files.is_empty() || self.files.iter().any(|ending| path.ends_with(ending))
    }

    /// The forbidden words of a line, unless an exception allows them.
    fn find<'a>(&mut self, regex: &Regex, path: &str, line: &'a str) -> Option<&'a str> {
        let found = line.get(regex.find(line.as_bytes())?.range())?;
        let mut is_allowed = false;
        for exception in &mut self.allow {
            if path.starts_with(&exception.path) && line.contains(&exception.text) {
                exception.needed = true;
                is_allowed = true;
            }
        }
        (!is_allowed).then_some(found)
    }
}

/// Fails if a file contains a misspelt or forbidden word.
pub(crate) fn test() -> anyhow::Result<()> {
    let spelling = check_spelling();
    let found = forbidden_words()?;
    for line in &found {
        eprintln!("{line}");
    }
    if !found.is_empty() {
        bail!("{} uses of words that {RULES} rules out", found.len());
    }
    spelling
}

/// Runs `typos`, which `typos.toml` configures.
fn check_spelling() -> anyhow::Result<()> {
    let environment = packages::python_environment("words", REQUIREMENTS)?;
    let typos = environment.program("typos");
    shell::run(&mut shell::program(&typos, &["--format", "brief"]))
}

/// The rules with their patterns, and one matcher for the patterns of all of them.
struct Rules {
    rules: Vec<(Rule, Regex)>,
    patterns: RegexSet,
    found: Vec<String>,
}

impl Rules {
    fn new(rules: Vec<Rule>) -> anyhow::Result<Self> {
        let expressions = rules.iter().map(Rule::expression);
        let patterns = RegexSetBuilder::new(expressions).unicode(false).build()?;
        let rules = rules.into_iter().map(|rule| {
            let regex = rule.regex()?;
            Ok((rule, regex))
        });
        Ok(Self {
            rules: rules.collect::<anyhow::Result<_>>()?,
            patterns,
            found: Vec::new(),
        })
    }

    /// Checks the lines of a text by the rules whose patterns it contains.
    fn check(&mut self, path: &str, text: &str) {
        for at in self.patterns.matches(text.as_bytes()) {
            let (rule, regex) = &mut self.rules[at];
            if !rule.applies_to(path) {
                continue;
            }
            for (number, line) in (1..).zip(text.lines()) {
                if let Some(word) = rule.find(regex, path, line) {
                    let (instead, line) = (&rule.instead, line.trim());
                    self.found
                        .push(format!("{path}:{number}: `{word}` ({instead}): {line}"));
                }
            }
        }
    }

    fn check_exceptions(&mut self) {
        let exceptions = self.rules.iter().flat_map(|(rule, _)| &rule.allow);
        let unneeded = exceptions.filter(|exception| !exception.needed);
        self.found
            .extend(unneeded.map(|it| format!("{RULES}: no line needs `{}`", it.text)));
    }
}

fn forbidden_words() -> anyhow::Result<Vec<String>> {
    let text = fs::read_to_string(shell::root().join(RULES)).context(RULES)?;
    let config: Config = toml::from_str(&text).context(RULES)?;
    let mut rules = Rules::new(config.rules)?;
    for path in tracked_files()? {
        let is_excluded = config.exclude.iter().any(|start| path.starts_with(start));
        if is_excluded {
            continue;
        }
        rules.check(&path, &path);
        if let Some(text) = text_of(&shell::root().join(&path)) {
            rules.check(&path, &text);
        }
    }
    rules.check_exceptions();
    Ok(rules.found)
}

/// The paths of all files in version control, from the root.
fn tracked_files() -> anyhow::Result<Vec<String>> {
    // A checkout of another user's, as in a container, is no reason to fail.
    let words = ["-c", "safe.directory=*", "ls-files", "-z"];
    let list = shell::output(&mut shell::program("git", &words))?;
    let list = String::from_utf8_lossy(&list);
    let paths = list.split('\0').filter(|path| !path.is_empty());
    Ok(paths.map(str::to_owned).collect())
}

/// The text of a file; none if it is deleted or holds other data.
fn text_of(path: &Path) -> Option<String> {
    let bytes = fs::read(path).ok()?;
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_unless_allowed() {
        let mut rule: Rule = toml::from_str(
            r#"
            pattern = '\bfoo\b'
            use = "bar"
            files = [".md"]
            allow = [{ path = "docs/", text = "foo fighters" }, { text = "unneeded" }]
            "#,
        )
        .unwrap();
        let regex = rule.regex().unwrap();
        assert!(rule.applies_to("docs/a.md"));
        assert!(!rule.applies_to("docs/a.rs"));
        assert_eq!(rule.find(&regex, "docs/a.md", "a Foo is"), Some("Foo"));
        assert_eq!(rule.find(&regex, "docs/a.md", "food"), None);
        assert_eq!(rule.find(&regex, "other.md", "foo fighters"), Some("foo"));
        assert!(rule.allow.iter().all(|exception| !exception.needed));
        assert_eq!(rule.find(&regex, "docs/a.md", "foo fighters"), None);
        assert!(rule.allow[0].needed && !rule.allow[1].needed);
    }

    #[test]
    fn the_rules_can_be_read() {
        let text = fs::read_to_string(shell::root().join(RULES)).unwrap();
        let config: Config = toml::from_str(&text).unwrap();
        Rules::new(config.rules).unwrap();
    }
}
