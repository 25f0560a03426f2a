//! The frames that a guess is made from.

use crate::rkh::deframe;
use crate::rkh::plan::Plan;
use crate::rkh::record::{self, Content};
use rtoscope_wire::rkh::frame::sums_to_zero;
use rtoscope_wire::rkh::{Configuration, TargetConfiguration, Value};
use std::collections::HashMap;

/// Frames that are looked at.
const MOST_FRAMES: u64 = 1 << 16;

/// Frames of each id that are kept.
const KEPT: usize = 16;

/// Longer frames are garbage.
const MOST_BYTES: usize = 4096;

/// The frames of a stream, summed up.
pub(super) struct Sample {
    /// Frames that were looked at, targets' configurations left out.
    pub(super) frames: u64,
    /// Whether they sum to 0.
    pub(super) checksum: bool,
    /// Whether their second bytes count.
    pub(super) sequence: bool,
    /// How many frames of each id and length there are that sum to 0, if any do.
    pub(super) lengths: Vec<(u8, usize, u64)>,
    /// Some frames of each id.
    pub(super) kept: HashMap<u8, Vec<Vec<u8>>>,
}

impl Sample {
    pub(super) fn of(bytes: &[u8]) -> Self {
        let (mut frames, mut sound, mut counting) = (0_u64, 0_u64, 0_u64);
        let mut before = None;
        each(bytes, |frame| {
            frames += 1;
            if sums_to_zero(frame) {
                sound += 1;
            }
            let number = frame.get(1).copied();
            counting += u64::from(number.is_some() && number == before);
            before = number.map(|number| number.wrapping_add(1));
        });
        let checksum = sound * 2 > frames;
        let mut lengths = HashMap::new();
        let mut kept: HashMap<u8, Vec<Vec<u8>>> = HashMap::new();
        each(bytes, |frame| {
            let [id, ..] = *frame else { return };
            if checksum && !sums_to_zero(frame) || frame.len() > MOST_BYTES {
                return;
            }
            *lengths.entry((id, frame.len())).or_insert(0) += 1;
            let kept = kept.entry(id).or_default();
            if kept.len() < KEPT {
                kept.push(frame.to_vec());
            }
        });
        let lengths = lengths.into_iter();
        let mut lengths: Vec<_> = lengths
            .map(|((id, length), count)| (id, length, count))
            .collect();
        lengths.sort_unstable();
        Self {
            frames,
            checksum,
            sequence: counting * 2 > frames,
            lengths,
            kept,
        }
    }

    /// Whether two configurations read any frame that is kept as different
    /// arguments.
    pub(super) fn reads_differently(&self, one: &Configuration, other: &Configuration) -> bool {
        let (one, other) = (Plan::new(*one), Plan::new(*other));
        let frames = self.kept.values().flatten();
        let mut pairs = frames.map(|frame| [&one, &other].map(|plan| read(plan, frame)));
        pairs.any(|[one, other]| one != other)
    }
}

fn each(bytes: &[u8], mut visit: impl FnMut(&[u8])) {
    let mut frames = 0;
    deframe::each(bytes, MOST_BYTES, |frame| {
        if TargetConfiguration::parse(frame.bytes).is_none() {
            visit(frame.bytes);
            frames += 1;
        }
        frames < MOST_FRAMES
    });
}

/// What a frame says by a plan: header and arguments.
fn read<'a>(plan: &Plan, frame: &'a [u8]) -> Option<(Option<u8>, Option<u32>, Vec<Value<'a>>)> {
    let (header, content) = record::read(plan, frame).ok()?;
    let values = match content {
        Content::Values(values, count) => values.into_iter().take(count).collect(),
        Content::Items(_, bytes) => vec![Value::Text(bytes)],
        Content::Expectation(first, ..) => first.map(Value::Number).to_vec(),
    };
    Some((header.sequence, header.stamp, values))
}
