//! Declarations of pipelines.

use super::{DeclaredDuration, LocatedError, filter};
use rtoscope_trace::filter::Filter;
use serde::Deserialize;
use toml::Spanned;

/// A chain of stages that items pass.
#[derive(Debug, Clone)]
pub struct PipelineDeclaration {
    /// Its name.
    pub name: String,
    /// The stages and what links them.
    pub chain: ChainForm,
    /// The events that end an item in the last stage, if it does not end there when the
    /// stage asks for the next one.
    pub end: Option<Filter>,
    /// The nominal time from the start of one item to the start of the next.
    pub period: Option<DeclaredDuration>,
    /// The maximum time from the start of an item to its end.
    pub deadline: Option<DeclaredDuration>,
    /// Its line in the file; 0 if it is not from a file.
    pub line: usize,
}

/// How the chain's items are recognised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChainForm {
    /// They are messages: `ISR 24 -> raw -> decoder`. Names of contexts and of the objects
    /// between them, or of active objects alone.
    Messages(Vec<ChainElement>),
    /// They are marked with points of interest that have the item's number as value:
    /// `frame: decode -> filter`.
    Markers {
        /// The marker of a whole item.
        item: String,
        /// The markers of the stages.
        stages: Vec<String>,
    },
    /// They are named by an argument of events: `user event 4096(info1) -> user event
    /// 4097..user event 4098(info1)`.
    Events(Vec<EventElement>),
}

/// A name in a chain of messages: `decoder`, or `FRAME@decoder` for an active object that
/// receives this signal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainElement {
    /// The signal, if given.
    pub signal: Option<String>,
    /// The name of a context or an object.
    pub name: String,
    /// What a stage does with items that it has taken.
    pub holding: StageHolding,
}

/// What a stage does with items that it has taken and not sent on when it takes another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StageHolding {
    /// Nothing is declared: it is supposed to have one item at a time.
    #[default]
    Undeclared,
    /// `[discards]`: it does not send on what it has when it asks for the next item.
    Discards,
    /// `[collects]`: it sends on all that it has with its next message.
    Collects,
    /// `[fifo N]`: it has up to N items, at least 1, and sends them on in the order in which
    /// it takes them, each with a message.
    Fifo(u32),
}

/// A stage in a chain of events: `user event 4096(info1)`, from this event to the next one
/// of the item, or `user event 4097..user event 4098(info1)`, from one event to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventElement {
    /// The name of the event with which the stage begins.
    pub begin: String,
    /// The name of the event with which it ends, if there is one.
    pub end: Option<String>,
    /// The argument that is the item's number: `info1` to `info4`, `item1` … of a record,
    /// or its name.
    pub id: String,
}

impl ChainForm {
    /// Parses `ISR 24 -> raw -> decoder`, `frame: decode -> filter` or
    /// `user event 4096(info1) -> user event 4097(info1)`.
    ///
    /// # Errors
    ///
    /// If a name is missing or there are fewer than two; the error describes it.
    pub fn parse(text: &str) -> Result<Self, String> {
        // A thread's name may end with a parenthesis, too.
        if text.split("->").all(|text| text.trim().ends_with(')')) {
            let elements = text
                .split("->")
                .map(|text| EventElement::parse(text.trim()));
            let elements: Vec<_> = elements.collect::<Result<_, _>>()?;
            return match elements.len() {
                0 | 1 => Err(format!("expected at least two events, found {text:?}")),
                _ => Ok(Self::Events(elements)),
            };
        }
        let (item, chain) = match text.split_once(": ") {
            Some((item, chain)) => (Some(item.trim()), chain),
            None => (None, text),
        };
        let names: Vec<_> = chain.split("->").map(str::trim).collect();
        if names.iter().any(|name| name.is_empty()) || item == Some("") {
            return Err(format!("a name is missing in the chain {text:?}"));
        }
        match item {
            Some(item) => Ok(Self::Markers {
                item: item.to_owned(),
                stages: names.into_iter().map(str::to_owned).collect(),
            }),
            None if names.len() < 2 => Err(format!(
                "expected a chain such as \"ISR 24 -> raw -> decoder\", found {text:?}"
            )),
            None => Ok(Self::Messages(
                names.into_iter().map(ChainElement::parse).collect(),
            )),
        }
    }
}

impl ChainElement {
    fn parse(text: &str) -> Self {
        let (text, holding) = StageHolding::split(text);
        let (signal, name) = match text.split_once('@') {
            Some((signal, name)) => (Some(signal.trim().to_owned()), name.trim()),
            None => (None, text),
        };
        Self {
            signal,
            name: name.to_owned(),
            holding,
        }
    }
}

impl StageHolding {
    /// Splits `packer [collects]` into the name and the declaration. Other brackets belong
    /// to the name.
    fn split(text: &str) -> (&str, Self) {
        let declared = || {
            let (name, declared) = text.strip_suffix(']')?.rsplit_once(" [")?;
            let holding = match declared.trim() {
                "discards" => Self::Discards,
                "collects" => Self::Collects,
                other => {
                    let capacity = other.strip_prefix("fifo ")?.trim().parse().ok()?;
                    Self::Fifo(Some(capacity).filter(|it| *it > 0)?)
                }
            };
            Some((name.trim_end(), holding))
        };
        declared().unwrap_or((text, Self::Undeclared))
    }
}

impl EventElement {
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let parts = text
            .strip_suffix(')')
            .and_then(|text| text.rsplit_once('('));
        let (events, id) = parts.map_or((text, ""), |(events, id)| (events.trim(), id.trim()));
        let (begin, end) = match events.split_once("..") {
            Some((begin, end)) => (begin.trim(), Some(end.trim())),
            None => (events, None),
        };
        if id.is_empty() || begin.is_empty() || end == Some("") {
            return Err(format!(
                "expected an event and its argument with the item's number, such as \
                 \"user event 4096(info1)\", found {text:?}"
            ));
        }
        Ok(Self {
            begin: begin.to_owned(),
            end: end.map(str::to_owned),
            id: id.to_owned(),
        })
    }
}

impl PipelineDeclaration {
    /// Parses a chain with an optional deadline, as on the command line:
    /// `ISR 24 -> raw -> decoder within 8ms`. Its name is the chain.
    ///
    /// # Errors
    ///
    /// If the chain or the deadline is invalid; the error describes it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (chain, deadline) = match text.rsplit_once(" within ") {
            Some((chain, deadline)) => {
                let deadline = Spanned::new(0..0, deadline.to_owned());
                let deadline = DeclaredDuration::parse(&deadline);
                (chain, Some(deadline.map_err(|(_, message)| message)?))
            }
            None => (text, None),
        };
        Ok(Self {
            name: chain.trim().to_owned(),
            chain: ChainForm::parse(chain)?,
            end: None,
            period: None,
            deadline,
            line: 0,
        })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PipelineEntry {
    name: Spanned<String>,
    chain: Spanned<String>,
    end: Option<Spanned<String>>,
    period: Option<Spanned<String>>,
    deadline: Option<Spanned<String>>,
}

impl PipelineEntry {
    pub(super) fn declaration(
        self,
        line_of: impl Fn(usize) -> usize,
    ) -> Result<PipelineDeclaration, LocatedError> {
        let duration = |text: Option<Spanned<String>>| {
            let text = text.as_ref();
            text.map(DeclaredDuration::parse).transpose()
        };
        let chain = ChainForm::parse(self.chain.get_ref());
        let chain = chain.map_err(|message| (self.chain.span(), message))?;
        let no_end = match &chain {
            ChainForm::Messages(_) => None,
            ChainForm::Markers { .. } => Some("items that are marked end with their marker"),
            ChainForm::Events(_) => Some("items of events end with the last event of the chain"),
        };
        if let (Some(reason), Some(end)) = (no_end, &self.end) {
            return Err((end.span(), format!("{reason}: `end` has no use")));
        }
        Ok(PipelineDeclaration {
            line: line_of(self.name.span().start),
            name: self.name.into_inner(),
            chain,
            end: self.end.as_ref().map(filter).transpose()?,
            period: duration(self.period)?,
            deadline: duration(self.deadline)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtoscope_trace::Nanoseconds;

    #[test]
    fn chains_are_messages_or_markers() {
        let declared = PipelineDeclaration::parse("ISR 24 -> raw -> FRAME@show within 8ms");
        let declared = declared.unwrap();
        assert_eq!(declared.name, "ISR 24 -> raw -> FRAME@show");
        let deadline = DeclaredDuration::Time(Nanoseconds(8_000_000));
        assert_eq!(declared.deadline, Some(deadline));
        let element = |signal: Option<&str>, name: &str| ChainElement {
            signal: signal.map(str::to_owned),
            name: name.to_owned(),
            holding: StageHolding::Undeclared,
        };
        let expected = vec![
            element(None, "ISR 24"),
            element(None, "raw"),
            element(Some("FRAME"), "show"),
        ];
        assert_eq!(declared.chain, ChainForm::Messages(expected));
        let expected = ChainForm::Markers {
            item: "frame".to_owned(),
            stages: vec!["app::decode".to_owned(), "show".to_owned()],
        };
        assert_eq!(ChainForm::parse("frame: app::decode -> show"), Ok(expected));
        let event = |begin: &str, end: Option<&str>, id: &str| EventElement {
            begin: begin.to_owned(),
            end: end.map(str::to_owned),
            id: id.to_owned(),
        };
        let expected = ChainForm::Events(vec![
            event("user event 4096", None, "info1"),
            event("frame (begin)", Some("frame (end)"), "number"),
        ]);
        let text = "user event 4096(info1) -> frame (begin)..frame (end) (number)";
        assert_eq!(ChainForm::parse(text), Ok(expected));
        let expected = vec![element(None, "camera"), element(None, "display (main)")];
        let parsed = ChainForm::parse("camera -> display (main)");
        assert_eq!(parsed, Ok(ChainForm::Messages(expected)));
    }

    #[test]
    fn brackets_declare_what_a_stage_does() {
        for (text, name, holding) in [
            ("a [discards]", "a", StageHolding::Discards),
            (
                "worker [1] [collects]",
                "worker [1]",
                StageHolding::Collects,
            ),
            ("a [fifo 2]", "a", StageHolding::Fifo(2)),
            ("a [fifo 0]", "a [fifo 0]", StageHolding::Undeclared),
            ("worker [1]", "worker [1]", StageHolding::Undeclared),
            ("a[collects]", "a[collects]", StageHolding::Undeclared),
        ] {
            let element = ChainElement::parse(text);
            assert_eq!((element.name.as_str(), element.holding), (name, holding));
        }
    }

    #[test]
    fn incomplete_chains_are_refused() {
        for text in ["", "camera", "camera ->", "-> raw", "a -> -> b", ": a -> b"] {
            assert!(ChainForm::parse(text).is_err(), "{text:?}");
        }
        for text in ["a(info1)", "a() -> b(x)", "a..(x) -> b(x)"] {
            assert!(ChainForm::parse(text).is_err(), "{text:?}");
        }
        assert!(PipelineDeclaration::parse("a -> b within soon").is_err());
    }
}
