//! Frames with a lost flag between them. The checksum does not detect this:
//! each frame sums to 0, and so do both together.

use super::record_content;
use super::record_layout::RecordPlan;
use crate::rkh::own_records::OwnRecords;
use rtoscope_wire::rkh::ArgumentLayout;
use rtoscope_wire::rkh::frame::{ESCAPE, FLAG};
use rtoscope_wire::rkh::header;

/// Splits a frame into records. Returns none unless the whole frame splits into
/// valid records with consecutive sequence numbers.
pub(super) fn split_frame<'a>(
    plan: &RecordPlan,
    own_records: &OwnRecords,
    frame: &'a [u8],
) -> Vec<&'a [u8]> {
    let configuration = &plan.configuration;
    if !configuration.checksum || !configuration.sequence || frame.len() > MAX_GLUED_BYTES {
        return Vec::new();
    }
    let mut parts = Vec::new();
    let mut rest = frame;
    while !rest.is_empty() {
        let Some((part, following)) =
            first_record(plan, own_records, rest).filter(|_| parts.len() < MAX_PARTS)
        else {
            return Vec::new();
        };
        let numbers = [parts.last().copied(), Some(part)].map(|part| {
            let (header, _) = header::split_frame(part?, configuration).ok()?;
            header.sequence
        });
        if let [Some(before), Some(number)] = numbers
            && number != before.wrapping_add(1)
        {
            return Vec::new();
        }
        parts.push(part);
        rest = following;
    }
    if parts.len() < 2 {
        parts.clear();
    }
    parts
}

/// Where the record with a sequence number starts in a frame, if text precedes it that a
/// program printed on the same line.
pub(super) fn record_after_text(
    plan: &RecordPlan,
    own_records: &OwnRecords,
    frame: &[u8],
    sequence: u8,
) -> Option<usize> {
    let configuration = &plan.configuration;
    if !configuration.checksum || !configuration.sequence || frame.len() > MAX_GLUED_BYTES {
        return None;
    }
    let is_text = |byte: &&u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
    let text = frame.iter().take_while(is_text).count();
    (1..=text).find(|start| {
        let record = frame.get(*start..).unwrap_or_default();
        let header = header::split_frame(record, configuration).ok();
        header.is_some_and(|(header, _)| header.sequence == Some(sequence))
            && plan
                .record_of(record)
                .is_some_and(|known| !known.headerless)
            && record_content::read(plan, own_records, record).is_ok()
    })
}

/// Longer frames are garbage, not records.
const MAX_GLUED_BYTES: usize = 1024;

/// Maximum number of records in a glued frame: more flags are unlikely to be
/// lost in a row.
const MAX_PARTS: usize = 4;

/// Maximum number of candidate ends of a record of variable length.
const MAX_END_CANDIDATES: usize = 16;

/// Bytes of a frame and its flag on the wire.
pub(super) fn line_bytes(frame: &[u8]) -> u64 {
    let escaped = frame.iter().filter(|byte| matches!(**byte, FLAG | ESCAPE));
    (frame.len() + escaped.count()) as u64
}

/// The shortest valid record at the start of the bytes, and the rest.
fn first_record<'a>(
    plan: &RecordPlan,
    own_records: &OwnRecords,
    bytes: &'a [u8],
) -> Option<(&'a [u8], &'a [u8])> {
    plan.record_of(bytes)
        .filter(|record| !record.headerless && record.layout != ArgumentLayout::Configuration)?;
    let header_len = plan.configuration.header_len();
    let length = usize::from(plan.entry(*bytes.first()?).length);
    let lengths = match length {
        0 => header_len..=bytes.len(),
        _ => length..=length,
    };
    // The checksum may omit the timestamp, which ends the header.
    let uncovered = match plan.configuration.timestamp {
        Some(width) if plan.configuration.has_uncovered_timestamp() => {
            bytes.get(header_len - width.bytes()..header_len)?
        }
        _ => &[],
    };
    let mut sum = uncovered
        .iter()
        .fold(0_u8, |sum, byte| sum.wrapping_sub(*byte));
    let mut summed = 0;
    let mut ends = lengths.filter_map(|length| {
        let (part, following) = bytes.split_at_checked(length)?;
        let further = part.get(summed..)?.iter();
        sum = further.fold(sum, |sum, byte| sum.wrapping_add(*byte));
        summed = length;
        (sum == 0).then_some((part, following))
    });
    let mut ends = ends.by_ref().take(MAX_END_CANDIDATES);
    ends.find(|(part, _)| record_content::read(plan, own_records, part).is_ok())
}
