//! How the lines of a text log begin.

use crate::Nanoseconds;
use std::fmt;
use std::str::FromStr;

/// Formats by name: the patterns of their lines, tried in this order.
const FORMATS: [(&str, &[&str]); 5] = [
    (
        "zephyr",
        &[
            "[{time:hms}] <{level}> {source}: {text}",
            "[{time:hms}] <{level}> {text}",
        ],
    ),
    (
        "zephyr-ticks",
        &[
            "[{ticks}] <{level}> {source}: {text}",
            "[{ticks}] <{level}> {text}",
        ],
    ),
    (
        "defmt",
        &["{time} {level} {text}", "{time} [{level}] {text}"],
    ),
    ("esp-idf", &["{level} ({time:ms}) {source}: {text}"]),
    ("linux", &["[{time}] {text}"]),
];

/// The level of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LogLevel {
    /// An error.
    Error,
    /// A warning.
    Warning,
    /// Information.
    Info,
    /// For debugging.
    Debug,
    /// For debugging, with many details.
    Trace,
}

impl LogLevel {
    const WORDS: [(&'static str, Self); 17] = [
        ("error", Self::Error),
        ("err", Self::Error),
        ("e", Self::Error),
        ("warning", Self::Warning),
        ("warn", Self::Warning),
        ("wrn", Self::Warning),
        ("w", Self::Warning),
        ("info", Self::Info),
        ("inf", Self::Info),
        ("i", Self::Info),
        ("debug", Self::Debug),
        ("dbg", Self::Debug),
        ("d", Self::Debug),
        ("trace", Self::Trace),
        ("t", Self::Trace),
        ("verbose", Self::Trace),
        ("v", Self::Trace),
    ];

    /// The name: `error`, `warning`, `info`, `debug` or `trace`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
            Self::Debug => "debug",
            Self::Trace => "trace",
        }
    }

    fn from_word(word: &str) -> Option<Self> {
        let mut words = Self::WORDS.iter();
        let found = words.find(|(known, _)| known.eq_ignore_ascii_case(word));
        found.map(|(_, level)| *level)
    }
}

impl fmt::Display for LogLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The format of a text log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextLogFormat {
    name: String,
    patterns: Vec<Pattern>,
}

impl TextLogFormat {
    /// The formats with a name.
    pub fn known() -> Vec<Self> {
        let formats = FORMATS.iter().map(|(name, patterns)| Self {
            name: (*name).to_owned(),
            patterns: patterns.iter().filter_map(|it| it.parse().ok()).collect(),
        });
        formats.collect()
    }

    /// Its name, or its pattern if it has no name.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn parse<'a>(&self, line: &'a str) -> Option<StampedLine<'a>> {
        let mut patterns = self.patterns.iter();
        patterns.find_map(|pattern| pattern.parse(line))
    }
}

impl FromStr for TextLogFormat {
    type Err = PatternError;

    /// The name of a format, or a pattern.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let known = Self::known().into_iter().find(|format| format.name == text);
        if let Some(known) = known {
            return Ok(known);
        }
        Ok(Self {
            name: text.to_owned(),
            patterns: vec![text.parse()?],
        })
    }
}

/// A pattern of lines: `{time}`, `{ticks}`, `{level}`, `{source}`, `{text}`, `{skip}`
/// and text that must be there. A space stands for any number of spaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern(Vec<Token>);

/// A pattern cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// A field is not known.
    #[error(
        "unknown field {{{0}}}; fields are {{time}}, {{time:s}}, {{time:ms}}, {{time:us}}, \
         {{time:ns}}, {{time:hms}}, {{ticks}}, {{ticks:x}}, {{level}}, {{source}}, {{skip}}, \
         {{text}}"
    )]
    UnknownField(String),
    /// A field is not closed.
    #[error("a field of the pattern has no closing brace")]
    Unclosed,
    /// There must be one stamp.
    #[error(
        "neither a known format ({known}) nor a pattern with one {{time}} or {{ticks}}",
        known = names()
    )]
    Stamps,
    /// The text must be last.
    #[error("the pattern must end with its only {{text}}")]
    Text,
    /// Something must divide two fields.
    #[error("nothing divides {{source}} or {{skip}} from the next field")]
    Undivided,
}

fn names() -> String {
    FORMATS.map(|(name, _)| name).join(", ")
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token {
    Character(char),
    Space,
    Stamp(StampFormat),
    Level,
    Source,
    Skip,
    Text,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StampFormat {
    /// Seconds with a fraction.
    Fraction,
    /// Units of this many nanoseconds.
    Units(u64),
    /// Hours, minutes and seconds; a comma may divide the fraction.
    HoursMinutesSeconds,
    Ticks,
    HexTicks,
}

/// The stamp of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stamp {
    /// What the counter shows.
    Ticks(u64),
    /// The time since the log's time 0.
    Time(Nanoseconds),
}

/// The parts of a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct StampedLine<'a> {
    pub(super) stamp: Stamp,
    pub(super) level: Option<LogLevel>,
    pub(super) source: Option<&'a str>,
    pub(super) text: &'a str,
}

impl FromStr for Pattern {
    type Err = PatternError;

    fn from_str(pattern: &str) -> Result<Self, Self::Err> {
        let mut tokens = Vec::new();
        let mut rest = pattern;
        while let Some(character) = rest.chars().next() {
            rest = rest.get(character.len_utf8()..).unwrap_or_default();
            tokens.push(match character {
                ' ' | '\t' => Token::Space,
                '{' if rest.starts_with('{') => {
                    rest = rest.get(1..).unwrap_or_default();
                    Token::Character('{')
                }
                '{' => {
                    let (field, after) = rest.split_once('}').ok_or(PatternError::Unclosed)?;
                    rest = after;
                    Token::field(field)?
                }
                other => Token::Character(other),
            });
        }
        let is_stamp = |token: &&Token| matches!(token, Token::Stamp(_));
        let stamps = tokens.iter().filter(is_stamp).count();
        if stamps != 1 {
            return Err(PatternError::Stamps);
        }
        let texts = tokens.iter().filter(|token| **token == Token::Text).count();
        if texts != 1 || tokens.last() != Some(&Token::Text) {
            return Err(PatternError::Text);
        }
        let mut pairs = tokens.iter().zip(tokens.iter().skip(1));
        let is_undivided = |(field, next): (&Token, &Token)| {
            matches!(field, Token::Source | Token::Skip) && next.divider().is_none()
        };
        if pairs.any(is_undivided) {
            return Err(PatternError::Undivided);
        }
        Ok(Self(tokens))
    }
}

impl Pattern {
    fn parse<'a>(&self, line: &'a str) -> Option<StampedLine<'a>> {
        let mut rest = line;
        let mut stamp = None;
        let mut level = None;
        let mut source = None;
        for (number, token) in self.0.iter().enumerate() {
            match *token {
                Token::Character(character) => rest = rest.strip_prefix(character)?,
                Token::Space => rest = rest.trim_start_matches([' ', '\t']),
                Token::Stamp(format) => {
                    let (found, after) = format.parse(rest)?;
                    stamp = Some(found);
                    rest = after;
                }
                Token::Level => {
                    let (word, after) = split_while(rest, |it| it.is_ascii_alphabetic());
                    level = Some(LogLevel::from_word(word)?);
                    rest = after;
                }
                Token::Source | Token::Skip => {
                    let divider = self.0.get(number + 1)?.divider()?;
                    let (word, after) =
                        split_while(rest, |it| it != divider && !it.is_whitespace());
                    if word.is_empty() {
                        return None;
                    }
                    if *token == Token::Source {
                        source = Some(word);
                    }
                    rest = after;
                }
                Token::Text => break,
            }
        }
        Some(StampedLine {
            stamp: stamp?,
            level,
            source,
            text: rest,
        })
    }
}

impl Token {
    fn field(field: &str) -> Result<Self, PatternError> {
        Ok(match field {
            "time" => Self::Stamp(StampFormat::Fraction),
            "time:s" => Self::Stamp(StampFormat::Units(1_000_000_000)),
            "time:ms" => Self::Stamp(StampFormat::Units(1_000_000)),
            "time:us" => Self::Stamp(StampFormat::Units(1_000)),
            "time:ns" => Self::Stamp(StampFormat::Units(1)),
            "time:hms" => Self::Stamp(StampFormat::HoursMinutesSeconds),
            "ticks" => Self::Stamp(StampFormat::Ticks),
            "ticks:x" => Self::Stamp(StampFormat::HexTicks),
            "level" => Self::Level,
            "source" => Self::Source,
            "skip" => Self::Skip,
            "text" => Self::Text,
            _ => return Err(PatternError::UnknownField(field.to_owned())),
        })
    }

    /// The character that ends a field before this token.
    fn divider(self) -> Option<char> {
        match self {
            Self::Character(character) => Some(character),
            Self::Space => Some(' '),
            _ => None,
        }
    }
}

impl StampFormat {
    fn parse(self, text: &str) -> Option<(Stamp, &str)> {
        let text = text.trim_start_matches(' ');
        match self {
            Self::Fraction | Self::Units(_) => {
                let (number, rest) = split_while(text, |it| it.is_ascii_digit() || it == '.');
                let unit = match self {
                    Self::Units(unit) => unit,
                    _ if number.contains('.') => 1_000_000_000,
                    _ => return None,
                };
                Some((Stamp::Time(decimal(number, unit)?), rest))
            }
            Self::HoursMinutesSeconds => {
                let (stamp, rest) = split_while(text, |it| {
                    it.is_ascii_digit() || matches!(it, ':' | '.' | ',')
                });
                let (hours, stamp) = stamp.split_once(':')?;
                let (minutes, seconds) = stamp.split_once(':')?;
                let seconds = decimal(&seconds.replace(',', ""), 1_000_000_000)?;
                let minutes = number(minutes)?.checked_add(number(hours)?.checked_mul(60)?)?;
                let whole = minutes.checked_mul(60_000_000_000)?;
                Some((
                    Stamp::Time(Nanoseconds(whole.checked_add(seconds.0)?)),
                    rest,
                ))
            }
            Self::Ticks => {
                let (digits, rest) = split_while(text, |it| it.is_ascii_digit());
                Some((Stamp::Ticks(number(digits)?), rest))
            }
            Self::HexTicks => {
                let text = text.strip_prefix("0x").unwrap_or(text);
                let (digits, rest) = split_while(text, |it| it.is_ascii_hexdigit());
                Some((Stamp::Ticks(u64::from_str_radix(digits, 16).ok()?), rest))
            }
        }
    }
}

fn number(digits: &str) -> Option<u64> {
    digits.parse().ok()
}

/// A decimal number of units, in nanoseconds, rounded down.
fn decimal(text: &str, unit: u64) -> Option<Nanoseconds> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    // More digits are below a picosecond.
    let fraction = fraction.get(..fraction.len().min(12))?;
    let scale = 10_u64.checked_pow(u32::try_from(fraction.len()).ok()?)?;
    let part = u128::from(number(fraction)?) * u128::from(unit) / u128::from(scale);
    let whole = number(whole)?.checked_mul(unit)?;
    Some(Nanoseconds(whole.checked_add(u64::try_from(part).ok()?)?))
}

fn split_while(text: &str, matches: impl Fn(char) -> bool) -> (&str, &str) {
    let end = text.find(|character| !matches(character));
    text.split_at_checked(end.unwrap_or(text.len()))
        .unwrap_or((text, ""))
}
