//! Splits the bytes of a stream into frames, however they are chunked.

use memchr::{memchr, memchr2};
use rtoscope_wire::rkh::frame::{ESCAPE, ESCAPE_XOR, FLAG};

/// Maximum length of a frame of a file, without escapes.
pub(super) const MAX_FILE_FRAME_BYTES: usize = 1 << 24;

/// Maximum length of a frame that a target sends, without escapes. Targets send less than
/// 256 bytes; the limit bounds the memory that a noisy line takes.
pub(super) const MAX_SENT_FRAME_BYTES: usize = 1 << 16;

/// The bytes between two flags, without escapes.
#[derive(Debug, Clone, Copy)]
pub(super) struct StreamFrame<'a> {
    /// The offset of its first byte in the stream.
    pub(super) offset: u64,
    /// Its bytes; at least one.
    pub(super) bytes: &'a [u8],
    /// Its bytes and, if they are in the same chunk, the following ones.
    pub(super) lookahead: &'a [u8],
    /// Whether it starts the stream, so that no flag precedes it.
    pub(super) is_lead: bool,
}

/// Receives the results of a [`Deframer`].
pub(super) trait FrameReceiver {
    fn frame(&mut self, frame: StreamFrame<'_>);

    /// A frame at `offset` was aborted by an escaped flag after `bytes` bytes.
    fn aborted(&mut self, offset: u64, bytes: u64);

    /// A frame at `offset` exceeds the maximum length.
    fn too_long(&mut self, offset: u64, bytes: u64);
}

/// Splits a stream into frames. The result does not depend on how the bytes are
/// chunked.
#[derive(Debug, Clone)]
pub(super) struct Deframer {
    /// Bytes of the stream consumed so far.
    consumed: u64,
    /// The offset of the incomplete frame.
    start: u64,
    /// Its bytes so far, without escapes, up to the maximum length.
    partial: Vec<u8>,
    /// Its length so far, without escapes.
    length: u64,
    /// Whether its last byte was the escape.
    escaped: bool,
    seen_flag: bool,
    max_frame_bytes: usize,
}

impl Deframer {
    pub(super) fn new(most_frame: usize) -> Self {
        Self {
            consumed: 0,
            start: 0,
            partial: Vec::new(),
            length: 0,
            escaped: false,
            seen_flag: false,
            max_frame_bytes: most_frame,
        }
    }

    /// Resumes in the middle of a stream at `offset`; `at_frame` if a frame
    /// begins there.
    pub(super) fn resume(offset: u64, at_frame: bool, most_frame: usize) -> Self {
        Self {
            consumed: offset,
            start: offset,
            seen_flag: at_frame,
            ..Self::new(most_frame)
        }
    }

    /// Bytes of the stream consumed so far.
    pub(super) fn consumed(&self) -> u64 {
        self.consumed
    }

    /// Consumes the next bytes of the stream.
    pub(super) fn push(&mut self, bytes: &[u8], receiver: &mut impl FrameReceiver) {
        let mut rest = bytes;
        if self.consumed != self.start || !self.seen_flag {
            rest = self.continue_frame(rest, receiver);
        }
        while let Some(place) = memchr2(FLAG, ESCAPE, rest) {
            let Some((frame, following)) = rest.split_at_checked(place) else {
                break;
            };
            let Some((&FLAG, following)) = following.split_first() else {
                rest = self.continue_frame(rest, receiver);
                continue;
            };
            if place > self.max_frame_bytes {
                receiver.too_long(self.start, place as u64);
            } else if place > 0 {
                receiver.frame(StreamFrame {
                    offset: self.start,
                    bytes: frame,
                    lookahead: rest,
                    is_lead: false,
                });
            }
            self.consumed += place as u64 + 1;
            self.start = self.consumed;
            rest = following;
        }
        self.keep_partial(rest);
    }

    /// Finishes the stream. Returns the bytes after the last flag, if there are
    /// any, and whether they end within an escape.
    pub(super) fn finish(&mut self) -> Option<(StreamFrame<'_>, bool)> {
        let is_there = self.consumed != self.start;
        is_there.then_some((
            StreamFrame {
                offset: self.start,
                bytes: &self.partial,
                lookahead: &self.partial,
                is_lead: !self.seen_flag,
            },
            self.escaped || self.length > self.max_frame_bytes as u64,
        ))
    }

    /// The following bytes need not continue the previous ones: discards the
    /// incomplete frame.
    pub(super) fn discard_partial(&mut self) {
        *self = Self::resume(self.consumed, false, self.max_frame_bytes);
    }

    /// Consumes bytes up to the end of the incomplete frame, and returns the
    /// rest.
    fn continue_frame<'a>(
        &mut self,
        bytes: &'a [u8],
        receiver: &mut impl FrameReceiver,
    ) -> &'a [u8] {
        let Some(end) = memchr(FLAG, bytes) else {
            self.keep_partial(bytes);
            return &[];
        };
        let (frame, following) = bytes.split_at_checked(end).unwrap_or((bytes, &[]));
        self.keep_partial(frame);
        self.close(receiver);
        following
            .split_first()
            .map_or(&[], |(_, following)| following)
    }

    /// Appends bytes to the incomplete frame.
    fn keep_partial(&mut self, bytes: &[u8]) {
        self.consumed += bytes.len() as u64;
        let mut rest = bytes;
        if self.escaped
            && let Some((first, following)) = rest.split_first()
        {
            self.escaped = false;
            self.add(&[first ^ ESCAPE_XOR]);
            rest = following;
        }
        while let Some(place) = memchr(ESCAPE, rest) {
            let (plain, following) = rest.split_at_checked(place).unwrap_or((rest, &[]));
            self.add(plain);
            match following {
                [_, escaped, following @ ..] => {
                    self.add(&[escaped ^ ESCAPE_XOR]);
                    rest = following;
                }
                _ => {
                    self.escaped = true;
                    rest = &[];
                }
            }
        }
        self.add(rest);
    }

    fn add(&mut self, bytes: &[u8]) {
        self.length += bytes.len() as u64;
        let room = self.max_frame_bytes.saturating_sub(self.partial.len());
        let kept = bytes.get(..room.min(bytes.len())).unwrap_or_default();
        self.partial.extend_from_slice(kept);
    }

    /// Completes the frame at a flag.
    fn close(&mut self, receiver: &mut impl FrameReceiver) {
        if self.escaped {
            receiver.aborted(self.start, self.length);
        } else if self.length > self.max_frame_bytes as u64 {
            receiver.too_long(self.start, self.length);
        } else if self.length > 0 {
            receiver.frame(StreamFrame {
                offset: self.start,
                bytes: &self.partial,
                lookahead: &self.partial,
                is_lead: !self.seen_flag,
            });
        }
        self.partial.clear();
        // Releases the memory of an exceptionally long frame.
        self.partial.shrink_to(MAX_RETAINED_CAPACITY);
        self.length = 0;
        self.escaped = false;
        self.seen_flag = true;
        self.consumed += 1;
        self.start = self.consumed;
    }
}

/// Capacity to retain for the next incomplete frame.
const MAX_RETAINED_CAPACITY: usize = 1 << 16;

/// Calls `visit` with each complete frame of `bytes`, except the part before
/// the first flag, until it returns `false`.
pub(super) fn for_each_frame(
    bytes: &[u8],
    most_frame: usize,
    mut visit: impl FnMut(StreamFrame<'_>) -> bool,
) {
    struct Visit<F>(F, bool);
    impl<F: FnMut(StreamFrame<'_>) -> bool> FrameReceiver for Visit<F> {
        fn frame(&mut self, frame: StreamFrame<'_>) {
            if self.1 && !frame.is_lead {
                self.1 = (self.0)(frame);
            }
        }
        fn aborted(&mut self, _: u64, _: u64) {}
        fn too_long(&mut self, _: u64, _: u64) {}
    }
    let mut receiver = Visit(&mut visit, true);
    let mut deframer = Deframer::new(most_frame);
    // In blocks, so that little is read after the last visit.
    for piece in bytes.chunks(MAX_RETAINED_CAPACITY) {
        deframer.push(piece, &mut receiver);
        if !receiver.1 {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Default, PartialEq, Eq)]
    struct Log(Vec<(u64, FrameResult)>);

    /// A frame, or its problem and its length.
    type FrameResult = Result<Vec<u8>, (&'static str, u64)>;

    impl FrameReceiver for Log {
        fn frame(&mut self, frame: StreamFrame<'_>) {
            assert!(frame.lookahead.starts_with(frame.bytes));
            self.0.push((frame.offset, Ok(frame.bytes.to_vec())));
        }
        fn aborted(&mut self, offset: u64, bytes: u64) {
            self.0.push((offset, Err(("aborted", bytes))));
        }
        fn too_long(&mut self, offset: u64, bytes: u64) {
            self.0.push((offset, Err(("too long", bytes))));
        }
    }

    fn log<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> (Log, Option<(Vec<u8>, bool)>) {
        let mut deframer = Deframer::new(6);
        let mut log = Log::default();
        for piece in pieces {
            deframer.push(piece, &mut log);
        }
        let tail = deframer.finish();
        let tail = tail.map(|(frame, cut)| (frame.bytes.to_vec(), cut));
        (log, tail)
    }

    #[test]
    fn frames_lie_between_flags() {
        let stream = b"ab~cd}^e~~~x}~12345}]~123456~1234567~tail}";
        let in_pieces = |size| log(stream.chunks(size));
        let whole = in_pieces(stream.len());
        for size in 1..stream.len() {
            assert_eq!(in_pieces(size), whole, "{size}");
        }
        let (log, tail) = whole;
        let frame = |text: &[u8]| Ok(text.to_vec());
        let expected = [
            (0, frame(b"ab")),
            (3, frame(b"cd~e")),
            (11, Err(("aborted", 1))),
            (14, frame(b"12345}")),
            (22, frame(b"123456")),
            (29, Err(("too long", 7))),
        ];
        assert_eq!(log.0, expected);
        assert_eq!(tail, Some((b"tail".to_vec(), true)));
    }
}
