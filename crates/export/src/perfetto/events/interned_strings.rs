//! Strings that slices around events use repeatedly.

use crate::perfetto::packets::{InternedKind, PacketSequence, PacketWriter};
use rtoscope_analysis::Schedule;
use rtoscope_trace::{ContextId, Trace};
use std::collections::HashMap;
use std::io::Write;

/// The ids of interned strings.
#[derive(Default)]
pub(super) struct InternedStrings {
    fixed: Vec<(InternedKind, &'static str, u64)>,
    routines: HashMap<Option<u32>, (u64, String)>,
    contexts: HashMap<ContextId, u64>,
}

impl InternedStrings {
    pub(super) fn category<W: Write>(
        &mut self,
        packets: &mut PacketWriter<W>,
        sequence: &mut PacketSequence,
        text: &'static str,
    ) -> u64 {
        self.fixed(packets, sequence, InternedKind::Category, text)
    }

    pub(super) fn argument<W: Write>(
        &mut self,
        packets: &mut PacketWriter<W>,
        sequence: &mut PacketSequence,
        text: &'static str,
    ) -> u64 {
        self.fixed(packets, sequence, InternedKind::Argument, text)
    }

    /// Interns the name of an interrupt service routine, by number.
    pub(super) fn routine<W: Write>(
        &mut self,
        packets: &mut PacketWriter<W>,
        sequence: &mut PacketSequence,
        schedule: &Schedule,
        number: Option<u32>,
    ) -> u64 {
        let (word, _) = self.routines.entry(number).or_insert_with(|| {
            let name = schedule.isr_name(number);
            (packets.intern(sequence, InternedKind::Name, &name), name)
        });
        *word
    }

    /// The interned name of a routine.
    pub(super) fn routine_name(&self, number: Option<u32>) -> &str {
        self.routines.get(&number).map_or("", |(_, name)| name)
    }

    /// Interns the name of a context as an argument value.
    pub(super) fn context<W: Write>(
        &mut self,
        packets: &mut PacketWriter<W>,
        sequence: &mut PacketSequence,
        trace: &Trace,
        context: ContextId,
    ) -> u64 {
        *self.contexts.entry(context).or_insert_with(|| {
            let name = trace.context_name(context);
            packets.intern(sequence, InternedKind::Value, &name)
        })
    }

    /// Few enough for a linear search.
    fn fixed<W: Write>(
        &mut self,
        packets: &mut PacketWriter<W>,
        sequence: &mut PacketSequence,
        what: InternedKind,
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
