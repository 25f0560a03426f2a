//! Declarations of intervals.

use super::{DeclaredDuration, LocatedError, filter};
use crate::intervals::{IntervalDefinition, Pairing, RepeatedStart};
use rtoscope_trace::filter::Filter;
use serde::Deserialize;
use toml::Spanned;

/// Intervals from one event to another, and their maximum duration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntervalDeclaration {
    /// Their name.
    pub name: String,
    /// Which events start and end one.
    pub definition: IntervalDefinition,
    /// The maximum duration.
    pub deadline: Option<DeclaredDuration>,
    /// The line in the file; 0 if it is not from a file.
    pub line: usize,
}

impl IntervalDeclaration {
    /// Parses `FROM -> TO`, as on the command line: two filters, then in brackets
    /// `[by thread]`, `[by object]`, `[by info1]`, `[first]` or `[nested]`, then
    /// `within 8ms`. Its name is the text without the duration.
    ///
    /// # Errors
    ///
    /// If a filter or a declaration in brackets is invalid; the error describes it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (shown, deadline) = split_deadline(text);
        let mut rest = shown.trim();
        let name = rest.to_owned();
        let mut pairing = Pairing::Any;
        let mut repeated = RepeatedStart::default();
        while let Some((before, declared)) = rest
            .strip_suffix(']')
            .and_then(|rest| rest.rsplit_once('['))
        {
            let declared = declared.trim();
            match (
                declared.strip_prefix("by "),
                RepeatedStart::from_name(declared),
            ) {
                (Some(by), _) => pairing = Pairing::parse(by),
                (None, Some(effect)) => repeated = effect,
                (None, None) => {
                    return Err(format!(
                        "expected `by thread`, `by object`, `by` and an argument, `restart`, \
                         `first` or `nested` in brackets, found {declared:?}"
                    ));
                }
            }
            rest = before.trim_end();
        }
        let (from, to) = split_arrow(rest).ok_or_else(|| {
            format!("expected two filters with an arrow between them, `FROM -> TO`, found {rest:?}")
        })?;
        if let Some((_, by)) = to.rsplit_once(" by ")
            && !by.contains(['"', '\'', ' '])
        {
            return Err(format!("write `[by {by}]`, in brackets, to pair by {by}"));
        }
        let parse = |text: &str| Filter::parse(text).map_err(|error| error.to_string());
        Ok(Self {
            name,
            definition: IntervalDefinition {
                from: parse(from)?,
                to: parse(to)?,
                pairing,
                repeated,
            },
            deadline,
            line: 0,
        })
    }
}

/// Splits off `within 8ms`. Words in filters can be spelled like that, too.
fn split_deadline(text: &str) -> (&str, Option<DeclaredDuration>) {
    let declared = text.rsplit_once(" within ").and_then(|(before, limit)| {
        let limit = Spanned::new(0..0, limit.to_owned());
        Some((before, DeclaredDuration::parse(&limit).ok()?))
    });
    match declared {
        Some((before, limit)) => (before, Some(limit)),
        None => (text, None),
    }
}

/// The texts before and after the only arrow outside quotes.
fn split_arrow(text: &str) -> Option<(&str, &str)> {
    let mut quote = None;
    let mut is_escaped = false;
    let mut arrows = text.char_indices().filter_map(|(at, letter)| {
        let was_escaped = std::mem::take(&mut is_escaped);
        match (quote, letter) {
            (Some(_), '\\') if !was_escaped => is_escaped = true,
            (Some(open), letter) if letter == open && !was_escaped => quote = None,
            (None, '"' | '\'') => quote = Some(letter),
            (None, '-') if text.get(at..at + 2) == Some("->") => return Some(at),
            _ => {}
        }
        None
    });
    let at = arrows.next()?;
    if arrows.next().is_some() {
        return None;
    }
    Some((text.get(..at)?.trim(), text.get(at + 2..)?.trim()))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct IntervalEntry {
    name: Spanned<String>,
    from: Spanned<String>,
    to: Spanned<String>,
    by: Option<String>,
    repeated: Option<Spanned<String>>,
    deadline: Option<Spanned<String>>,
}

impl IntervalEntry {
    pub(super) fn declaration(
        self,
        line_of: impl Fn(usize) -> usize,
    ) -> Result<IntervalDeclaration, LocatedError> {
        let repeated = self.repeated.as_ref().map(|name| {
            RepeatedStart::from_name(name.get_ref()).ok_or_else(|| {
                let expected = "expected `restart`, `first` or `nested`";
                (
                    name.span(),
                    format!("{expected}, found {:?}", name.get_ref()),
                )
            })
        });
        let deadline = self.deadline.as_ref().map(DeclaredDuration::parse);
        Ok(IntervalDeclaration {
            line: line_of(self.name.span().start),
            definition: IntervalDefinition {
                from: filter(&self.from)?,
                to: filter(&self.to)?,
                pairing: Pairing::parse(self.by.as_deref().unwrap_or_default()),
                repeated: repeated.transpose()?.unwrap_or_default(),
            },
            deadline: deadline.transpose()?,
            name: self.name.into_inner(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtoscope_trace::Nanoseconds;

    #[test]
    fn two_filters_and_brackets_are_intervals() {
        let text = "kind ~ send -> \"a -> b\" [by info1] [nested] within 8ms";
        let declared = IntervalDeclaration::parse(text).unwrap();
        assert_eq!(
            declared.name,
            "kind ~ send -> \"a -> b\" [by info1] [nested]"
        );
        let definition = &declared.definition;
        assert_eq!(definition.from.text(), "kind ~ send");
        assert_eq!(definition.to.text(), "\"a -> b\"");
        assert_eq!(definition.pairing, Pairing::Argument("info1".to_owned()));
        assert_eq!(definition.repeated, RepeatedStart::Nested);
        let limit = DeclaredDuration::Time(Nanoseconds(8_000_000));
        assert_eq!(declared.deadline, Some(limit));
        let words = IntervalDeclaration::parse("start -> stay within range").unwrap();
        assert_eq!(words.definition.to.text(), "stay within range");
        assert_eq!(words.definition.pairing, Pairing::Any);
    }

    #[test]
    fn mistakes_are_described() {
        for text in [
            "a",
            "a -> b -> c",
            "a -> b [twice]",
            "a -> kind ==",
            "a -> b by thread",
            "a -> b by thread within 8ms",
            "-> b",
            "",
        ] {
            assert!(IntervalDeclaration::parse(text).is_err(), "{text}");
        }
    }
}
