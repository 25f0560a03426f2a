//! The frames that a guess is based on.

use super::framing::Framing;
use crate::rkh::deframer;
use crate::rkh::own_records::OwnRecords;
use crate::rkh::record_content::{self, RecordContent};
use crate::rkh::record_layout::RecordPlan;
use rtoscope_wire::rkh::header;
use rtoscope_wire::rkh::{ArgumentValue, StreamConfiguration, TargetConfiguration};
use std::collections::HashMap;

/// Maximum number of frames to examine.
const MAX_SAMPLED_FRAMES: u64 = 1 << 16;

/// Number of frames of each id to keep.
const FRAMES_KEPT_PER_ID: usize = 16;

/// Longer frames are garbage.
pub(super) const MAX_FRAME_BYTES: usize = 4096;

/// A summary of a stream's frames.
pub(super) struct FrameSample<'r> {
    /// The formats of the application's own records.
    pub(super) own_records: &'r OwnRecords,
    /// The settings that all frames have in common.
    pub(super) framing: Framing,
    /// Frames examined, without targets' configurations.
    pub(super) frames: u64,
    /// Frames with a valid checksum; all frames if they have none.
    pub(super) intact_frames: u64,
    /// Number of frames of each id and length; with a checksum, only of frames
    /// that sum to 0.
    pub(super) lengths: Vec<(u8, usize, u64)>,
    /// Sample frames of each id.
    pub(super) frames_by_id: HashMap<u8, Vec<Vec<u8>>>,
}

impl<'r> FrameSample<'r> {
    pub(super) fn collect(bytes: &[u8], framing: Framing, own_records: &'r OwnRecords) -> Self {
        let configuration = &framing.configuration;
        let (mut frames, mut intact_frames) = (0, 0);
        let mut lengths = HashMap::new();
        let mut kept: HashMap<u8, Vec<Vec<u8>>> = HashMap::new();
        for_each_frame(bytes, |frame| {
            frames += 1;
            if configuration.checksum && header::checked_sum(frame, configuration) != 0 {
                return;
            }
            intact_frames += 1;
            let id = header::frame_id(frame, configuration);
            let Some(id) = id.filter(|_| frame.len() <= MAX_FRAME_BYTES) else {
                return;
            };
            *lengths.entry((id, frame.len())).or_insert(0) += 1;
            let kept = kept.entry(id).or_default();
            if kept.len() < FRAMES_KEPT_PER_ID {
                kept.push(frame.to_vec());
            }
        });
        let lengths = lengths.into_iter();
        let mut lengths: Vec<_> = lengths
            .map(|((id, length), count)| (id, length, count))
            .collect();
        lengths.sort_unstable();
        Self {
            own_records,
            framing,
            frames,
            intact_frames,
            lengths,
            frames_by_id: kept,
        }
    }

    /// Whether two configurations read any kept frame as different arguments.
    pub(super) fn reads_differently(
        &self,
        one: &StreamConfiguration,
        other: &StreamConfiguration,
    ) -> bool {
        let (one, other) = (RecordPlan::new(*one), RecordPlan::new(*other));
        let frames = self.frames_by_id.values().flatten();
        let mut pairs = frames
            .map(|frame| [&one, &other].map(|plan| read_frame(plan, self.own_records, frame)));
        pairs.any(|[one, other]| one != other)
    }
}

/// Visits the frames to examine: those without a target's configuration.
pub(super) fn for_each_frame(bytes: &[u8], mut visit: impl FnMut(&[u8])) {
    let mut frames = 0;
    deframer::for_each_frame(bytes, MAX_FRAME_BYTES, |frame| {
        if TargetConfiguration::parse(frame.bytes).is_none() {
            visit(frame.bytes);
            frames += 1;
        }
        frames < MAX_SAMPLED_FRAMES
    });
}

/// Reads a frame according to a plan: header and arguments.
fn read_frame<'a>(
    plan: &RecordPlan,
    own_records: &'a OwnRecords,
    frame: &'a [u8],
) -> Option<(Option<u8>, Option<u32>, Vec<ArgumentValue<'a>>)> {
    let (header, content) = record_content::read(plan, own_records, frame).ok()?;
    let values = match content {
        RecordContent::Values(values, count) => values.into_iter().take(count).collect(),
        RecordContent::Items(_, _, bytes) => vec![ArgumentValue::Text(bytes)],
        RecordContent::Expectation(first, ..) => first.map(ArgumentValue::Number).to_vec(),
    };
    Some((header.sequence, header.timestamp, values))
}
