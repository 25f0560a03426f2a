//! Recorders whose records are all known to the test.

use super::record::{OwnedItem, SampleRecord};
use super::setups::{ManualClock, TestRecorder, drain, memory, started_in};
use core::mem::MaybeUninit;
use core::ptr;
use rtoscope_decode::rkh::{ProblemKind, RkhOptions, decode};
use rtoscope_record::rkh::{OverrunPolicy, StreamSetup};
use rtoscope_wire::rkh::frame::{ESCAPE, FLAG};
use rtoscope_wire::rkh::user::ItemFormat;

/// An action on the target.
#[derive(Debug, Clone, Copy)]
pub(crate) enum RecorderStep {
    Record(RecordLength, usize),
    Take(usize),
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum RecordLength {
    /// Numbers that need no escape.
    Plain,
    /// Numbers that need escapes.
    Escaped,
    Named,
    User,
}

/// A record that differs from all others.
pub(crate) fn record(kind: RecordLength, length: usize, unique: u32) -> SampleRecord {
    let (id, numbers) = match kind {
        RecordLength::Plain => (0xA9, vec![unique]),
        RecordLength::Escaped => (0x62, vec![0x7E00_7D7E, 0x7D7E, unique]),
        RecordLength::Named => (0xA6, vec![unique]),
        RecordLength::User => (0xC3, vec![]),
    };
    let item = |form, number, bytes: &[u8]| OwnedItem {
        form,
        width: 0,
        number,
        bytes: bytes.to_vec(),
    };
    let text = vec![0x7D + (unique % 3) as u8; length];
    let items = match kind {
        RecordLength::User => vec![
            item(ItemFormat::X32, unique, &[]),
            item(ItemFormat::Memory, 0, &text),
        ],
        _ => vec![],
    };
    SampleRecord {
        id,
        numbers,
        text,
        items,
    }
}

/// A target whose records are all known to the test.
pub(crate) struct ObservedRecorder<S: StreamSetup> {
    pub(crate) target: TestRecorder<S>,
    clock: &'static ManualClock,
    /// The target's buffer, freed after the target.
    buffer: *mut [MaybeUninit<u8>],
    /// Frames without flags, the target's configuration first.
    recorded: Vec<Vec<u8>>,
    stream: Vec<u8>,
}

impl<S: StreamSetup> ObservedRecorder<S> {
    /// Its host has received the start and the first record.
    pub(crate) fn new(bytes: usize) -> Self {
        let clock: &'static ManualClock = Box::leak(Box::new(ManualClock::new()));
        let lent: *mut _ = memory(bytes);
        // SAFETY: only the target uses it before `finish`.
        let target = started_in(unsafe { &mut *lent }, clock);
        let stream = drain(&target, 5);
        let configuration = stream[1..stream.len() - 1].to_vec();
        let mut observed = Self {
            target,
            clock,
            buffer: lent,
            recorded: vec![configuration],
            stream,
        };
        observed.step(RecorderStep::Record(RecordLength::Plain, 0));
        observed.step(RecorderStep::Take(100));
        observed
    }

    pub(crate) fn step(&mut self, step: RecorderStep) {
        match step {
            RecorderStep::Record(kind, length) => {
                let number = self.recorded.len() as u32 - 1;
                let timestamp = number.wrapping_mul(0x0103_0507);
                let address = S::CONFIGURATION.address_width().max();
                let mut record = record(kind, length, number | 0x0100_0000);
                record
                    .numbers
                    .iter_mut()
                    .for_each(|number| *number &= address);
                self.clock.set(timestamp);
                assert!(record.record(&self.target));
                let mut frame = record.frame(&S::CONFIGURATION, number as u8, timestamp);
                assert_eq!(frame.pop(), Some(FLAG));
                self.recorded.push(frame);
            }
            RecorderStep::Take(bytes) => {
                let mut into = vec![0; bytes];
                let taken = self.target.take(&mut into);
                self.stream.extend_from_slice(&into[..taken]);
            }
        }
    }

    /// Takes the rest, and records one more record, so that a loss at the end becomes
    /// visible.
    pub(crate) fn finish(mut self) {
        self.stream.extend(drain(&self.target, 9));
        self.step(RecorderStep::Record(RecordLength::Plain, 0));
        self.stream.extend(drain(&self.target, 9));
        self.check_frames();
        self.check_decoder();
        let Self {
            target,
            clock,
            buffer: lent,
            ..
        } = self;
        drop(target);
        // SAFETY: both come from boxes, and their users no longer exist.
        unsafe {
            drop(Box::from_raw(lent));
            drop(Box::from_raw(ptr::from_ref(clock).cast_mut()));
        }
    }

    /// The received frames are complete and in order, and every gap is visible.
    fn check_frames(&self) {
        let configuration = &S::CONFIGURATION;
        assert_eq!(self.stream.first(), Some(&FLAG));
        assert_eq!(self.stream.last(), Some(&FLAG));
        let mut arrived = 0;
        let mut next = 0;
        let mut aborted = false;
        for frame in self.stream.split(|byte| *byte == FLAG) {
            if frame.is_empty() {
                continue;
            }
            if frame.last() == Some(&ESCAPE) {
                aborted = true;
                continue;
            }
            let found = self.recorded[next..]
                .iter()
                .position(|other| other == frame);
            let skipped = found.unwrap_or_else(|| panic!("{frame:x?} was not recorded"));
            let shows = aborted || configuration.sequence && skipped % 256 != 0;
            assert_eq!(shows, skipped > 0, "{skipped} before {frame:x?}");
            arrived += 1;
            next += skipped + 1;
            aborted = false;
        }
        assert_eq!(next, self.recorded.len());
        assert_eq!(self.target.lost() as usize, self.recorded.len() - arrived);
    }

    fn check_decoder(&self) {
        let options = RkhOptions {
            configuration: Some(S::CONFIGURATION),
            checksum_covers_timestamp: Some(S::CONFIGURATION.checksum_covers_timestamp),
            ..RkhOptions::default()
        };
        let recording = decode(&self.stream, &options).unwrap();
        let losses = &recording.stream_info.losses;
        let lost = u64::from(self.target.lost());
        assert_eq!(
            recording.stream_info.len() as u64,
            self.recorded.len() as u64 - lost
        );
        // There are only gaps, and aborted frames that mark them.
        let aborted = losses.count(ProblemKind::Aborted);
        assert_eq!(losses.total(), losses.count(ProblemKind::Gap) + aborted);
        if S::CONFIGURATION.sequence {
            assert_eq!(losses.missing_records % 256, lost % 256);
            if lost < 256 {
                assert_eq!(losses.missing_records, lost);
            }
        }
        assert_eq!(losses.total() > 0, lost > 0);
        let numbered = S::CONFIGURATION.sequence && S::OVERRUN == OverrunPolicy::KeepOldest;
        if numbered && lost < 256 {
            assert_eq!(aborted, 0);
        }
    }
}
