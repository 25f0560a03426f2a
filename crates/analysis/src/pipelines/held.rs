//! The items that a stage has taken and not sent on.

use super::chain_steps::{Answer, ChainStep};
use crate::timing::StageHolding;
use rtoscope_trace::EventIndex;
use std::collections::VecDeque;

/// The items of a stage.
#[derive(Debug, Clone)]
pub(super) struct HeldItems {
    holding: StageHolding,
    /// With the numbers of the messages that they came with, oldest first.
    items: VecDeque<(i64, usize)>,
    /// Messages taken and sent on since the last gap.
    takes: i64,
    sends: i64,
    /// Of a stage that sends items on in their order: the messages that it already had at
    /// the start and after each gap, the next one first. `None` if that is not known.
    earlier: VecDeque<Option<i64>>,
    /// Whether it has asked for the next item since it took these.
    pub(super) has_asked: bool,
    /// Whether it took an item while it had another, and nothing is declared about that.
    pub(super) has_overlap: bool,
    /// Whether what it does with its items is not known.
    is_opaque: bool,
}

impl HeldItems {
    pub(super) fn new(
        holding: StageHolding,
        earlier: VecDeque<Option<i64>>,
        is_opaque: bool,
    ) -> Self {
        let mut held = Self {
            holding,
            items: VecDeque::new(),
            takes: 0,
            sends: 0,
            earlier,
            has_asked: false,
            has_overlap: false,
            is_opaque,
        };
        held.begin_section();
        held
    }

    /// The stage takes a message with items. False if what it does with them is not known.
    pub(super) fn take(&mut self, items: &[usize]) -> bool {
        self.takes += 1;
        self.has_asked = false;
        if self.is_opaque {
            return false;
        }
        if self.holding == StageHolding::Undeclared && !items.is_empty() {
            self.has_overlap |= !self.items.is_empty();
        }
        let number = self.takes;
        self.items.extend(items.iter().map(|item| (number, *item)));
        true
    }

    /// The stage sends a message, or ends items. Adds the items that it sends on.
    pub(super) fn send(&mut self, sent: &mut Vec<usize>) {
        self.sends += 1;
        let last = match self.holding {
            StageHolding::Fifo(_) => {
                let earlier = self.earlier.front().copied().flatten();
                self.sends - earlier.unwrap_or_default()
            }
            _ => i64::MAX,
        };
        while let Some((number, item)) = self.items.front()
            && *number <= last
        {
            sent.push(*item);
            self.items.pop_front();
        }
        self.has_asked = false;
    }

    /// The stage no longer has its items. Adds them.
    pub(super) fn clear(&mut self, items: &mut Vec<usize>) {
        items.extend(self.items.drain(..).map(|(_, item)| item));
        self.has_asked = false;
    }

    /// Events are missing: what the stage has is not known. Adds the items that it had.
    pub(super) fn lose(&mut self, items: &mut Vec<usize>) {
        self.clear(items);
        self.earlier.pop_front();
        self.begin_section();
    }

    fn begin_section(&mut self) {
        (self.takes, self.sends) = (0, 0);
        if let StageHolding::Fifo(_) = self.holding {
            self.is_opaque = self.earlier.front().copied().flatten().is_none();
        }
    }

    /// How the stage holds items.
    pub(super) fn holding(&self) -> StageHolding {
        self.holding
    }
}

/// How many messages a stage has at most and at least before the first event of a section.
#[derive(Debug, Clone, Copy, Default)]
struct Balance {
    takes: i64,
    sends: i64,
    /// The most messages that were sent before their takes: it had at least these.
    min_earlier: i64,
    /// The most messages that were taken and not yet sent on.
    max_gain: i64,
    /// It took messages whose puts are not recorded.
    is_unknown: bool,
}

impl Balance {
    fn count(&mut self, taken: bool) {
        match taken {
            true => self.takes += 1,
            false => self.sends += 1,
        }
        self.min_earlier = self.min_earlier.max(self.sends - self.takes);
        self.max_gain = self.max_gain.max(self.takes - self.sends);
    }

    /// The number of messages that a stage which never has more than `capacity` had before:
    /// known if it had none at some time and was full at another.
    fn earlier(&self, capacity: u32) -> Option<i64> {
        let max = i64::from(capacity) - self.max_gain;
        (!self.is_unknown && max == self.min_earlier).then_some(max)
    }
}

/// For each stage that sends items on in their order: the messages that it has at the start
/// and after each gap.
pub(super) fn earlier_messages(
    steps: &[(EventIndex, ChainStep)],
    holdings: &[StageHolding],
) -> Vec<VecDeque<Option<i64>>> {
    let mut found = vec![VecDeque::new(); holdings.len()];
    if !holdings
        .iter()
        .any(|it| matches!(it, StageHolding::Fifo(_)))
    {
        return found;
    }
    let mut balances = vec![Balance::default(); holdings.len()];
    let end_section = |balances: &mut Vec<Balance>, found: &mut Vec<VecDeque<_>>| {
        let stages = found.iter_mut().zip(balances).zip(holdings);
        for ((found, balance), holding) in stages {
            let balance = std::mem::take(balance);
            if let StageHolding::Fifo(capacity) = holding {
                found.push_back(balance.earlier(*capacity));
            }
        }
    };
    for (number, (_, step)) in steps.iter().enumerate() {
        let mut count = |stage: usize, taken| {
            if let Some(balance) = balances.get_mut(stage) {
                balance.count(taken);
            }
        };
        match *step {
            ChainStep::Gap => end_section(&mut balances, &mut found),
            ChainStep::End => count(holdings.len() - 1, false),
            ChainStep::Put { link, .. } => count(link, false),
            // What other contexts put is not sent on.
            ChainStep::Take {
                link,
                by_stage: true,
                from_stage: true,
                ..
            } => count(link + 1, true),
            ChainStep::Request {
                link,
                answer: Answer::Item,
            } if !is_followed_by_take(steps, number, link) => {
                if let Some(balance) = balances.get_mut(link + 1) {
                    balance.is_unknown = true;
                }
            }
            _ => {}
        }
    }
    end_section(&mut balances, &mut found);
    found
}

/// Whether the call that put what a request gets at once is known.
pub(super) fn is_followed_by_take(
    steps: &[(EventIndex, ChainStep)],
    request: usize,
    link: usize,
) -> bool {
    let after = steps.get(request..).unwrap_or_default();
    let Some((event, _)) = after.first() else {
        return false;
    };
    let mut same = after.iter().take_while(|(other, _)| other == event);
    same.any(|(_, step)| matches!(step, ChainStep::Take { link: other, .. } if *other == link))
}
