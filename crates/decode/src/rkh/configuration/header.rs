//! The firmware's own configuration: a C header such as `rkhcfg.h`, or the macros
//! in an ELF file with debug information of `-g3`.

use super::expression::{Macros, evaluate};
use super::{ConfigurationError, ConfigurationProblem, ParsedConfiguration};
use crate::DecodeError;
use rtoscope_symbols::macros;
use rtoscope_wire::rkh::StreamConfiguration;
use rtoscope_wire::rkh::config::CONFIGURATION_KEYS;
use rtoscope_wire::rkh::tcfg::RkhVersion;
use std::collections::BTreeMap;

/// Names of options before RKH 3, with the newer ones.
const OLD_NAMES: [(&str, &str); 2] = [
    ("RKH_CFG_RQ_SIZEOF_NELEM", "RKH_CFG_QUE_SIZEOF_NELEM"),
    ("RKH_CFG_RQ_GET_LWMARK_EN", "RKH_CFG_QUE_GET_LWMARK_EN"),
];

/// The macro with the version of RKH.
const VERSION_CODE: &str = "RKH_VERSION_CODE";

/// Values of options by name. Of switches 0 or 1, of sizes bits.
type Options = BTreeMap<&'static str, i64>;

/// Whether a text is a C header: its first line with content is a directive or a
/// C comment.
pub(super) fn is_header(text: &str) -> bool {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty());
    first.is_some_and(|line| {
        line.starts_with("/*") || line.starts_with("//") || directive(line).is_some()
    })
}

/// Parses a C header: its `#define`s and the conditions around them. It includes no
/// other file.
pub(super) fn parse(text: &str) -> Result<ParsedConfiguration, ConfigurationError> {
    let mut macros = Macros::new();
    let mut lines = BTreeMap::new();
    let mut conditions: Vec<Condition> = Vec::new();
    for (line, number) in logical_lines(text) {
        let Some((name, rest)) = directive(line.trim()) else {
            continue;
        };
        let fail = || {
            let problem = ConfigurationProblem::NotASetting(line.trim().to_owned());
            ConfigurationError::new(Some(number), problem)
        };
        let is_active = conditions.iter().all(|it| it.is_taken);
        let is_outer_active = conditions.iter().rev().skip(1).all(|it| it.is_taken);
        match name {
            "if" | "ifdef" | "ifndef" => {
                let holds = match name {
                    _ if !is_active => false,
                    "if" => evaluate(rest, &macros, true).ok_or_else(fail)? != 0,
                    _ => macros.contains_key(rest.trim()) == (name == "ifdef"),
                };
                conditions.push(Condition {
                    is_taken: holds,
                    was_taken: holds || !is_active,
                });
            }
            "elif" | "else" => {
                let condition = conditions.last_mut().ok_or_else(fail)?;
                let holds = !condition.was_taken
                    && is_outer_active
                    && (name == "else" || evaluate(rest, &macros, true).ok_or_else(fail)? != 0);
                condition.is_taken = holds;
                condition.was_taken |= holds;
            }
            "endif" => {
                conditions.pop().ok_or_else(fail)?;
            }
            "define" if is_active => {
                let end = rest.find(|it: char| !it.is_ascii_alphanumeric() && it != '_');
                let (name, value) = rest
                    .split_at_checked(end.unwrap_or(rest.len()))
                    .unwrap_or((rest, ""));
                if !value.starts_with('(') {
                    macros.insert(name.to_owned(), value.trim().to_owned());
                    lines.insert(name.to_owned(), number);
                }
            }
            "undef" if is_active => {
                macros.remove(rest.trim());
            }
            _ => {}
        }
    }
    let line_of = |name: &str| lines.get(name).copied();
    let options = options(&macros)
        .map_err(|(name, problem)| ConfigurationError::new(line_of(&name), problem))?;
    configuration(&options)
        .map_err(|(name, problem)| ConfigurationError::new(line_of(name), problem))
}

/// Reads the macros of an ELF file. `None` if it is none.
pub(super) fn read_elf(
    bytes: &[u8],
) -> Result<Option<Result<ParsedConfiguration, ConfigurationError>>, DecodeError> {
    let mut all = Options::new();
    let mut problem = None;
    let is_elf = macros::for_each_unit(bytes, |unit| match options(unit) {
        Ok(found) => {
            for (name, value) in found {
                let known = *all.entry(name).or_insert(value);
                if known != value {
                    problem.get_or_insert(ConfigurationProblem::Conflict {
                        name,
                        values: [known, value],
                    });
                }
            }
        }
        Err((_, error)) => {
            problem.get_or_insert(error);
        }
    })?;
    let parsed = || match problem {
        Some(problem) => Err(ConfigurationError::new(None, problem)),
        None if all.is_empty() => Err(ConfigurationError::new(
            None,
            ConfigurationProblem::NoMacros,
        )),
        None => configuration(&all).map_err(|(_, problem)| ConfigurationError::new(None, problem)),
    };
    Ok(is_elf.map(|()| parsed()))
}

/// The state of an `#if`.
struct Condition {
    is_taken: bool,
    /// Whether a branch was taken, or none can be.
    was_taken: bool,
}

/// The options among macros.
fn options(macros: &Macros) -> Result<Options, (String, ConfigurationProblem)> {
    let keys = CONFIGURATION_KEYS.iter().map(|key| key.option);
    let names = keys
        .filter(|name| !name.is_empty())
        .map(|name| (name, name));
    let mut options = Options::new();
    for (name, option) in OLD_NAMES
        .into_iter()
        .chain(names)
        .chain([(VERSION_CODE, VERSION_CODE)])
    {
        let Some(text) = macros.get(name) else {
            continue;
        };
        let value = evaluate(text, macros, false).ok_or_else(|| {
            let problem = ConfigurationProblem::NotANumber {
                key: name.to_owned(),
                value: text.clone(),
            };
            (name.to_owned(), problem)
        })?;
        options.insert(option, value);
    }
    Ok(options)
}

fn configuration(
    options: &Options,
) -> Result<ParsedConfiguration, (&'static str, ConfigurationProblem)> {
    let mut configuration = StreamConfiguration::default();
    let mut given = Vec::new();
    if let Some(code) = options.get(VERSION_CODE) {
        let version = u16::try_from(*code)
            .ok()
            .and_then(|code| RkhVersion(code).dialect());
        configuration.dialect = version.ok_or_else(|| {
            (
                VERSION_CODE,
                ConfigurationProblem::Dialect(format!("{code:#x}")),
            )
        })?;
    }
    // In their order: whether there are timestamps must be known before their size.
    for key in CONFIGURATION_KEYS {
        let Some(value) = options.get(key.option) else {
            continue;
        };
        let invalid = || {
            let problem = ConfigurationProblem::OptionValue {
                option: key.option,
                value: *value,
            };
            (key.option, problem)
        };
        let bytes = match key.is_switch {
            true => *value,
            false if value % 8 == 0 => value / 8,
            false => return Err(invalid()),
        };
        let bytes = u32::try_from(bytes).map_err(|_| invalid())?;
        configuration.set(key.name, bytes).map_err(|_| invalid())?;
        given.push(key.name);
    }
    if given.is_empty() {
        return Err(("", ConfigurationProblem::Empty));
    }
    Ok(ParsedConfiguration {
        function_width: given.contains(&"fun").then_some(configuration.function),
        checksum_covers_timestamp: None,
        configuration,
        given,
    })
}

/// The name of a directive, and the rest of its line.
fn directive(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix('#')?.trim_start();
    let end = rest
        .find(|it: char| !it.is_ascii_alphabetic())
        .unwrap_or(rest.len());
    let (name, rest) = rest.split_at_checked(end)?;
    const NAMES: [&str; 11] = [
        "define", "undef", "if", "ifdef", "ifndef", "elif", "else", "endif", "include", "error",
        "pragma",
    ];
    NAMES.contains(&name).then(|| (name, rest.trim_start()))
}

/// The lines without comments, each with the number of its first line; a backslash
/// at the end continues a line.
fn logical_lines(text: &str) -> Vec<(String, u64)> {
    let mut lines: Vec<(String, u64)> = Vec::new();
    let mut in_comment = false;
    let mut continues = false;
    for (line, number) in text.lines().zip(1_u64..) {
        let mut code = String::new();
        let mut rest = line;
        while !rest.is_empty() {
            if in_comment {
                let end = rest.find("*/");
                rest = end.and_then(|end| rest.get(end + 2..)).unwrap_or_default();
                in_comment = end.is_none();
                continue;
            }
            let start = [rest.find("/*"), rest.find("//")]
                .into_iter()
                .flatten()
                .min();
            let (before, after) = rest
                .split_at_checked(start.unwrap_or(rest.len()))
                .unwrap_or((rest, ""));
            code.push_str(before);
            in_comment = after.starts_with("/*");
            rest = if in_comment {
                after.get(2..).unwrap_or_default()
            } else {
                ""
            };
            code.push(' ');
        }
        let (code, next_continues) = match code.trim_end().strip_suffix('\\') {
            Some(code) => (code.to_owned(), true),
            None => (code, false),
        };
        match lines.last_mut().filter(|_| continues) {
            Some((last, _)) => last.push_str(&code),
            None => lines.push((code, number)),
        }
        continues = next_continues;
    }
    lines
}
