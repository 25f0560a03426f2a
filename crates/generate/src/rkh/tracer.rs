//! The recorder and its stream to the host.

use super::RkhOptions;
use super::setup::SimulatedBoard;
use super::truth_builder::RkhTruthBuilder;
use crate::GenerateError;
use crate::counter::Counter;
use crate::ring::PROGRESS_EVENTS;
use crate::writer::BlockWriter;
use fastrand::Rng;
use rtoscope_record::port::SpinLock;
use rtoscope_record::rkh::RkhRecorder;
use std::io::Write;
use std::mem::MaybeUninit;
use std::ops::Range;

/// The recorder under simulation.
pub(super) type Target = RkhRecorder<SimulatedBoard, SpinLock, Counter>;

pub(super) struct Tracer<'a> {
    target: Target,
    counter: Counter,
    now: u64,
    /// Remaining records, and all of them.
    left: u64,
    all: u64,
    /// Records lost so far.
    lost: u32,
    pub(super) truth: RkhTruthBuilder,
    random: Rng,
    /// Records until the host continues, and whether it ever pauses.
    pause_left: u64,
    host_pauses: bool,
    output: &'a mut dyn Output,
    failed: Option<GenerateError>,
    progress: &'a mut dyn FnMut(u64),
}

/// The output of the stream.
pub(super) trait Output {
    fn append(&mut self, bytes: &[u8]) -> Result<(), GenerateError>;
}

impl<O: Write> Output for BlockWriter<'_, O> {
    fn append(&mut self, bytes: &[u8]) -> Result<(), GenerateError> {
        Self::append(self, bytes)
    }
}

/// Bytes of the recorder's buffer.
const BUFFER_BYTES: usize = 4096;
/// Bytes that the host leaves in the buffer.
const MAX_WAITING_BYTES: usize = 1024;
/// Ticks between two records within a step.
const RECORD_TICKS: Range<u64> = 1..12;
/// The host pauses before one in this many records, for this many.
const ONE_PAUSE_IN: u32 = 2500;
const PAUSE_TICKS: Range<u64> = 50..1500;

impl<'a> Tracer<'a> {
    /// Starts the recorder.
    pub(super) fn new(
        options: &RkhOptions,
        truth: RkhTruthBuilder,
        output: &'a mut dyn Output,
        progress: &'a mut dyn FnMut(u64),
    ) -> Self {
        let counter = Counter::default();
        let target = Target::new(SpinLock::new(), counter.clone());
        // Never freed, as on a target.
        let buffer = Box::leak(vec![MaybeUninit::uninit(); BUFFER_BYTES].into_boxed_slice());
        let started = target.start(buffer);
        debug_assert!(started.is_ok());
        let mut random = Rng::with_seed(options.seed.rotate_left(32));
        let mut tracer = Self {
            target,
            counter,
            now: random.u32(..).into(),
            left: options.records - 1,
            all: options.records,
            lost: 0,
            truth,
            random,
            pause_left: 0,
            host_pauses: false,
            output,
            failed: None,
            progress,
        };
        tracer.truth.count("FWK TCFG", None, false);
        tracer
    }

    /// The time, in ticks that never wrap.
    pub(super) fn now(&self) -> u64 {
        self.now
    }

    /// Lets the host pause from now on.
    pub(super) fn pause_host(&mut self) {
        self.host_pauses = true;
    }

    /// Idles until a time.
    pub(super) fn idle_until(&mut self, time: u64) {
        self.now = self.now.max(time);
    }

    /// Whether there are records left to make.
    pub(super) fn is_recording(&self) -> bool {
        self.left > 0
    }

    /// Makes a record with a name and returns its time; [`None`] after the last
    /// record.
    pub(super) fn put(&mut self, name: &'static str, record: impl FnOnce(&Target)) -> Option<u64> {
        self.left = self.left.checked_sub(1)?;
        self.now += self.random.u64(RECORD_TICKS);
        self.counter.set(self.now as u32);
        record(&self.target);
        let lost = self.target.lost();
        let is_lost = lost != self.lost;
        self.lost = lost;
        self.truth.count(name, Some(self.now), is_lost);
        self.host();
        if self.left.is_multiple_of(PROGRESS_EVENTS) {
            (self.progress)(self.all - self.left);
        }
        Some(self.now)
    }

    /// The host reads the buffer, unless it pauses.
    fn host(&mut self) {
        if self.pause_left > 0 {
            self.pause_left -= 1;
        } else if self.host_pauses && self.random.u32(0..ONE_PAUSE_IN) == 0 {
            self.pause_left = self.random.u64(PAUSE_TICKS);
        } else if self.target.available() >= MAX_WAITING_BYTES {
            self.take();
        }
    }

    fn take(&mut self) {
        let mut bytes = [0; BUFFER_BYTES];
        let taken = self.target.take(&mut bytes);
        let bytes = bytes.get(..taken).unwrap_or_default();
        if self.failed.is_none()
            && let Err(error) = self.output.append(bytes)
        {
            self.failed = Some(error);
            self.left = 0;
        }
    }

    /// The host reads the rest.
    pub(super) fn finish(mut self) -> Result<RkhTruthBuilder, GenerateError> {
        self.take();
        match self.failed {
            Some(error) => Err(error),
            None => Ok(self.truth),
        }
    }
}
