//! Samples the channels.

use super::archive::ZipWriter;
use super::rate::SampleRate;
use crate::signals::{SignalId, SignalSink, SignalValue};
use std::io;

/// The maximum size of a chunk before compression.
const CHUNK_LEN: usize = 1 << 22;

/// Samples channels as they change, and adds the samples to an archive in chunks.
///
/// A channel that changes and changes back between two samples shows the change for
/// one sample, so that nothing disappears.
pub(super) struct Sampler<'a, 'o> {
    archive: &'a mut ZipWriter<'o>,
    rate: SampleRate,
    /// The current sample.
    sample: u64,
    lines: Vec<LineState>,
    /// The channels that changed in this sample.
    changed: Vec<SignalId>,
    /// The bits of the previous sample, updated by later changes.
    bits: Vec<u8>,
    chunk: Vec<u8>,
    chunks: u32,
}

#[derive(Debug, Clone, Copy, Default)]
struct LineState {
    high: bool,
    /// Whether it changed in this sample; it is a blip if it changed back.
    changed: bool,
}

impl<'a, 'o> Sampler<'a, 'o> {
    /// Creates a sampler of `lines` channels, all low.
    pub(super) fn new(archive: &'a mut ZipWriter<'o>, rate: SampleRate, lines: usize) -> Self {
        Self {
            archive,
            rate,
            sample: 0,
            lines: vec![LineState::default(); lines],
            changed: Vec::new(),
            bits: vec![0; lines.div_ceil(8).max(1)],
            chunk: Vec::new(),
            chunks: 0,
        }
    }

    /// Writes the samples up to the end. A value that lasts until the end has no
    /// sample there, so its number of samples equals its number of ticks.
    pub(super) fn finish(mut self) -> io::Result<()> {
        let count = self.rate.count();
        self.advance(count - 1)?;
        for line in (0..).map(SignalId).take(self.lines.len()) {
            self.set(line, SignalValue::Unknown)?;
        }
        self.advance(count)?;
        self.pack_sample()
    }

    fn advance(&mut self, sample: u64) -> io::Result<()> {
        if sample <= self.sample {
            return Ok(());
        }
        let blips = self.apply_changes();
        self.write_repeated(1)?;
        for blip in blips {
            self.flip(blip);
        }
        self.write_repeated(sample - self.sample - 1)?;
        self.sample = sample;
        Ok(())
    }

    /// Updates the bits for this sample, and returns the channels whose blip must
    /// be undone after it.
    fn apply_changes(&mut self) -> Vec<SignalId> {
        let changed = std::mem::take(&mut self.changed);
        let mut blips = Vec::new();
        for id in changed {
            let Some(line) = self.lines.get_mut(id.index()) else {
                continue;
            };
            line.changed = false;
            let high = line.high;
            if self.is_high(id) == high {
                blips.push(id);
            }
            self.flip(id);
        }
        blips
    }

    fn is_high(&self, id: SignalId) -> bool {
        let byte = self.bits.get(id.index() / 8);
        byte.is_some_and(|byte| byte >> (id.index() % 8) & 1 == 1)
    }

    fn flip(&mut self, id: SignalId) {
        if let Some(byte) = self.bits.get_mut(id.index() / 8) {
            *byte ^= 1 << (id.index() % 8);
        }
    }

    /// Appends the bits as `count` samples.
    fn write_repeated(&mut self, mut count: u64) -> io::Result<()> {
        let max = (CHUNK_LEN / self.bits.len()).max(1);
        while count > 0 {
            let room = max - self.chunk.len() / self.bits.len();
            let now = usize::try_from(count).map_or(room, |count| count.min(room));
            let start = self.chunk.len();
            let end = start + now * self.bits.len();
            self.chunk.extend_from_slice(&self.bits);
            // Doubles the data that is already there.
            while self.chunk.len() < end {
                let more = (end - self.chunk.len()).min(self.chunk.len() - start);
                self.chunk.extend_from_within(start..start + more);
            }
            count -= now as u64;
            if now == room {
                self.pack_sample()?;
            }
        }
        Ok(())
    }

    fn pack_sample(&mut self) -> io::Result<()> {
        if !self.chunk.is_empty() {
            self.chunks += 1;
            let name = format!("logic-1-{}", self.chunks);
            self.archive.add(&name, &self.chunk)?;
            self.chunk.clear();
        }
        Ok(())
    }
}

impl SignalSink for Sampler<'_, '_> {
    fn advance_to(&mut self, time: u64) -> io::Result<()> {
        self.advance(self.rate.sample(time))
    }

    fn set(&mut self, signal: SignalId, value: SignalValue) -> io::Result<()> {
        let high = value == SignalValue::Line(true);
        if let Some(line) = self.lines.get_mut(signal.index())
            && line.high != high
        {
            line.high = high;
            if !line.changed {
                line.changed = true;
                self.changed.push(signal);
            }
        }
        Ok(())
    }
}
