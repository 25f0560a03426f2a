//! Figures that a format's events add up to.
//!
//! A table of statistics is data, as a [`Catalogue`](crate::Catalogue) is: which
//! events make a figure is said by the format, and nobody else knows.

use crate::EventKindId;
use std::borrow::Cow;

/// A figure of a component: what some kinds of events add up to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Statistic {
    /// The component it belongs to, e.g. `filex`.
    pub component: Cow<'static, str>,
    /// Its name, unique in the component: a key in JSON, e.g. `bytes_read`.
    pub name: Cow<'static, str>,
    /// A sentence for people: what is counted, and in what.
    pub description: Cow<'static, str>,
    /// The kinds of events that count, each of them once.
    pub terms: Vec<StatisticTerm>,
}

/// What the events of one kind add to a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct StatisticTerm {
    /// The kind.
    pub kind: EventKindId,
    /// What each event adds.
    pub quantity: TermQuantity,
    /// Which of the events count; all if `None`.
    pub condition: Option<TermCondition>,
}

/// What an event adds to a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TermQuantity {
    /// One.
    One,
    /// The value of its argument of that position, counted from 0.
    Argument(u8),
}

/// What an event must say to count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TermCondition {
    /// The argument that says it, counted from 0.
    pub argument: u8,
    /// The value that it is compared with.
    pub value: u64,
    /// Whether the argument must be that value, or any other.
    pub equal: bool,
}

impl StatisticTerm {
    /// Whether every event of the kind adds one, so that counting them will do.
    pub fn is_count(&self) -> bool {
        self.quantity == TermQuantity::One && self.condition.is_none()
    }

    /// What an event of the kind with these arguments adds.
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
    fn a_term_adds_what_its_condition_lets_through() {
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
    fn an_argument_that_no_event_has_adds_nothing() {
        let term = StatisticTerm {
            kind: EventKindId(7),
            quantity: TermQuantity::Argument(4),
            condition: None,
        };
        assert_eq!(term.contribution(&[1; 4]), 0);
    }
}
