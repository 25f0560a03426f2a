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
}

/// A name in a chain of messages: `decoder`, or `FRAME@decoder` for an active object that
/// receives this signal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainElement {
    /// The signal, if given.
    pub signal: Option<String>,
    /// The name of a context or an object.
    pub name: String,
}

impl ChainForm {
    /// Parses `ISR 24 -> raw -> decoder` or `frame: decode -> filter`.
    ///
    /// # Errors
    ///
    /// If a name is missing or there are fewer than two; the error describes it.
    pub fn parse(text: &str) -> Result<Self, String> {
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
        let (signal, name) = match text.split_once('@') {
            Some((signal, name)) => (Some(signal.trim().to_owned()), name.trim()),
            None => (None, text),
        };
        Self {
            signal,
            name: name.to_owned(),
        }
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
        if let (ChainForm::Markers { .. }, Some(end)) = (&chain, &self.end) {
            let message = "items that are marked end with their marker: `end` has no use";
            return Err((end.span(), message.to_owned()));
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
    }

    #[test]
    fn incomplete_chains_are_refused() {
        for text in ["", "camera", "camera ->", "-> raw", "a -> -> b", ": a -> b"] {
            assert!(ChainForm::parse(text).is_err(), "{text:?}");
        }
        assert!(PipelineDeclaration::parse("a -> b within soon").is_err());
    }
}
