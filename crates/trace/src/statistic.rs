//! Statistics of a format's components.
//!
//! A table of statistics is data, like a [`Catalogue`](crate::Catalogue): the
//! format defines which events contribute to a statistic.

use crate::EventKindId;
use std::borrow::Cow;

/// A statistic of a component: a sum over some kinds of events.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Statistic {
    /// The component it belongs to, e.g. `filex`.
    pub component: Cow<'static, str>,
    /// Its name, unique in the component: a key in JSON, e.g. `bytes_read`.
    pub name: Cow<'static, str>,
    /// A sentence that describes it, with its unit.
    pub description: Cow<'static, str>,
    /// The kinds of events that contribute, each once.
    pub terms: Vec<StatisticTerm>,
}

/// The contribution of the events of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct StatisticTerm {
    /// The kind.
    pub kind: EventKindId,
    /// The contribution of each event.
    pub quantity: TermQuantity,
    /// The events that contribute; all if `None`.
    pub condition: Option<TermCondition>,
}

/// The contribution of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TermQuantity {
    /// One.
    One,
    /// The value of its argument with that position, counted from 0.
    Argument(u8),
}

/// The condition for an event to contribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TermCondition {
    /// The tested argument, counted from 0.
    pub argument: u8,
    /// The value that it is compared with.
    pub value: u64,
    /// Whether the argument must be equal to that value, or different.
    pub equal: bool,
}

impl StatisticTerm {
    /// Whether every event of the kind contributes one, so that a count of them
    /// suffices.
    pub fn is_count(&self) -> bool {
        self.quantity == TermQuantity::One && self.condition.is_none()
    }

    /// The contribution of an event of the kind with these arguments.
    pub fn contribution(&self, arguments: &[u64; 4]) -> u64 {
        let argument = |at: u8| arguments.get(usize::from(at)).copied().unwrap_or_default();
        let counts = self.condition.is_none_or(|condition| {
            (argument(condition.argument) == condition.value) == condition.equal
        });
        match self.quantity {
            _ if !counts => 0,
            TermQuantity::One => 1,
            TermQuantity::Argument(at) => argument(at),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_term_counts_the_events_of_its_condition() {
        let all = StatisticTerm {
            kind: EventKindId(7),
            quantity: TermQuantity::One,
            condition: None,
        };
        assert!(all.is_count());
        assert_eq!(all.contribution(&[0, 20, 30, 40]), 1);
        let sum = StatisticTerm {
            quantity: TermQuantity::Argument(1),
            ..all
        };
        assert!(!sum.is_count());
        assert_eq!(sum.contribution(&[0, 20, 30, 40]), 20);
        for (equal, expected) in [(true, 20), (false, 0)] {
            let condition = Some(TermCondition {
                argument: 3,
                value: 40,
                equal,
            });
            let some = StatisticTerm { condition, ..sum };
            assert_eq!(some.contribution(&[0, 20, 30, 40]), expected);
        }
    }

    #[test]
    fn a_missing_argument_contributes_nothing() {
        let term = StatisticTerm {
            kind: EventKindId(7),
            quantity: TermQuantity::Argument(4),
            condition: None,
        };
        assert_eq!(term.contribution(&[1; 4]), 0);
    }
}
