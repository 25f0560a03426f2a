//! The syntax tree of a filter.

use super::span::Span;
use super::token::{Symbol, is_word};
use crate::Name;
use crate::quoted::Quoted;
use std::borrow::Cow;
use std::fmt;

/// A condition on an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Expression {
    /// All of two or more conditions.
    All(Vec<Self>),
    /// At least one of two or more conditions.
    Any(Vec<Self>),
    /// The negated condition.
    Not(Box<Self>),
    /// One comparison.
    Comparison(Comparison),
    /// A word or quoted text that anything which the event shows contains.
    Text(FilterValue),
}

/// A field and its condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Comparison {
    pub(super) field: FilterField,
    /// The position of the field.
    pub(super) span: Span,
    pub(super) condition: FieldCondition,
}

macro_rules! fields {
    ($($variant:ident $name:literal $field_type:ident;)*) => {
        /// A field of an event.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub(super) enum FilterField {
            $($variant,)*
            /// The argument with this name, see [`argument_name`].
            Argument(String),
        }

        impl FilterField {
            /// The names of all fields, except arguments.
            pub(super) const NAMES: &[&str] = &[$($name,)* "arg."];

            /// The field with that name, in lower case, except arguments.
            pub(super) fn from_name(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$variant),)*
                    _ => None,
                }
            }

            /// The type of its values.
            pub(super) fn field_type(&self) -> FieldType {
                match self {
                    $(Self::$variant => FieldType::$field_type,)*
                    Self::Argument(_) => FieldType::Either,
                }
            }
        }

        impl fmt::Display for FilterField {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Self::$variant => f.write_str($name),)*
                    Self::Argument(name) if !name.is_empty() && is_word(&format!("arg.{name}")) => {
                        write!(f, "arg.{name}")
                    }
                    Self::Argument(name) => {
                        f.write_str("arg.")?;
                        Quoted(&Name::new(name.as_bytes())).fmt(f)
                    }
                }
            }
        }
    };
}

fields! {
    Event "event" Number;
    Time "time" Number;
    Timestamp "timestamp" Number;
    Core "core" Number;
    Context "context" Name;
    Interrupted "interrupted" Name;
    Kind "kind" Name;
    Number "number" Number;
    Component "component" Name;
    Object "object" Name;
    Class "class" Name;
    Priority "priority" Number;
    Threshold "threshold" Number;
    Info1 "info1" Number;
    Info2 "info2" Number;
    Info3 "info3" Number;
    Info4 "info4" Number;
}

/// The type of a field's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldType {
    /// Numbers only.
    Number,
    /// Names; numbers can replace them but have no order.
    Name,
    /// Both.
    Either,
}

/// An argument's name in filters: in lower case, `_` for spaces.
pub fn argument_name(name: &str) -> String {
    argument_letters(name).collect()
}

/// Whether an argument has this [name in filters](argument_name).
pub(super) fn has_argument_name(argument: &str, name: &str) -> bool {
    argument_letters(argument).eq(name.chars())
}

fn argument_letters(name: &str) -> impl Iterator<Item = char> {
    let letters = name.chars().flat_map(char::to_lowercase);
    letters.map(|letter| if letter == ' ' { '_' } else { letter })
}

/// A condition on a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FieldCondition {
    /// Compared with a value.
    Compare(Comparator, FilterValue),
    /// Within a range.
    Range {
        start: FilterValue,
        end: FilterValue,
        /// Whether the range includes its end.
        inclusive: bool,
    },
    /// One of several values.
    Among(Vec<FilterValue>),
    /// Has one of these bits.
    Bits(FilterValue),
}

impl FieldCondition {
    /// The text of its operator.
    pub(super) fn operator(&self) -> &'static str {
        match self {
            Self::Compare(comparator, _) => comparator.symbol().text(),
            Self::Range { .. } | Self::Among(_) => Symbol::In.text(),
            Self::Bits(_) => Symbol::Bits.text(),
        }
    }
}

/// A comparison operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    /// Matches a pattern.
    Like,
    /// Does not match a pattern.
    Unlike,
}

impl Comparator {
    /// The comparator with that symbol.
    pub(super) fn from_symbol(symbol: Symbol) -> Option<Self> {
        match symbol {
            Symbol::Equal | Symbol::Assign => Some(Self::Equal),
            Symbol::NotEqual => Some(Self::NotEqual),
            Symbol::Less => Some(Self::Less),
            Symbol::LessOrEqual => Some(Self::LessOrEqual),
            Symbol::Greater => Some(Self::Greater),
            Symbol::GreaterOrEqual => Some(Self::GreaterOrEqual),
            Symbol::Like => Some(Self::Like),
            Symbol::Unlike => Some(Self::Unlike),
            _ => None,
        }
    }

    fn symbol(self) -> Symbol {
        match self {
            Self::Equal => Symbol::Equal,
            Self::NotEqual => Symbol::NotEqual,
            Self::Less => Symbol::Less,
            Self::LessOrEqual => Symbol::LessOrEqual,
            Self::Greater => Symbol::Greater,
            Self::GreaterOrEqual => Symbol::GreaterOrEqual,
            Self::Like => Symbol::Like,
            Self::Unlike => Symbol::Unlike,
        }
    }
}

/// A word or a quoted text: a name, a number or a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilterValue {
    pub(super) literal: Literal,
    pub(super) span: Span,
}

impl FilterValue {
    /// The text, without quotes and escapes.
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(self.literal.bytes())
    }

    /// Whether it has wildcards: a bare word with `*` or `?`.
    pub(super) fn is_pattern(&self) -> bool {
        let word = self.literal.word();
        word.is_some_and(|word| word.contains(['*', '?']))
    }
}

/// The source form of a value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Literal {
    /// A bare word: a name, a number, or a word with its own meaning.
    Word(String),
    /// A text in quotes: always a name.
    Quoted(Name),
}

impl Literal {
    /// The bare word.
    pub(super) fn word(&self) -> Option<&str> {
        match self {
            Self::Word(word) => Some(word),
            Self::Quoted(_) => None,
        }
    }

    /// The bytes of the name.
    pub(super) fn bytes(&self) -> &[u8] {
        match self {
            Self::Word(word) => word.as_bytes(),
            Self::Quoted(name) => name.as_bytes(),
        }
    }
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(word) => f.write_str(word),
            Self::Quoted(name) => Quoted(name).fmt(f),
        }
    }
}

impl fmt::Display for FieldCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Compare(comparator, value) => {
                write!(f, "{} {}", comparator.symbol().text(), value.literal)
            }
            Self::Range {
                start,
                end,
                inclusive,
            } => {
                let sign = if *inclusive { "..=" } else { ".." };
                write!(f, "in {}{sign}{}", start.literal, end.literal)
            }
            Self::Among(values) => {
                let mut separator = "in (";
                for value in values {
                    write!(f, "{separator}{}", value.literal)?;
                    separator = ", ";
                }
                f.write_str(")")
            }
            Self::Bits(value) => write!(f, "& {}", value.literal),
        }
    }
}

impl fmt::Display for Expression {
    /// In canonical form, with no more parentheses than needed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (all, word) = match self {
            Self::Comparison(test) => return write!(f, "{} {}", test.field, test.condition),
            Self::Text(text) => return text.literal.fmt(f),
            Self::Not(inner) => {
                f.write_str("not ")?;
                let group = matches!(**inner, Self::All(_) | Self::Any(_));
                return inner.write_grouped(f, group);
            }
            Self::All(all) => (all, " and "),
            Self::Any(any) => (any, " or "),
        };
        let mut separator = "";
        for each in all {
            f.write_str(separator)?;
            separator = word;
            let same = std::mem::discriminant(each) == std::mem::discriminant(self);
            each.write_grouped(f, same || matches!(each, Self::Any(_)))?;
        }
        Ok(())
    }
}

impl Expression {
    fn write_grouped(&self, f: &mut fmt::Formatter<'_>, group: bool) -> fmt::Result {
        match group {
            true => write!(f, "({self})"),
            false => write!(f, "{self}"),
        }
    }
}
