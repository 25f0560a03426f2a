//! Rules that match events of two recordings.

use super::Pair;
use crate::event_value::events_with_number;
use crate::timing::EventElement;
use rtoscope_trace::{Event, Trace};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// Matches causes in one recording with effects in another one: `can_send(id) ->
/// can_receive(id)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchRule {
    /// The text of the rule.
    pub text: String,
    first: EventElement,
    other: EventElement,
    direction: Direction,
}

/// Which of two recordings has the causes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    /// The first recording.
    FromFirst,
    /// The other one.
    FromOther,
}

/// What a rule matched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MatchCounts {
    /// The text of the rule.
    pub rule: String,
    /// Pairs of events with the same number.
    pub pairs: u64,
    /// Numbers that several events of a recording have: none of these events is used.
    pub repeated: u64,
    /// Numbers that only events of the first recording have.
    pub only_in_first: u64,
    /// Numbers that only events of the other recording have.
    pub only_in_other: u64,
}

/// The events with a number.
#[derive(Default)]
struct Found {
    first: Vec<Event>,
    other: Vec<Event>,
}

impl MatchRule {
    /// Parses `EVENT(NUMBER) -> EVENT(NUMBER)`: an event of the first recording, and the one
    /// of the other recording that it causes. With `<-`, the other recording has the cause.
    /// NUMBER is `info1` to `info4`, `item1` …, the name of an argument, or `occurrence`.
    ///
    /// # Errors
    ///
    /// If the rule is invalid; the error describes it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let parts = [("->", Direction::FromFirst), ("<-", Direction::FromOther)];
        let split = parts.into_iter().find_map(|(arrow, direction)| {
            let (first, other) = text.split_once(arrow)?;
            Some((first, other, direction))
        });
        let Some((first, other, direction)) = split else {
            return Err(format!(
                "expected an event of the first recording, an arrow to or from the other \
                 recording, and its event, such as \"can_send(id) -> can_receive(id)\", found \
                 {text:?}"
            ));
        };
        let element = |text: &str| match EventElement::parse(text.trim())? {
            EventElement { end: Some(_), .. } => Err(format!("expected one event, found {text:?}")),
            element => Ok(element),
        };
        Ok(Self {
            text: text.trim().to_owned(),
            first: element(first)?,
            other: element(other)?,
            direction,
        })
    }

    /// Adds the pairs of events with the same number.
    ///
    /// # Errors
    ///
    /// If a recording has no such event, or the event no such number.
    pub(super) fn match_events(
        &self,
        first: &Trace,
        other: &Trace,
        pairs: &mut Vec<Pair>,
    ) -> Result<MatchCounts, String> {
        let mut found: BTreeMap<u64, Found> = BTreeMap::new();
        for (event, number) in events_with_number(first, &self.first.begin, &self.first.id)? {
            found.entry(number).or_default().first.push(event);
        }
        for (event, number) in events_with_number(other, &self.other.begin, &self.other.id)? {
            found.entry(number).or_default().other.push(event);
        }
        let mut counts = MatchCounts {
            rule: self.text.clone(),
            pairs: 0,
            repeated: 0,
            only_in_first: 0,
            only_in_other: 0,
        };
        for events in found.values() {
            let count = match (events.first.as_slice(), events.other.as_slice()) {
                ([one], [two]) => {
                    pairs.push(Pair {
                        first: one.index,
                        other: two.index,
                        times: [
                            first.recording_time(one.time),
                            other.recording_time(two.time),
                        ],
                        direction: self.direction,
                    });
                    &mut counts.pairs
                }
                ([_, _, ..], _) | (_, [_, _, ..]) => &mut counts.repeated,
                (_, []) => &mut counts.only_in_first,
                ([], _) => &mut counts.only_in_other,
            };
            *count += 1;
        }
        Ok(counts)
    }
}
