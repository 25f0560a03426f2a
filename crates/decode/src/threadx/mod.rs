//! The ThreadX event trace buffer made into a trace.

mod buffer;
pub mod catalogue;
mod columns;
mod convert;
mod cores;
pub mod custom;
mod draft;
mod glance;
mod intern;
mod interpret;
pub mod live;
mod registry;
mod ring;
mod survey;

pub use buffer::Buffer;
pub use catalogue::NetxDialect;
pub use convert::{RawBuffer, extract};
pub use cores::CoreBits;
pub use interpret::Interpreter;

use crate::DecodeError;
use crate::clock::{self, ClockOptions};
use crate::memory::Memory;
use draft::{Addition, Draft};
use ring::Ring;
use rtoscope_trace::diagnostic::counted;
use rtoscope_trace::{Catalogue, Diagnostic, DiagnosticKind, EventIndex, Gap, Kind, Trace};
use rtoscope_wire::threadx::{USER_EVENT_FIRST, USER_EVENT_LAST};

/// What the user knows about a trace buffer that it does not say itself.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The time source.
    pub clock: ClockOptions,
    /// What some event numbers of the network stack mean.
    pub netx: NetxDialect,
    /// How event numbers are read.
    pub cores: CoreBits,
    /// Events of the application.
    pub custom: Vec<Kind>,
}

/// A decoded buffer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recording {
    /// What happened.
    pub trace: Trace,
    /// Where its parts lay.
    pub buffer: Buffer,
    /// Whether the ring has wrapped, so that older events may be lost.
    pub wrapped: bool,
}

/// Decodes the buffer whose control header lies at `address`.
pub fn decode(
    memory: &Memory<'_>,
    address: u64,
    options: &Options,
) -> Result<Recording, DecodeError> {
    let mut found = Vec::new();
    let buffer = Buffer::locate(memory, address, &mut found)?;
    survey::extent(memory, &buffer, &mut found);
    let registry = registry::read(memory, &buffer, &mut found);
    let ring = ring::order(memory, &buffer, &mut found);
    let draft = Draft::new(buffer.layout, &ring.runs, &registry.objects);
    let stamps = &draft.events.stamp;
    let unwrapped = clock::unwrap(stamps, buffer.header.timer_mask, &options.clock);
    let gaps = gaps(&ring, &draft.run_starts, stamps.len());
    let mut trace = draft.finish(Addition {
        unwrapped,
        objects: registry.objects,
        catalogue: catalogue(options),
        cores: options.cores,
        gaps,
        found,
    });
    survey::trace(&mut trace, ring.wrapped, registry.full);
    Ok(Recording {
        trace,
        buffer,
        wrapped: ring.wrapped,
    })
}

/// The kinds of events that may occur.
fn catalogue(options: &Options) -> Catalogue {
    let user_numbers = USER_EVENT_FIRST..USER_EVENT_LAST + 1;
    let mut catalogue = catalogue::catalogue(options.netx).with_user_numbers(user_numbers);
    catalogue.extend(options.custom.iter().cloned());
    catalogue
}

/// What is missing between the runs of a ring.
fn gaps(ring: &Ring<'_>, run_starts: &[u64], events: usize) -> Vec<(Gap, Diagnostic)> {
    let mut gaps = Vec::new();
    for (run, missing) in &ring.gaps {
        let start = run_starts.get(*run).copied().unwrap_or_default();
        let Ok(before) = u32::try_from(start).map(EventIndex) else {
            continue;
        };
        if before.0 == 0 || before.index() >= events {
            continue;
        }
        let message = format!(
            "{} missing between event {} and event {before}: not in the input",
            counted(*missing, "event", "events"),
            before.0 - 1
        );
        let diagnostic = Diagnostic::new(DiagnosticKind::Gap, message);
        let gap = Gap {
            before,
            missing: Some(*missing),
            core: None,
        };
        gaps.push((gap, diagnostic.on(before).times(*missing)));
    }
    gaps
}
