//! Unusable parts of a stream, and missing records.

use std::fmt;

macro_rules! kinds {
    ($($(#[doc = $doc:literal])* $variant:ident $name:literal;)*) => {
        /// The kind of a problem in a stream, without details.
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
    /// A record of a known kind has too few or too many bytes, or invalid
    /// bytes.
    Malformed "malformed";
    /// There is no kind of record with that id.
    Unknown "unknown";
    /// A flag after an escape aborts a frame.
    Aborted "esc-flag";
    /// The stream begins in the middle of a frame.
    Lead "lead";
    /// The stream ends in the middle of a frame.
    Tail "tail";
    /// The stream ends with a record that lacks its closing flag.
    Unclosed "unclosed";
    /// A frame exceeds the maximum length.
    TooLong "too-long";
    /// Text precedes a record in its frame.
    Text "text";
    /// Sequence numbers are missing: records were lost.
    Gap "gap";
}

impl ProblemKind {
    /// Whether the problem is a complete unusable frame: neither a truncated or
    /// unclosed frame at an end of the recording, nor other text, nor lost records.
    pub const fn is_bad_frame(self) -> bool {
        !matches!(
            self,
            Self::Lead | Self::Tail | Self::Unclosed | Self::Text | Self::Gap
        )
    }
}

impl fmt::Display for ProblemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A problem in a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProblemDetail {
    /// The bytes of a frame do not sum to 0.
    Checksum {
        /// The frame's first byte: the record's id, if it is undamaged.
        id: u8,
        /// Bytes of the frame without escapes.
        bytes: u64,
    },
    /// The bytes of a record do not match its kind.
    Malformed {
        /// The record's id.
        id: u8,
        /// Bytes after the end of the record; 0 if there are too few or invalid
        /// bytes.
        extra: u64,
        /// Bytes of the frame without escapes.
        bytes: u64,
        /// Its sequence number, if records have one.
        sequence: Option<u8>,
        /// Number of records that it can be split into if flags between them
        /// were lost. 0 if it cannot be split.
        glued: u32,
    },
    /// There is no such record.
    Unknown {
        /// The record's id, in the size of ids.
        id: u32,
        /// Bytes of the frame without escapes.
        bytes: u64,
        /// Its sequence number, if records have one.
        sequence: Option<u8>,
    },
    /// A flag after an escape aborts a frame.
    Aborted {
        /// Bytes before the escape, without escapes.
        bytes: u64,
    },
    /// The stream begins in the middle of a frame.
    Lead {
        /// Its bytes, without escapes.
        bytes: u64,
    },
    /// The stream ends in the middle of a frame.
    Tail {
        /// Its bytes, without escapes.
        bytes: u64,
    },
    /// The stream ends with a record without a closing flag. It is used, and
    /// probably complete.
    Unclosed {
        /// Its bytes, without escapes.
        bytes: u64,
    },
    /// A frame exceeds the maximum length.
    TooLong {
        /// Its bytes, without escapes.
        bytes: u64,
    },
    /// Text precedes a record in its frame: a program printed it on the same line.
    Text {
        /// Its bytes.
        bytes: u64,
    },
    /// Records that were lost, or arrived in the preceding bad frames.
    Gap {
        /// The last sequence number before the gap.
        previous: u8,
        /// The first sequence number after the gap.
        sequence: u8,
        /// Number of missing records, modulo 256.
        missing: u8,
    },
}

impl ProblemDetail {
    /// The kind of the problem.
    pub const fn kind(&self) -> ProblemKind {
        match self {
            Self::Checksum { .. } => ProblemKind::Checksum,
            Self::Malformed { .. } => ProblemKind::Malformed,
            Self::Unknown { .. } => ProblemKind::Unknown,
            Self::Aborted { .. } => ProblemKind::Aborted,
            Self::Lead { .. } => ProblemKind::Lead,
            Self::Tail { .. } => ProblemKind::Tail,
            Self::Unclosed { .. } => ProblemKind::Unclosed,
            Self::TooLong { .. } => ProblemKind::TooLong,
            Self::Text { .. } => ProblemKind::Text,
            Self::Gap { .. } => ProblemKind::Gap,
        }
    }

    /// Unusable bytes, without escapes.
    const fn bytes(&self) -> u64 {
        match self {
            Self::Checksum { bytes, .. }
            | Self::Malformed { bytes, .. }
            | Self::Unknown { bytes, .. }
            | Self::Aborted { bytes }
            | Self::Lead { bytes }
            | Self::Tail { bytes }
            | Self::TooLong { bytes } => *bytes,
            Self::Unclosed { .. } | Self::Text { .. } | Self::Gap { .. } => 0,
        }
    }
}

/// A problem and its position in a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StreamProblem {
    /// The offset of the frame: the bad one, or the first one after a gap.
    pub offset: u64,
    /// Number of records before it in the stream.
    pub event: u32,
    /// The details of the problem.
    pub detail: ProblemDetail,
}

/// Unusable parts of a stream, and missing records. Each loss counts once:
/// records that are missing according to the sequence numbers count as missing,
/// even if a bad frame of them arrived.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StreamLosses {
    /// The first problems, in stream order, at most
    /// [`StreamLosses::MAX_PROBLEMS`].
    pub problems: Vec<StreamProblem>,
    /// Missing records according to the sequence numbers: those of
    /// [gaps](ProblemDetail::Gap), and those of bad frames with the expected
    /// number. Gaps are known modulo 256, so the actual number may be higher.
    pub missing_records: u64,
    /// Bytes in unusable frames, without escapes.
    pub unusable_bytes: u64,
    /// Glued frames that were split, each into two or more records.
    pub split_frames: u64,
    counts: [u64; ProblemKind::ALL.len()],
}

impl StreamLosses {
    /// Maximum number of problems to retain; the others are only counted.
    pub const MAX_PROBLEMS: usize = 4096;

    /// Number of problems of a kind.
    pub fn count(&self, kind: ProblemKind) -> u64 {
        self.counts.get(kind as usize).copied().unwrap_or_default()
    }

    /// Number of unusable frames, without those truncated at the ends of the
    /// stream.
    pub fn bad_frames(&self) -> u64 {
        let bad = ProblemKind::ALL.iter().filter(|kind| kind.is_bad_frame());
        bad.map(|kind| self.count(*kind)).sum()
    }

    /// Total number of problems, including those not retained.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Adds the counts of `other`, without its problems.
    pub(super) fn add_counts(&mut self, other: &Self) {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count += more;
        }
        self.unusable_bytes = self.unusable_bytes.saturating_add(other.unusable_bytes);
        self.missing_records += other.missing_records;
        self.split_frames += other.split_frames;
    }

    /// Adds `other`, whose problems `moved` relocates.
    pub(super) fn merge(&mut self, other: &Self, moved: impl Fn(&StreamProblem) -> StreamProblem) {
        self.add_counts(other);
        let room = Self::MAX_PROBLEMS.saturating_sub(self.problems.len());
        self.problems
            .extend(other.problems.iter().take(room).map(moved));
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
