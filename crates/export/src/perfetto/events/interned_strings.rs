//! Texts that slices around events need again and again.

use crate::perfetto::packets::{InternedKind, PacketSequence, PacketWriter};
use rtoscope_analysis::Schedule;
use rtoscope_trace::{ContextId, Trace};
use std::collections::HashMap;
use std::io::Write;

/// The numbers of texts that were interned.
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

    /// The name of a routine, by its number.
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

    /// The name of a routine that was interned.
    pub(super) fn routine_name(&self, number: Option<u32>) -> &str {
        self.routines.get(&number).map_or("", |(_, name)| name)
    }

    /// The name of a context, as an argument's value.
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

    /// There are few, so they are compared one by one.
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
