//! Levels and values of signals as events: one for each change.

use super::catalogue::id;
use super::signal_table::SignalId;
use crate::packet_stream::{EventPage, GapCause, StoredEvent, StreamGap};
use rtoscope_trace::ContextId;
use rtoscope_trace::event::PriorityWord;

/// The level of a digital signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Level {
    /// Nothing says it yet.
    #[default]
    Unseen,
    Low,
    High,
    /// Neither 0 nor 1.
    Undefined,
    /// Not driven.
    HighImpedance,
}

impl Level {
    /// The level that a character of a file stands for.
    pub(super) const fn from_char(character: u8) -> Option<Self> {
        Some(match character {
            b'0' | b'L' | b'l' => Self::Low,
            b'1' | b'H' | b'h' => Self::High,
            b'x' | b'X' | b'u' | b'U' | b'w' | b'W' | b'-' => Self::Undefined,
            b'z' | b'Z' => Self::HighImpedance,
            _ => return None,
        })
    }
}

/// What is known of a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct SignalState {
    /// The level of a digital signal; of others, whether the value is known.
    level: Level,
    /// Number of pulses of a digital signal, or the value of a vector; of others, number of
    /// changes.
    number: u64,
}

/// Writes events into a page.
#[derive(Debug, Clone, Default)]
pub(super) struct EdgeWriter {
    pub(super) page: EventPage,
    /// The time of the next event, in ticks since the first time of the capture.
    pub(super) time: u64,
    states: Vec<SignalState>,
    /// The signal of the last event, and its state before.
    undo: Option<(SignalId, SignalState)>,
    /// What is missing before the next event.
    pub(super) pending_gap: Option<GapCause>,
    /// The same before the last event.
    gap_before_last: Option<GapCause>,
    /// Number of gaps.
    pub(super) gaps: u64,
    /// The time of the last event.
    pub(super) last_time: u64,
}

impl EdgeWriter {
    /// The same with an empty page.
    pub(super) fn without_page(&self) -> Self {
        Self {
            page: EventPage {
                first: self.page.end(),
                ..EventPage::default()
            },
            states: self.states.clone(),
            ..*self
        }
    }

    /// Takes the state before the last event, but for the time, which is that of the event.
    pub(super) fn step_back(&mut self) {
        self.time = self.last_time;
        self.pending_gap = self.gap_before_last;
        if let Some((signal, state)) = self.undo {
            self.set_state(signal, state);
        }
    }

    /// What is known of a signal.
    pub(super) fn state(&self, signal: SignalId) -> SignalState {
        self.states.get(signal.index()).copied().unwrap_or_default()
    }

    fn set_state(&mut self, signal: SignalId, state: SignalState) {
        if self.states.len() <= signal.index() {
            self.states
                .resize(signal.index() + 1, SignalState::default());
        }
        if let Some(known) = self.states.get_mut(signal.index()) {
            *known = state;
        }
    }

    /// Changes are missing before the next event: no level is known any more.
    pub(super) fn lose(&mut self, cause: GapCause) {
        for state in &mut self.states {
            state.level = Level::Unseen;
        }
        if self.page.end() > 0 {
            self.pending_gap.get_or_insert(cause);
        }
    }

    /// A digital signal has a level; returns whether this is an event.
    #[inline]
    pub(super) fn set_level(&mut self, signal: SignalId, level: Level) -> bool {
        let before = self.state(signal);
        if before.level == level {
            return false;
        }
        let is_known = matches!(before.level, Level::Low | Level::High);
        let mut number = before.number;
        let mut third = 0;
        let kind = match level {
            Level::High if is_known => id::RISING,
            Level::High => id::HIGH,
            Level::Low if is_known => id::FALLING,
            Level::Low => id::LOW,
            Level::Unseen => return false,
            Level::Undefined => id::UNKNOWN,
            Level::HighImpedance => {
                third = 1;
                id::UNKNOWN
            }
        };
        // The pulse that was high at the start has number 0.
        if kind == id::RISING || kind == id::HIGH && self.is_seen(before) {
            number += 1;
        }
        self.change(
            signal,
            before,
            SignalState { level, number },
            kind,
            [number, third],
        );
        true
    }

    /// Whether a signal had an event before.
    fn is_seen(&self, before: SignalState) -> bool {
        before.level != Level::Unseen
            || before.number > 0
            || self.gaps > 0
            || self.pending_gap.is_some()
    }

    /// A vector has a value; returns whether this is an event.
    pub(super) fn set_value(&mut self, signal: SignalId, value: u64) -> bool {
        let before = self.state(signal);
        let is_known = before.level == Level::High;
        if is_known && before.number == value {
            return false;
        }
        let kind = if is_known { id::VALUE } else { id::FIRST_VALUE };
        let state = SignalState {
            level: Level::High,
            number: value,
        };
        self.change(signal, before, state, kind, [value, 0]);
        true
    }

    /// A vector has a value with unknown bits, which are a text; returns whether this is an event.
    pub(super) fn set_unknown_value(&mut self, signal: SignalId, bits: &[u8]) -> bool {
        let before = self.state(signal);
        let text = self.page.extras.push_text(bits);
        let state = SignalState {
            level: Level::Undefined,
            ..before
        };
        self.change(
            signal,
            before,
            state,
            id::UNKNOWN_VALUE,
            [before.number, text.into()],
        );
        true
    }

    /// A signal has a value that is a text.
    pub(super) fn set_text(&mut self, signal: SignalId, text: &[u8]) {
        let text = self.page.extras.push_text(text);
        self.count(signal, id::TEXT_VALUE, text);
    }

    /// Something happens that has no value.
    pub(super) fn trigger(&mut self, signal: SignalId) {
        self.count(signal, id::EVENT, 0);
    }

    fn count(&mut self, signal: SignalId, kind: u32, third: u32) {
        let before = self.state(signal);
        let state = SignalState {
            level: Level::High,
            number: before.number.saturating_add(1),
        };
        self.change(signal, before, state, kind, [state.number, third.into()]);
    }

    fn change(
        &mut self,
        signal: SignalId,
        before: SignalState,
        after: SignalState,
        kind: u32,
        [second, third]: [u64; 2],
    ) {
        self.set_state(signal, after);
        self.undo = Some((signal, before));
        self.push(kind, [signal.address().0, second, third]);
    }

    /// The capture ends; returns whether this is an event.
    pub(super) fn end(&mut self) -> bool {
        if self.page.end() == 0 || self.time <= self.last_time {
            return false;
        }
        self.undo = None;
        self.push(id::END, [0; 3]);
        true
    }

    fn push(&mut self, kind: u32, [first, second, third]: [u64; 3]) {
        self.gap_before_last = self.pending_gap;
        if let Some(cause) = self.pending_gap.take() {
            self.gaps += 1;
            self.page.gaps.push(StreamGap {
                next_event: self.page.end(),
                cause,
                missing: None,
                core: None,
            });
        }
        self.last_time = self.time;
        let upper = (second >> 32) as u32;
        self.page.push(&StoredEvent {
            time: self.time,
            timestamp: None,
            core: 0,
            context: ContextId::UNKNOWN,
            priority_word: PriorityWord::NO_PRIORITY,
            kind,
            arguments: [first as u32, second as u32, third as u32, 0],
            upper_halves: [0, upper, 0, 0],
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(writer: &EdgeWriter) -> Vec<u32> {
        writer.page.kind.iter().map(|kind| kind.0).collect()
    }

    #[test]
    fn only_changes_between_known_levels_are_edges() {
        let mut writer = EdgeWriter::default();
        let signal = SignalId(3);
        for level in *b"110x1z01" {
            let level = Level::from_char(level).unwrap();
            writer.set_level(signal, level);
        }
        let expected = [
            id::HIGH,
            id::FALLING,
            id::UNKNOWN,
            id::HIGH,
            id::UNKNOWN,
            id::LOW,
            id::RISING,
        ];
        assert_eq!(kinds(&writer), expected);
        let pulses: Vec<_> = writer.page.arguments.iter().map(|it| it[1]).collect();
        assert_eq!(pulses, [0, 0, 0, 1, 1, 1, 2]);
        assert!(writer.page.arguments.iter().all(|it| it[0] == 4));
    }

    #[test]
    fn no_level_is_known_after_a_gap() {
        let mut writer = EdgeWriter::default();
        let signal = SignalId(0);
        writer.set_level(signal, Level::Low);
        writer.lose(GapCause::Pause);
        writer.set_level(signal, Level::High);
        assert_eq!(kinds(&writer), [id::LOW, id::HIGH]);
        assert_eq!(writer.page.gaps.len(), 1);
        let mut before = writer.without_page();
        before.page.first -= 1;
        before.step_back();
        assert!(before.set_level(signal, Level::High));
        assert_eq!(kinds(&before), [id::HIGH]);
        assert_eq!(before.page.gaps, writer.page.gaps);
    }

    #[test]
    fn values_are_up_to_64_bits() {
        let mut writer = EdgeWriter::default();
        let signal = SignalId(0);
        assert!(writer.set_value(signal, 1 << 40));
        assert!(!writer.set_value(signal, 1 << 40));
        assert!(writer.set_value(signal, 7));
        assert!(writer.set_unknown_value(signal, b"1x"));
        assert!(writer.set_value(signal, 7));
        assert_eq!(
            kinds(&writer),
            [
                id::FIRST_VALUE,
                id::VALUE,
                id::UNKNOWN_VALUE,
                id::FIRST_VALUE
            ]
        );
        assert_eq!(writer.page.upper_halves[0][1], 1 << 8);
        assert_eq!(
            writer.page.extras.text(writer.page.arguments[2][2].into()),
            b"1x"
        );
    }
}
