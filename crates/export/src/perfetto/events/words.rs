//! Texts that slices around events need again and again.

use crate::perfetto::packets::{Interned, Packets, Sequence};
use rtoscope_analysis::Schedule;
use rtoscope_trace::{ContextId, Trace};
use std::collections::HashMap;
use std::io::Write;

/// The numbers of texts that were interned.
#[derive(Default)]
pub(super) struct Words {
    fixed: Vec<(Interned, &'static str, u64)>,
    routines: HashMap<Option<u32>, (u64, String)>,
    contexts: HashMap<ContextId, u64>,
}

impl Words {
    pub(super) fn category<W: Write>(
        &mut self,
        packets: &mut Packets<W>,
        sequence: &mut Sequence,
        text: &'static str,
    ) -> u64 {
        self.fixed(packets, sequence, Interned::Category, text)
    }

    pub(super) fn argument<W: Write>(
        &mut self,
        packets: &mut Packets<W>,
        sequence: &mut Sequence,
        text: &'static str,
    ) -> u64 {
        self.fixed(packets, sequence, Interned::Argument, text)
    }

    /// The name of a routine, by its number.
    pub(super) fn routine<W: Write>(
        &mut self,
        packets: &mut Packets<W>,
        sequence: &mut Sequence,
        schedule: &Schedule,
        number: Option<u32>,
    ) -> u64 {
        let (word, _) = self.routines.entry(number).or_insert_with(|| {
            let name = schedule.routine_name(number);
            (packets.intern(sequence, Interned::Name, &name), name)
        });
        *word
    }

    /// The name of a routine that was interned.
    pub(super) fn routine_text(&self, number: Option<u32>) -> &str {
        self.routines.get(&number).map_or("", |(_, name)| name)
    }

    /// The name of a context, as an argument's value.
    pub(super) fn context<W: Write>(
        &mut self,
        packets: &mut Packets<W>,
        sequence: &mut Sequence,
        trace: &Trace,
        context: ContextId,
    ) -> u64 {
        *self.contexts.entry(context).or_insert_with(|| {
            let name = trace.context_name(context);
            packets.intern(sequence, Interned::Value, &name)
        })
    }

    /// There are few, so they are compared one by one.
    fn fixed<W: Write>(
        &mut self,
        packets: &mut Packets<W>,
        sequence: &mut Sequence,
        what: Interned,
        text: &'static str,
    ) -> u64 {
        let mut known = self.fixed.iter();
        match known.find(|(of, known, _)| *of == what && *known == text) {
            Some((_, _, number)) => *number,
            None => {
                let number = packets.intern(sequence, what, text);
                self.fixed.push((what, text, number));
                number
            }
        }
    }
}
