//! Recorders of which everything is known that they were told.

use crate::record::{OwnItem, Record};
use crate::setups::{Hand, Target, drain, memory, started_in};
use core::mem::MaybeUninit;
use core::ptr;
use rtoscope_decode::rkh::{Options, ProblemKind, decode};
use rtoscope_record::rkh::{Overrun, Setup};
use rtoscope_wire::rkh::frame::{ESCAPE, FLAG};
use rtoscope_wire::rkh::user::Form;

/// What happens on a target.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Step {
    Record(Kind, usize),
    Take(usize),
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    /// Numbers of which none has to be escaped.
    Plain,
    /// Numbers that have to be.
    Escaped,
    Named,
    User,
}

/// A record that no other is the same as.
pub(crate) fn record(kind: Kind, length: usize, unique: u32) -> Record {
    let (id, numbers) = match kind {
        Kind::Plain => (0xA9, vec![unique]),
        Kind::Escaped => (0x62, vec![0x7E00_7D7E, 0x7D7E, unique]),
        Kind::Named => (0xA6, vec![unique]),
        Kind::User => (0xC3, vec![]),
    };
    let item = |form, number, bytes: &[u8]| OwnItem {
        form,
        width: 0,
        number,
        bytes: bytes.to_vec(),
    };
    let text = vec![0x7D + (unique % 3) as u8; length];
    let items = match kind {
        Kind::User => vec![item(Form::X32, unique, &[]), item(Form::Memory, 0, &text)],
        _ => vec![],
    };
    Record {
        id,
        numbers,
        text,
        items,
    }
}

/// A target whose every record is known.
pub(crate) struct Observed<S: Setup> {
    pub(crate) target: Target<S>,
    clock: &'static Hand,
    /// What the target has for ever, given back once it is gone.
    lent: *mut [MaybeUninit<u8>],
    /// Frames without flags, the target's configuration first.
    recorded: Vec<Vec<u8>>,
    stream: Vec<u8>,
}

impl<S: Setup> Observed<S> {
    /// Its host has seen the start and the first record.
    pub(crate) fn new(bytes: usize) -> Self {
        let clock: &'static Hand = Box::leak(Box::new(Hand::new()));
        let lent: *mut _ = memory(bytes);
        // SAFETY: nobody but the target uses it before `finish`.
        let target = started_in(unsafe { &mut *lent }, clock);
        let stream = drain(&target, 5);
        let configuration = stream[1..stream.len() - 1].to_vec();
        let mut observed = Self {
            target,
            clock,
            lent,
            recorded: vec![configuration],
            stream,
        };
        observed.step(Step::Record(Kind::Plain, 0));
        observed.step(Step::Take(100));
        observed
    }

    pub(crate) fn step(&mut self, step: Step) {
        match step {
            Step::Record(kind, length) => {
                let number = self.recorded.len() as u32 - 1;
                let stamp = number.wrapping_mul(0x0103_0507);
                let address = S::CONFIGURATION.address_width().max();
                let mut record = record(kind, length, number | 0x0100_0000);
                record
                    .numbers
                    .iter_mut()
                    .for_each(|number| *number &= address);
                self.clock.set(stamp);
                assert!(record.record(&self.target));
                let mut frame = record.frame(&S::CONFIGURATION, number as u8, stamp);
                assert_eq!(frame.pop(), Some(FLAG));
                self.recorded.push(frame);
            }
            Step::Take(bytes) => {
                let mut into = vec![0; bytes];
                let taken = self.target.take(&mut into);
                self.stream.extend_from_slice(&into[..taken]);
            }
        }
    }

    /// Takes the rest and, so that the last loss shows, one more record.
    pub(crate) fn finish(mut self) {
        self.stream.extend(drain(&self.target, 9));
        self.step(Step::Record(Kind::Plain, 0));
        self.stream.extend(drain(&self.target, 9));
        self.check_frames();
        self.check_decoder();
        let Self {
            target,
            clock,
            lent,
            ..
        } = self;
        drop(target);
        // SAFETY: both came from boxes, and who used them is gone.
        unsafe {
            drop(Box::from_raw(lent));
            drop(Box::from_raw(ptr::from_ref(clock).cast_mut()));
        }
    }

    /// What arrived is whole and in order, and every gap shows.
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
        let options = Options {
            configuration: Some(S::CONFIGURATION),
            ..Options::default()
        };
        let recording = decode(&self.stream, &options).unwrap();
        let losses = &recording.stream.losses;
        let lost = u64::from(self.target.lost());
        assert_eq!(
            recording.stream.len() as u64,
            self.recorded.len() as u64 - lost
        );
        // Nothing but gaps, and frames aborted to show them.
        let aborted = losses.count(ProblemKind::Aborted);
        assert_eq!(losses.total(), losses.count(ProblemKind::Gap) + aborted);
        if S::CONFIGURATION.sequence {
            assert_eq!(losses.missing % 256, lost % 256);
            if lost < 256 {
                assert_eq!(losses.missing, lost);
            }
        }
        assert_eq!(losses.total() > 0, lost > 0);
        let numbered = S::CONFIGURATION.sequence && S::OVERRUN == Overrun::KeepOldest;
        if numbered && lost < 256 {
            assert_eq!(aborted, 0);
        }
    }
}
