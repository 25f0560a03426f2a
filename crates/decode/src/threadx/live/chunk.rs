//! Decodes a range of entries into a trace.

use super::common_layout::common_layout;
use crate::live::{self, EventSlice};
use crate::records::RecordRun;
use crate::threadx::cores::CoreBits;
use crate::threadx::entry_gaps::EntryGap;
use crate::threadx::partial_trace::{PartialTrace, TraceParts};
use crate::threadx::registry::ObjectRegistry;
use crate::threadx::{BufferInfo, ThreadXOptions, TraceBuffer, catalogue};
use crate::{DecodeError, DecodedRecording, FormatInfo};
use rtoscope_trace::clock::ClockQuality;
use rtoscope_trace::{Diagnostic, DiagnosticKind, Diagnostics, Progress};
use rtoscope_wire::threadx::BufferLayout;
use std::sync::Arc;

/// Consecutive entries with gaps, and the state that decoding them needs.
pub(super) struct ThreadXChunk {
    /// The number of the first entry.
    pub(super) first: u64,
    pub(super) parts: Vec<EventSlice<u8, BufferLayout>>,
    /// Gaps between them, in order.
    pub(super) gaps: Vec<EntryGap>,
    pub(super) names: Arc<ObjectRegistry>,
    /// What targets did not write.
    pub(super) damage: Diagnostics,
    /// The last received buffer, if there is one.
    pub(super) buffer: Option<TraceBuffer>,
    /// Whether the target sends packets instead of buffers.
    pub(super) is_sent: bool,
    /// The user's options, and what is settled so far.
    pub(super) options: ThreadXOptions,
    /// The cores that recorded events so far.
    pub(super) cores: Vec<u8>,
    /// Whether entries before the first received one were overwritten.
    pub(super) start_is_lost: bool,
}

impl live::EventChunk for ThreadXChunk {
    fn decode(self: Box<Self>) -> Result<DecodedRecording, DecodeError> {
        let buffer = self.buffer.ok_or(DecodeError::Empty)?;
        let (layout, bytes) = common_layout(&self.parts);
        let runs = bytes.iter().map(|bytes| RecordRun {
            first: 0,
            count: (bytes.len() / layout.entry_bytes()) as u64,
            bytes,
        });
        let runs: Vec<_> = runs.collect();
        let objects = self.names.objects.clone();
        let partial = PartialTrace::new(layout, &runs, objects, &Progress::default());
        let across =
            |it: &EntryGap| Some((usize::try_from(it.before - self.first).ok()?, it.elapsed));
        let across: Vec<_> = self.gaps.iter().filter_map(across).collect();
        let options = &self.options;
        let mask = buffer.header.timer_mask;
        let (mut unwrapped, said) = partial.times(mask, &across, options);
        unwrapped.diagnostics.extend(said);
        if unwrapped.clock.quality == ClockQuality::Static && !self.is_sent {
            unwrapped.diagnostics.push(Diagnostic::new(
                DiagnosticKind::StaticClock,
                "with a clock that does not advance, entries overwritten by equal ones are \
                 undetectable",
            ));
        }
        let gaps = self.gaps.iter().filter_map(|it| it.gap(self.first));
        let mut trace = partial.finish(TraceParts {
            unwrapped,
            file: None,
            catalogue: catalogue(options),
            gaps: gaps.collect(),
            is_damaged: !self.damage.is_empty(),
            diagnostics: self
                .names
                .diagnostics
                .iter()
                .cloned()
                .chain(self.damage)
                .collect(),
            is_wrapped: self.start_is_lost && self.first == 0,
            is_registry_full: self.names.is_full,
            options,
        });
        if options.cores == CoreBits::Smp {
            // A core that is silent for a while still exists.
            trace.cores = self.cores;
        }
        Ok(DecodedRecording {
            trace,
            format_info: FormatInfo::new(BufferInfo {
                black_box: None,
                buffer,
                is_sent: self.is_sent,
                is_wrapped: self.start_is_lost,
                netx: options.netx,
                buffers: Vec::new(),
            }),
        })
    }
}
