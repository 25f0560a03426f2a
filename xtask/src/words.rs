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
    rules: Vec<RuleConfig>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleConfig {
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

impl RuleConfig {
    fn expression(&self) -> String {
        let flags = if self.case { "" } else { "(?i)" };
        format!("{flags}{}", self.pattern)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Exception {
    #[serde(default)]
    path: String,
    text: String,
}

impl Exception {
    fn matches(&self, path: &str, line: &str) -> bool {
        path.starts_with(&self.path) && line.contains(&self.text)
    }
}

struct Rule {
    pattern: Regex,
    config: RuleConfig,
    /// For each exception, whether a line needs it.
    needed: Vec<bool>,
}

impl Rule {
    fn new(config: RuleConfig) -> anyhow::Result<Self> {
        let pattern = RegexBuilder::new(&config.expression())
            .unicode(false)
            .build()
            .with_context(|| config.pattern.clone())?;
        let needed = vec![false; config.allow.len()];
        Ok(Self {
            pattern,
            config,
            needed,
        })
    }

    fn applies_to(&self, path: &str) -> bool {
        let files = &self.config.files;
        files.is_empty() || files.iter().any(|ending| path.ends_with(ending))
    }

    /// The forbidden words of a line, unless an exception allows them.
    fn find<'a>(&mut self, path: &str, line: &'a str) -> Option<&'a str> {
        let found = line.get(self.pattern.find(line.as_bytes())?.range())?;
        let mut is_allowed = false;
        for (exception, needed) in self.config.allow.iter().zip(&mut self.needed) {
            if exception.matches(path, line) {
                *needed = true;
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

/// The rules, and one matcher for the patterns of all of them.
struct Rules {
    rules: Vec<Rule>,
    patterns: RegexSet,
    found: Vec<String>,
}

impl Rules {
    fn new(rules: Vec<RuleConfig>) -> anyhow::Result<Self> {
        let rules = rules.into_iter().map(Rule::new);
        let rules = rules.collect::<anyhow::Result<Vec<_>>>()?;
        let expressions = rules.iter().map(|rule| rule.config.expression());
        let patterns = RegexSetBuilder::new(expressions).unicode(false).build()?;
        Ok(Self {
            rules,
            patterns,
            found: Vec::new(),
        })
    }

    /// Checks the lines of a text by the rules whose patterns it contains.
    fn check(&mut self, path: &str, text: &str) {
        for rule in self.patterns.matches(text.as_bytes()) {
            let Some(rule) = self
                .rules
                .get_mut(rule)
                .filter(|rule| rule.applies_to(path))
            else {
                continue;
            };
            for (number, line) in text.lines().enumerate() {
                if let Some(word) = rule.find(path, line) {
                    let (number, instead) = (number + 1, &rule.config.instead);
                    let line = line.trim();
                    self.found
                        .push(format!("{path}:{number}: `{word}` ({instead}): {line}"));
                }
            }
        }
    }

    fn check_exceptions(&mut self) {
        for rule in &self.rules {
            for (exception, needed) in rule.config.allow.iter().zip(&rule.needed) {
                if !needed {
                    self.found
                        .push(format!("{RULES}: no line needs `{}`", exception.text));
                }
            }
        }
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

    fn rule(toml: &str) -> Rule {
        Rule::new(toml::from_str(toml).unwrap()).unwrap()
    }

    #[test]
    fn words_are_found_unless_allowed() {
        let mut rule = rule(
            r#"
            pattern = '\bfoo\b'
            use = "bar"
            files = [".md"]
            allow = [{ path = "docs/", text = "foo fighters" }, { text = "unneeded" }]
            "#,
        );
        assert!(rule.applies_to("docs/a.md"));
        assert!(!rule.applies_to("docs/a.rs"));
        assert_eq!(rule.find("docs/a.md", "a Foo is"), Some("Foo"));
        assert_eq!(rule.find("docs/a.md", "food"), None);
        assert_eq!(rule.find("other.md", "foo fighters"), Some("foo"));
        assert_eq!(rule.needed, [false, false]);
        assert_eq!(rule.find("docs/a.md", "foo fighters"), None);
        assert_eq!(rule.needed, [true, false]);
    }

    #[test]
    fn the_rules_can_be_read() {
        let text = fs::read_to_string(shell::root().join(RULES)).unwrap();
        let config: Config = toml::from_str(&text).unwrap();
        Rules::new(config.rules).unwrap();
    }
}
