//! The arguments of events in words.

use crate::Texts;
use rtoscope_trace::{Event, KindId, Trace};
use std::ops::Range;

/// Writes sentences. Most events say what one shortly before them said, whose
/// words are taken again.
pub(super) struct Sentences<'a> {
    trace: &'a Trace,
    texts: Texts,
    /// Where what an event said stands, by a hash of that.
    recent: Vec<Option<(Said, Range<usize>)>>,
}

/// What decides about an event's words, where it has no more than four
/// arguments.
type Said = (KindId, [u64; 4]);

const BITS: u32 = 12;

impl<'a> Sentences<'a> {
    pub(super) fn new(trace: &'a Trace) -> Self {
        Self {
            trace,
            texts: Texts::default(),
            recent: vec![None; 1 << BITS],
        }
    }

    pub(super) fn push(&mut self, event: &Event) {
        let sentence = self.trace.arguments_line(event);
        if !self.trace.events.extras.words(event.index).is_empty() {
            self.texts.push_shown(sentence);
            return;
        }
        let said = (event.kind, event.arguments);
        let slot = &mut self.recent[slot(&said)];
        match slot {
            Some((known, place)) if *known == said => self.texts.push_again(place.clone()),
            _ => {
                let place = self.texts.push_shown(sentence);
                *slot = Some((said, place));
            }
        }
    }

    pub(super) fn finish(self) -> Texts {
        self.texts
    }
}

fn slot((kind, arguments): &Said) -> usize {
    let hash = arguments.iter().fold(u64::from(kind.0), |hash, argument| {
        (hash.rotate_left(5) ^ argument).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    });
    (hash >> (u64::BITS - BITS)) as usize
}
