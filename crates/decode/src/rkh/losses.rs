//! What of a stream could not be used, and what never arrived.

use std::fmt;

macro_rules! kinds {
    ($($(#[doc = $doc:literal])* $variant:ident $name:literal;)*) => {
        /// What is wrong at a place of a stream, without the details.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum ProblemKind {
            $($(#[doc = $doc])* $variant,)*
        }

        impl ProblemKind {
            /// All kinds.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The name in output, e.g. `checksum`.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
    };
}

kinds! {
    /// The bytes of a frame do not sum to 0.
    Checksum "checksum";
    /// A record of a known kind has too few or too many bytes, or bytes that it
    /// cannot have.
    Malformed "malformed";
    /// There is no kind of record of that number.
    Unknown "unknown";
    /// A flag behind an escape aborts a frame.
    Aborted "esc-flag";
    /// The stream begins in the middle of a frame.
    Lead "lead";
    /// The stream ends in the middle of a frame.
    Tail "tail";
    /// A frame is longer than a frame may be.
    TooLong "too-long";
    /// Sequence numbers are missing: records that never arrived.
    Gap "gap";
}

impl ProblemKind {
    /// Whether it is a whole frame that cannot be used: neither one that the
    /// recording cut off at an end, nor records that did not arrive.
    pub const fn is_bad_frame(self) -> bool {
        !matches!(self, Self::Lead | Self::Tail | Self::Gap)
    }
}

impl fmt::Display for ProblemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What is wrong at a place of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProblemDetail {
    /// The bytes of a frame do not sum to 0.
    Checksum {
        /// The frame's first byte: the number of a record, if it is right.
        id: u8,
        /// Bytes of the frame without escapes.
        bytes: u64,
    },
    /// A record does not have the bytes that its kind has.
    Malformed {
        /// The record's number.
        id: u8,
        /// Bytes behind the end of the record; 0 if too few or wrong ones.
        extra: u64,
        /// Bytes of the frame without escapes.
        bytes: u64,
        /// Its sequence number, if records have one.
        sequence: Option<u8>,
        /// Records that it can be split into: flags between them were lost. 0
        /// if it cannot.
        glued: u32,
    },
    /// There is no such record.
    Unknown {
        /// Its number.
        id: u8,
        /// Bytes of the frame without escapes.
        bytes: u64,
        /// Its sequence number, if records have one.
        sequence: Option<u8>,
    },
    /// A flag behind an escape aborts a frame.
    Aborted {
        /// Bytes before that, without escapes.
        bytes: u64,
    },
    /// The stream begins in the middle of a frame.
    Lead {
        /// Bytes of it, without escapes.
        bytes: u64,
    },
    /// The stream ends in the middle of a frame.
    Tail {
        /// Bytes of it, without escapes.
        bytes: u64,
    },
    /// A frame is longer than a frame may be.
    TooLong {
        /// Bytes of it, without escapes.
        bytes: u64,
    },
    /// Records that never arrived, or came in the bad frames before.
    Gap {
        /// The last sequence number before.
        previous: u8,
        /// The first sequence number behind.
        sequence: u8,
        /// How many are missing, modulo 256.
        missing: u8,
    },
}

impl ProblemDetail {
    /// What is wrong, without the details.
    pub const fn kind(&self) -> ProblemKind {
        match self {
            Self::Checksum { .. } => ProblemKind::Checksum,
            Self::Malformed { .. } => ProblemKind::Malformed,
            Self::Unknown { .. } => ProblemKind::Unknown,
            Self::Aborted { .. } => ProblemKind::Aborted,
            Self::Lead { .. } => ProblemKind::Lead,
            Self::Tail { .. } => ProblemKind::Tail,
            Self::TooLong { .. } => ProblemKind::TooLong,
            Self::Gap { .. } => ProblemKind::Gap,
        }
    }

    /// Bytes that could not be used, without escapes.
    const fn bytes(&self) -> u64 {
        match self {
            Self::Checksum { bytes, .. }
            | Self::Malformed { bytes, .. }
            | Self::Unknown { bytes, .. }
            | Self::Aborted { bytes }
            | Self::Lead { bytes }
            | Self::Tail { bytes }
            | Self::TooLong { bytes } => *bytes,
            Self::Gap { .. } => 0,
        }
    }
}

/// Something wrong at a place of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StreamProblem {
    /// Where the frame starts: the bad one, or the first behind a gap.
    pub offset: u64,
    /// How many records of the stream stand before it.
    pub event: u32,
    /// What it is.
    pub detail: ProblemDetail,
}

/// What of a stream could not be used, and what never arrived. Each loss
/// counts once: what is missing by the sequence numbers is among it whether or
/// not a bad frame of it arrived.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StreamLosses {
    /// The first problems, in the order of the stream:
    /// [`StreamLosses::MAX_PROBLEMS`] at most.
    pub problems: Vec<StreamProblem>,
    /// Records missing by their sequence numbers: those of [gaps](ProblemDetail::Gap),
    /// and those of bad frames with the number that was expected. A gap shows
    /// itself modulo 256 only, so that it may be more.
    pub missing_records: u64,
    /// Bytes in frames that could not be used, without escapes.
    pub unusable_bytes: u64,
    /// Glued frames that were taken apart, each into two records or more.
    pub split_frames: u64,
    counts: [u64; ProblemKind::ALL.len()],
}

impl StreamLosses {
    /// How many problems are kept; the others are only counted.
    pub const MAX_PROBLEMS: usize = 4096;

    /// How many problems of a kind there are.
    pub fn count(&self, kind: ProblemKind) -> u64 {
        self.counts.get(kind as usize).copied().unwrap_or_default()
    }

    /// Frames that could not be used, those cut at the stream's ends left out.
    pub fn bad_frames(&self) -> u64 {
        let bad = ProblemKind::ALL.iter().filter(|kind| kind.is_bad_frame());
        bad.map(|kind| self.count(*kind)).sum()
    }

    /// How many problems there are, those that were not kept among them.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Counts others to these, without the problems themselves.
    pub(super) fn add_counts(&mut self, other: &Self) {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count += more;
        }
        self.unusable_bytes = self.unusable_bytes.saturating_add(other.unusable_bytes);
        self.missing_records += other.missing_records;
        self.split_frames += other.split_frames;
    }

    /// Adds others, whose problems stand elsewhere here.
    pub(super) fn merge(&mut self, other: &Self, moved: impl Fn(&StreamProblem) -> StreamProblem) {
        self.add_counts(other);
        let room = Self::MAX_PROBLEMS.saturating_sub(self.problems.len());
        self.problems
            .extend(other.problems.iter().take(room).map(moved));
    }

    /// Only counts the problems behind so many.
    pub(super) fn truncate_problems(&mut self, most: usize) {
        self.problems.truncate(most);
    }

    pub(super) fn add(&mut self, problem: StreamProblem) {
        let detail = &problem.detail;
        if let Some(count) = self.counts.get_mut(detail.kind() as usize) {
            *count += 1;
        }
        self.unusable_bytes = self.unusable_bytes.saturating_add(detail.bytes());
        if let ProblemDetail::Gap { missing, .. } = detail {
            self.missing_records += u64::from(*missing);
        }
        if self.problems.len() < Self::MAX_PROBLEMS {
            self.problems.push(problem);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_of_problems_is_counted() {
        let mut losses = StreamLosses::default();
        for number in 0..10_000 {
            let gap = ProblemDetail::Gap {
                previous: 0,
                sequence: 3,
                missing: 2,
            };
            let checksum = ProblemDetail::Checksum { id: 0, bytes: 5 };
            let detail = if number % 2 == 0 { gap } else { checksum };
            losses.add(StreamProblem {
                offset: number,
                event: 0,
                detail,
            });
        }
        assert_eq!(losses.problems.len(), StreamLosses::MAX_PROBLEMS);
        assert_eq!(losses.total(), 10_000);
        assert_eq!(losses.bad_frames(), 5000);
        assert_eq!(losses.missing_records, 10_000);
        assert_eq!(losses.unusable_bytes, 25_000);
    }
}
