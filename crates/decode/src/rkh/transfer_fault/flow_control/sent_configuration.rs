//! Restores the records with the target's configuration: without them, no other can be read.

use super::lacking;
use crate::rkh::deframer::{self, MAX_SENT_FRAME_BYTES};
use crate::rkh::own_records::OwnRecords;
use crate::rkh::record_content;
use crate::rkh::record_layout::RecordPlan;
use rtoscope_wire::rkh::TargetConfiguration;
use rtoscope_wire::rkh::frame::{EscapedBytes, FLAG, byte_sum};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// The record of the widest configuration.
const MAX_CONFIGURATION_BYTES: usize = 24;

/// Maximum number of frames that decide between the places of missing bytes.
const MAX_SAMPLES: usize = 1024;

/// Maximum number of starts of the target to restore.
const MAX_RECORDS: usize = 16;

/// The stream with the missing bytes of its configuration records where they have one place.
pub(super) fn restore(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut samples = Vec::new();
    let mut cut = Vec::new();
    deframer::for_each_frame(bytes, MAX_SENT_FRAME_BYTES, |frame| {
        let sum = byte_sum(frame.bytes);
        if sum == 0 {
            if samples.len() < MAX_SAMPLES && TargetConfiguration::parse(frame.bytes).is_none() {
                samples.push(frame.bytes.to_vec());
            }
        } else if frame.bytes.len() <= MAX_CONFIGURATION_BYTES
            && cut.len() < MAX_RECORDS
            && let Some(missing) = lacking(sum)
        {
            let mut candidates = BTreeSet::new();
            insert(frame.bytes, missing, &mut candidates);
            if !candidates.is_empty() {
                cut.push((frame.offset, candidates));
            }
        }
        true
    });
    let mut restored = Vec::new();
    let mut rest = 0;
    for (offset, candidates) in cut {
        let Some(record) = only_fitting(candidates, &samples) else {
            continue;
        };
        let start = usize::try_from(offset).ok()?;
        restored.extend_from_slice(bytes.get(rest..start)?);
        restored.extend(EscapedBytes::new(&record));
        rest = start + memchr::memchr(FLAG, bytes.get(start..)?)?;
    }
    if restored.is_empty() {
        return None;
    }
    restored.extend_from_slice(bytes.get(rest..)?);
    Some(restored)
}

/// Collects the configuration records that a frame can be with the missing bytes.
fn insert(frame: &[u8], missing: &[u8], records: &mut BTreeSet<Vec<u8>>) {
    let Some((byte, others)) = missing.split_first() else {
        if TargetConfiguration::parse(frame).is_some() {
            records.insert(frame.to_vec());
        }
        return;
    };
    for place in 1..=frame.len() {
        let (before, after) = frame.split_at(place);
        insert(&[before, &[*byte], after].concat(), others, records);
    }
}

/// The record whose configuration fits more frames than all others do, and most of them.
fn only_fitting(records: BTreeSet<Vec<u8>>, samples: &[Vec<u8>]) -> Option<Vec<u8>> {
    let own_records = OwnRecords::default();
    let rated = records.into_iter().filter_map(|record| {
        let target = TargetConfiguration::parse(&record)?;
        let plan = RecordPlan::new(target.configuration(None));
        let fits = |frame: &&Vec<u8>| record_content::read(&plan, &own_records, frame).is_ok();
        Some((samples.iter().filter(fits).count(), record))
    });
    let mut rated: Vec<_> = rated.collect();
    rated.sort_unstable_by_key(|(fitting, _)| Reverse(*fitting));
    let second = rated.get(1).map_or(0, |(fitting, _)| *fitting);
    let (fitting, record) = rated.into_iter().next()?;
    (fitting > second && fitting * 4 >= samples.len() * 3).then_some(record)
}
