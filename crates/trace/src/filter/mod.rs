//! A small language that selects events.
//!
//! A [`Filter`] is parsed once ([`Filter::parse`]) and bound to a trace
//! ([`Filter::bind`]), which resolves its names. To test an event
//! ([`BoundFilter::matches`]) then takes a few table look-ups.
//!
//! ```text
//! kind == tx_queue_send and context ~ "worker*"
//! time in 1.5ms..2ms and not core in (0, 2)
//! component == filex && (object == "rx queue" || arg.wait_option == 0xffff_ffff)
//! context == interrupt and interrupted != idle
//! info2 & 0x10
//! mutex timeout and not "network task"
//! ```
//!
//! # Grammar
//!
//! ```text
//! filter   = all { ("or" | "||") all }
//! all      = negation { ("and" | "&&") negation }
//! negation = ("not" | "!") negation | "(" filter ")" | test | text { text }
//! test     = field ("==" | "!=") value
//!          | field "=" (value | pattern)
//!          | field ("~" | "!~") pattern
//!          | field ("<" | "<=" | ">" | ">=") number
//!          | field "in" "(" value { "," value } ")"
//!          | field "in" number (".." | "..=") number
//!          | field "&" number
//! field    = name | "arg." name | "arg." quoted
//! value    = number | word | quoted
//! pattern  = word | quoted
//! text     = word | quoted
//! ```
//!
//! - A *text* selects the events that show it anywhere, as a part of the name of their
//!   kind, component, object class, context, object, other argument or text; with
//!   wildcards, as a whole name. A number is also an address or value. Of several texts
//!   in a row all must be found. The name of a field is a text only before another one,
//!   or in quotes.
//!
//! - A *number* is decimal or hexadecimal (`0x`), with `_` between digits. The
//!   field `time` also takes the units `ns`, `us`, `µs`, `ms` and `s` after
//!   decimal digits, with an optional decimal point.
//! - `=` is `~` before a word with wildcards, else `==`.
//! - A *word* consists of letters, digits, `_`, `-`, `.`, and in patterns `*`
//!   and `?`. `and`, `or`, `not` and `in` are reserved. Reserved words and
//!   fields ignore case.
//! - A *quoted* text is enclosed in `"` or `'`, with the escapes `\\`, `\"`,
//!   `\'`, `\t`, `\r`, `\n` and `\xNN`. [`Name`](crate::Name) displays names
//!   with the same escapes, so every displayed name can be quoted. A quoted text
//!   is always a name, never a number.
//! - `not` applies up to the next `and` or `or`, so that `not core == 1` means
//!   `core != 1` if there is a core.
//! - `A..B` excludes `B`, `A..=B` includes it; both are empty if `B` is below
//!   `A`.
//! - `field & bits` is true if any of the bits is set.
//! - `#` after a blank begins a comment, up to the end of the line.
//!
//! A [`Pattern`] is a filter in short form, in which the kind comes first and all
//! conditions apply: `SM.TRN sst=idle tst!=busy` is
//! `kind = SM.TRN and arg.sst = idle and arg.tst != busy`. Its grammar, as part of a
//! line of another language, which reads it with [`FilterParser`]:
//!
//! ```text
//! pattern  = name { argument } | argument { argument }
//! argument = name operator value, as in a test
//! name     = word | quoted
//! ```
//!
//! # Fields
//!
//! | field | value |
//! |---|---|
//! | `index` | event number, from 0 |
//! | `time` | ticks since the first event, or a time with a unit; times are compared in whole nanoseconds, as [`Timescale::time`](crate::Timescale::time) rounds |
//! | `timestamp`, `raw` | the timestamp as recorded |
//! | `core` | core number |
//! | `context` | name or address of the running context, or `interrupt`, `initialize`, `idle` (also `"(idle)"`, as displayed) |
//! | `interrupted` | the same for the interrupted context |
//! | `kind`, `event` | name, with dots or spaces, kernel symbol or number of the kind |
//! | `number`, `id` | number of the kind |
//! | `component` | component of the kind; for a kind outside the catalogue `user` if its number is an application's, else `unknown` |
//! | `object` | name or address of any object among the arguments; `none` without quotes for a null pointer |
//! | `class` | class of the event's first object, e.g. `queue` |
//! | `priority`, `threshold` | of the running thread |
//! | `info1` … `info4` | arguments by position |
//! | `arg.name` | argument by name (`_` for spaces): a number, also a negative one, an object's name, a named value of the format, a text, or an IPv4 address; `*` with `~` is any value |
//! | `arg.u16`, `arg.str` … | the first self-describing item of that type; a text, or memory in hexadecimal digits, is compared with a number's digits, too |
//!
//! Names of contexts and objects match as displayed or as recorded, and are
//! case-sensitive. Kinds, components, classes, named values and patterns ignore
//! case. A pattern with `*` (any characters) or `?` (one character) must match
//! the whole name, one without wildcards a part of it; for a kind, the name or
//! the symbol. If several objects were recorded at an address, the names of all
//! of them match.
//!
//! # Missing fields
//!
//! A comparison with a field that an event does not have is false, also with
//! `!=` and `!~`: in an interrupt `priority != 3` is false, as is
//! `priority == 3`. `not` inverts the result: `not priority == 3` is true there.
//! `object != x` is true if an event has objects and none of them is `x`.
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

// Each module uses only modules before it in one of these lines:
//   span, token → suggest → error → lexer;  token → ast, set, kinds → binder → names;
//   names → bound → arguments → bind → pattern → parser.
mod arguments;
mod ast;
mod bind;
mod binder;
mod bound;
mod error;
mod glob;
mod kinds;
mod lexer;
mod names;
mod parser;
mod pattern;
mod quantity;
mod set;
mod span;
mod suggest;
#[cfg(test)]
mod tests;
mod token;

pub use arguments::item_meaning;
pub use ast::{FilterValue, argument_name};
pub use binder::FilterBinder;
pub use bound::{BoundFilter, to_hex};
pub use error::{FilterError, FilterProblem};
pub use glob::Glob;
pub use parser::FilterParser;
pub use pattern::{BoundArgument, BoundPattern, Pattern};
pub use quantity::Quantity;
pub use span::Span;
pub use suggest::closest;
pub use token::is_plain_word;

use crate::Trace;
use std::fmt;

/// A parsed filter. Names are not resolved yet.
///
/// Two filters are equal if they have the same conditions in the same order,
/// regardless of blanks, redundant parentheses and the spelling of operators.
#[derive(Debug, Clone)]
pub struct Filter {
    text: Box<str>,
    expression: ast::Expression,
}

impl Filter {
    /// Parses an expression in the [filter language](self).
    pub fn parse(text: &str) -> Result<Self, FilterError> {
        let expression = parser::parse(text)?;
        let text = text.into();
        Ok(Self { text, expression })
    }

    /// Resolves the names in a trace. Fails if a name is unknown there, or if a
    /// time has a unit and the trace's clock has no frequency.
    pub fn bind<'t>(&self, trace: &'t Trace) -> Result<BoundFilter<'t>, FilterError> {
        bind::bind(&self.text, &self.expression, trace, None)
    }

    /// The same for a trace that still grows. A name that is unknown yet is
    /// added to `unknown` and equals nothing: `==` and `~` are false, `!=` and
    /// `!~` true for events with such a field.
    pub fn bind_partial<'t>(
        &self,
        trace: &'t Trace,
        unknown: &mut Vec<FilterProblem>,
    ) -> Result<BoundFilter<'t>, FilterError> {
        bind::bind(&self.text, &self.expression, trace, Some(unknown))
    }

    /// The source text of the expression.
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
    /// The expression in canonical form, which parses to an equal filter.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.expression.fmt(f)
    }
}
