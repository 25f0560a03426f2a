//! The ThreadX event trace buffer made into a trace.

mod buffer;
pub mod catalogue;
mod columns;
mod convert;
mod cores;
pub mod custom;
mod intern;
mod interpret;
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
use columns::Decoded;
use intern::Known;
use ring::Ring;
use rtoscope_trace::diagnostic::counted;
use rtoscope_trace::event::Standing;
use rtoscope_trace::{
    ContextId, Contexts, Diagnostic, DiagnosticKind, Diagnostics, EventIndex, Events, Gap, Kind,
    Places, Telling, Trace,
};
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
    let mut known = Known::new(&registry.objects);
    let Decoded {
        mut events,
        run_starts,
        unused_between,
    } = columns::decode(buffer.layout, &ring.runs, &mut known);
    forget_interrupted(&mut events);
    let unwrapped = clock::unwrap(&events.stamp, buffer.header.timer_mask, &options.clock);
    events.time = unwrapped.time;
    found.extend(unwrapped.diagnostics);
    let user_numbers = USER_EVENT_FIRST..USER_EVENT_LAST + 1;
    let mut catalogue = catalogue::catalogue(options.netx).with_user_numbers(user_numbers);
    catalogue.extend(options.custom.iter().cloned());
    let cores = cores::settle(&mut events, &catalogue, options.cores, &mut found);
    let gaps = gaps(&ring, &run_starts, events.len(), &mut found);
    if unused_between > 0 {
        let slots = counted(unused_between, "unused slot", "unused slots");
        let message = format!("{slots} between events");
        found.push(Diagnostic::new(DiagnosticKind::UnusedSlots, message).times(unused_between));
    }
    let mut diagnostics = Diagnostics::default();
    diagnostics.extend(found);
    let mut trace = Trace {
        events,
        contexts: known.contexts,
        objects: registry.objects,
        clock: unwrapped.clock,
        cores,
        gaps,
        catalogue,
        telling: Telling::default(),
        places: Places::default(),
        diagnostics,
    };
    survey::trace(&mut trace, ring.wrapped, registry.full);
    Ok(Recording {
        trace,
        buffer,
        wrapped: ring.wrapped,
    })
}

/// Before ThreadX recorded preemption thresholds, records of interrupts did not
/// say who was interrupted: their priority word is 0.
fn forget_interrupted(events: &mut Events) {
    let mut columns = events.context.iter().zip(&events.standing);
    let of_thread = columns.find(|(context, _)| **context > Contexts::IDLE);
    if of_thread.is_none_or(|(_, standing)| standing.has_threshold()) {
        return;
    }
    for (context, standing) in events.context.iter().zip(&mut events.standing) {
        if *context == Contexts::INTERRUPT && *standing == Standing::interrupted(Contexts::IDLE) {
            *standing = Standing::interrupted(ContextId::UNKNOWN);
        }
    }
}

fn gaps(
    ring: &Ring<'_>,
    run_starts: &[u64],
    events: usize,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Gap> {
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
        diagnostics.push(diagnostic.on(before).times(*missing));
        gaps.push(Gap {
            before,
            missing: Some(*missing),
        });
    }
    gaps
}
