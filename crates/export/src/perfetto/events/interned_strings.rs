//! Strings that slices around events use repeatedly.

use crate::perfetto::packets::{InternedKind, PacketSequence, PacketWriter};
use rtoscope_analysis::Schedule;
use rtoscope_trace::{ContextId, Trace};
use std::collections::HashMap;
use std::io::Write;

/// The ids of interned strings.
pub(super) struct InternedStrings {
    pub(super) isr_category: u64,
    pub(super) step_category: u64,
    pub(super) interrupted: u64,
    pub(super) entry_recorded: u64,
    pub(super) exit_recorded: u64,
    pub(super) state_before: u64,
    pub(super) state_after: u64,
    routines: HashMap<Option<u32>, (u64, String)>,
    contexts: HashMap<ContextId, u64>,
}

impl InternedStrings {
    pub(super) fn new<W: Write>(
        packets: &mut PacketWriter<W>,
        sequence: &mut PacketSequence,
    ) -> Self {
        let mut category = |text| packets.intern(sequence, InternedKind::Category, text);
        let [isr_category, step_category] = ["isr", "step"].map(&mut category);
        let mut argument = |text| packets.intern(sequence, InternedKind::Argument, text);
        Self {
            isr_category,
            step_category,
            interrupted: argument("interrupted"),
            entry_recorded: argument("entry recorded"),
            exit_recorded: argument("exit recorded"),
            state_before: argument("state before"),
            state_after: argument("state after"),
            routines: HashMap::new(),
            contexts: HashMap::new(),
        }
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
}
