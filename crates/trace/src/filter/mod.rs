//! A small language that says which events are meant.
//!
//! A [`Filter`] is read once ([`Filter::parse`]), bound to a trace
//! ([`Filter::bind`]), which resolves its names, and then asked about events
//! ([`BoundFilter::matches`]), which costs a few table look-ups.
//!
//! ```text
//! kind == tx_queue_send and context ~ "worker*"
//! time in 1.5ms..2ms and not core in (0, 2)
//! component == threadx && (object == "rx queue" || arg.wait_option == 0xffff_ffff)
//! context == interrupt and interrupted != idle
//! info2 & 0x10
//! ```
//!
//! # Grammar
//!
//! ```text
//! filter   = all { ("or" | "||") all }
//! all      = negation { ("and" | "&&") negation }
//! negation = ("not" | "!") negation | "(" filter ")" | test
//! test     = field ("==" | "!=") value
//!          | field ("~" | "!~") pattern
//!          | field ("<" | "<=" | ">" | ">=") number
//!          | field "in" "(" value { "," value } ")"
//!          | field "in" number (".." | "..=") number
//!          | field "&" number
//! field    = name | "arg." name | "arg." quoted
//! value    = number | word | quoted
//! pattern  = word | quoted
//! ```
//!
//! - A *number* is decimal or hexadecimal (`0x`), with `_` between digits. The
//!   field `time` also takes `ns`, `us`, `µs`, `ms` and `s` behind decimal
//!   digits and a point.
//! - A *word* is letters, digits, `_`, `-`, `.`, and in patterns `*` and `?`.
//!   `and`, `or`, `not` and `in` are no words. Their case and that of fields
//!   does not count.
//! - A *quoted* text stands in `"` or `'`, with the escapes `\\`, `\"`, `\'`,
//!   `\t`, `\r`, `\n` and `\xNN`, which are those that [`Name`](crate::Name)
//!   shows: what is shown can be quoted. It is always a name, never a number.
//! - `not` takes what follows up to the next `and` or `or`, so that
//!   `not core == 1` means `core != 1` where there is a core.
//! - `A..B` is without `B`, `A..=B` with it; empty where `B` is below `A`.
//! - `field & bits` is true where any of the bits is set.
//!
//! # Fields
//!
//! | field | value |
//! |---|---|
//! | `index` | number of the event, from 0 |
//! | `time` | ticks since the first event, or a time with a unit; times are compared in whole nanoseconds, as [`Clock::time`](crate::Clock::time) rounds |
//! | `stamp`, `raw` | the stamp as recorded |
//! | `core` | number of the core |
//! | `context` | name or address of what executed, or `interrupt`, `initialize`, `idle` (also `"(idle)"`, as shown) |
//! | `interrupted` | the same of what an interrupt interrupted |
//! | `kind`, `event` | name, kernel's symbol or number of the kind of event |
//! | `id` | number of the kind of event |
//! | `component` | component of the kind, `unknown` for one that no catalogue has |
//! | `object` | name or address of any object among the arguments; `none` for a null pointer |
//! | `class` | class of the object that the event is about, e.g. `queue` |
//! | `priority`, `threshold` | of the running thread |
//! | `info1` … `info4` | arguments by position |
//! | `arg.name` | argument by name (`_` for blanks): a number, an object's name, a name that the format gives to the value, or an IPv4 address |
//!
//! Names of contexts and objects are compared as shown or as recorded. Case
//! counts there, but not for kinds, components, classes, named values and
//! patterns. A pattern with `*` (anything) or `?` (one character) must fit the
//! whole name, one without either a part of it; of a kind, the name or the
//! symbol. Where several objects were
//! recorded at an address, each of their names stands for it.
//!
//! # Absence
//!
//! What an event does not have fulfils no test, `!=` and `!~` included: in an
//! interrupt `priority != 3` is false, as is `priority == 3`. `not` only turns
//! the answer: `not priority == 3` is true there. `object != x` is true where
//! an event has objects and none of them is `x`.
//!
//! # Examples
//!
//! ```
//! use rtoscope_trace::filter::Filter;
//!
//! let filter: Filter = "core==1 && !(kind~queue or info2&0x10)".parse()?;
//! assert_eq!(filter.to_string(), "core == 1 and not (kind ~ queue or info2 & 0x10)");
//!
//! let error = Filter::parse("core == 1 and kind ==").unwrap_err();
//! assert_eq!(error.column(), 21);
//! assert_eq!(
//!     error.to_string(),
//!     "expected a value, found the end\n  core == 1 and kind ==\n                       ^",
//! );
//!
//! let error = Filter::parse("contxt == idle").unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "no field is called `contxt`; did you mean context?\n  contxt == idle\n  ^^^^^^",
//! );
//! # Ok::<(), rtoscope_trace::filter::FilterError>(())
//! ```

mod arguments;
mod ast;
mod bind;
mod bound;
mod error;
mod glob;
mod kinds;
mod lexer;
mod names;
mod parser;
mod quantity;
mod set;
mod suggest;
#[cfg(test)]
mod tests;

pub use bound::BoundFilter;
pub use error::{FilterError, FilterProblem};
pub use glob::Glob;
pub use quantity::Quantity;
pub use suggest::closest;

use crate::Trace;
use std::fmt;

/// Which events are meant, as it was written: names are not resolved yet.
///
/// Two are equal if they ask the same in the same words, whatever the blanks,
/// the parentheses that are not needed, and how an operator is written.
#[derive(Debug, Clone)]
pub struct Filter {
    text: Box<str>,
    expression: ast::Expression,
}

impl Filter {
    /// Reads an expression in the [language of filters](self).
    pub fn parse(text: &str) -> Result<Self, FilterError> {
        let expression = parser::parse(text)?;
        let text = text.into();
        Ok(Self { text, expression })
    }

    /// Looks the names up in a trace. Fails where a name stands for nothing in
    /// it, or a time has a unit and the trace's clock has no frequency.
    pub fn bind<'t>(&self, trace: &'t Trace) -> Result<BoundFilter<'t>, FilterError> {
        bind::bind(&self.text, &self.expression, trace, None)
    }

    /// The same for a trace of which more is to come. A name that stands for
    /// nothing in it yet, which goes to `unknown`, is equal to nothing: `==` and
    /// `~` are false, `!=` and `!~` true where an event has such a thing.
    pub fn bind_partial<'t>(
        &self,
        trace: &'t Trace,
        unknown: &mut Vec<FilterProblem>,
    ) -> Result<BoundFilter<'t>, FilterError> {
        bind::bind(&self.text, &self.expression, trace, Some(unknown))
    }

    /// The expression as it was given.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl PartialEq for Filter {
    fn eq(&self, other: &Self) -> bool {
        self.expression == other.expression
    }
}

impl Eq for Filter {}

impl std::str::FromStr for Filter {
    type Err = FilterError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text)
    }
}

impl fmt::Display for Filter {
    /// The expression in its plainest form, which reads back as an equal filter.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.expression.fmt(f)
    }
}
