//! Entries that were cut out, made into a trace.

use super::breaks::Break;
use super::entries::Part;
use super::names::Shared;
use super::time;
use super::widen::widened;
use crate::content::{Origin, Recording};
use crate::records::Run;
use crate::threadx::cores::CoreBits;
use crate::threadx::draft::{Addition, Draft};
use crate::threadx::{Buffer, Options, catalogue, survey};
use crate::{DecodeError, live};
use rtoscope_trace::clock::Quality;
use rtoscope_trace::{Diagnostic, DiagnosticKind};
use std::sync::Arc;

/// Entries that follow each other but for breaks, and what is known of them.
pub(super) struct Piece {
    /// The number of the first.
    pub(super) first: u64,
    pub(super) parts: Vec<Part>,
    /// Breaks between them, in order.
    pub(super) breaks: Vec<Break>,
    pub(super) names: Arc<Shared>,
    /// The last buffer that came, if one did.
    pub(super) buffer: Option<Buffer>,
    /// What the user knows, and what is settled by now.
    pub(super) options: Options,
    /// The cores that recorded events up to now.
    pub(super) cores: Vec<u8>,
    /// Whether entries before the first that came were overwritten.
    pub(super) start_is_lost: bool,
}

impl live::Piece for Piece {
    fn decode(self: Box<Self>) -> Result<Recording, DecodeError> {
        let buffer = self.buffer.ok_or(DecodeError::Empty)?;
        let (layout, bytes) = widened(&self.parts);
        let run = |bytes: &'_ [u8]| (bytes.len() / layout.entry_bytes()) as u64;
        let runs: Vec<Run<'_>> = bytes
            .iter()
            .map(|bytes| Run {
                first: 0,
                count: run(bytes),
                bytes,
            })
            .collect();
        let objects = self.names.objects.clone();
        let draft = Draft::new(layout, &runs, &objects);
        let across = |it: &Break| Some((usize::try_from(it.before - self.first).ok()?, it.across));
        let across: Vec<_> = self.breaks.iter().filter_map(across).collect();
        let options = &self.options;
        let mask = buffer.header.timer_mask;
        let mut unwrapped = time::unwrap(&draft.events.stamp, mask, &options.clock, &across);
        if unwrapped.clock.quality == Quality::Static {
            unwrapped.diagnostics.push(Diagnostic::new(
                DiagnosticKind::StaticClock,
                "with a clock that stands still, entries that are overwritten by equal ones \
                 cannot be noticed",
            ));
        }
        let gaps = self.breaks.iter().filter_map(|it| it.gap(self.first));
        let mut trace = draft.finish(Addition {
            unwrapped,
            objects,
            catalogue: catalogue(options),
            cores: options.cores,
            gaps: gaps.collect(),
            found: self.names.found.clone(),
        });
        if options.cores == CoreBits::Smp {
            // A core that is silent for a while is still there.
            trace.cores = self.cores;
        }
        survey::trace(
            &mut trace,
            self.start_is_lost && self.first == 0,
            self.names.full,
        );
        Ok(Recording {
            trace,
            origin: Origin::ThreadX {
                buffer,
                wrapped: self.start_is_lost,
                netx: options.netx,
            },
        })
    }
}
