//! Finds entries of a log that the target did not write.

use super::log::{CoreLog, EntryLayout, LogPart, MissingEntries};
use super::ring_order::is_unwritten;
use super::{UNFINISHED, is_known};
use crate::clock::OutlierScan;
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{Diagnostic, DiagnosticKind};

const LONE: &str = "the time is far from those before and after it, as after a bit changed in a \
                    transfer or in stale memory";
const REPEATED: &str = "the counters step back, and earlier entries follow once more, as after a \
                        block that was saved twice";

/// A place in a part at which entries are missing.
struct Break {
    /// The number of the entry.
    at: u64,
    missing: u64,
    /// Whether the entry is skipped.
    is_damaged: bool,
}

/// Adds gaps for slots between entries that were never written, and in the place of entries
/// whose time contradicts those around them.
pub(super) fn leave_out(log: &mut CoreLog<'_>, layout: EntryLayout, found: &mut Vec<Diagnostic>) {
    let size = layout.entry_bytes();
    let mut stamps = OutlierScan::new(layout.counter_mask().into());
    let mut breaks: Vec<Break> = Vec::new();
    let mut number = 0;
    for part in &log.parts {
        let mut is_written = true;
        for bytes in part.bytes.chunks_exact(size) {
            let Some(entry) = layout.read(bytes) else {
                break;
            };
            let may_be_unwritten = matches!(entry.kind, 0 | UNFINISHED);
            let was_written = is_written;
            is_written = !(may_be_unwritten && is_unwritten(bytes));
            match breaks.last_mut().filter(|_| !was_written && !is_written) {
                Some(hole) => hole.missing += 1,
                None if !is_written => breaks.push(Break {
                    at: number,
                    missing: 1,
                    is_damaged: false,
                }),
                None => {}
            }
            if is_written && is_known(entry.kind) {
                stamps.add(number, entry.counter.into());
            }
            number += 1;
        }
    }
    let lone = stamps.positions(number);
    let parts = log.parts.iter().scan(0, |next, part| {
        let start = *next;
        *next += (part.bytes.len() / size) as u64;
        Some((start, part.bytes))
    });
    let parts: Vec<_> = parts.collect();
    let repeated = stamps.repeats(|at| {
        let part = parts.partition_point(|(start, _)| *start <= at);
        let (start, bytes) = parts.get(part.checked_sub(1)?)?;
        bytes.chunks_exact(size).nth((at - start) as usize)
    });
    for (slots, cause) in [(&lone, LONE), (&repeated, REPEATED)] {
        let Some(first) = slots.first() else { continue };
        let count = slots.len() as u64;
        let message = format!(
            "{} damaged and skipped, the first after {}: {cause}",
            pluralise(count, "entry is", "entries are"),
            pluralise(*first, "entry", "entries")
        );
        let diagnostic = Diagnostic::new(DiagnosticKind::DamagedEntries, message);
        found.push(diagnostic.with_count(count));
    }
    breaks.extend(lone.into_iter().chain(repeated).map(|at| Break {
        at,
        missing: 1,
        is_damaged: true,
    }));
    if !breaks.is_empty() {
        breaks.sort_unstable_by_key(|it| it.at);
        breaks.dedup_by_key(|it| it.at);
        log.parts = split(&log.parts, size, &breaks);
    }
}

fn split<'a>(parts: &[LogPart<'a>], size: usize, breaks: &[Break]) -> Vec<LogPart<'a>> {
    let mut split = Vec::with_capacity(parts.len() + breaks.len());
    let mut breaks = breaks.iter().peekable();
    let mut start = 0;
    let mut missing = MissingEntries::None;
    for part in parts {
        missing = missing.plus(part.missing);
        let mut rest = part.bytes;
        let end = start + (rest.len() / size) as u64;
        while let Some(next) = breaks.next_if(|it| it.at < end) {
            let (bytes, after) = rest.split_at((next.at - start) as usize * size);
            if !bytes.is_empty() {
                let missing = std::mem::take(&mut missing);
                split.push(LogPart {
                    bytes,
                    missing,
                    ..*part
                });
            }
            missing = missing.plus(MissingEntries::from_count(next.missing));
            let skipped = if next.is_damaged { size } else { 0 };
            rest = after.get(skipped..).unwrap_or_default();
            start = next.at + u64::from(next.is_damaged);
        }
        if !rest.is_empty() {
            let missing = std::mem::take(&mut missing);
            split.push(LogPart {
                bytes: rest,
                missing,
                ..*part
            });
        }
        start = end;
    }
    split
}
