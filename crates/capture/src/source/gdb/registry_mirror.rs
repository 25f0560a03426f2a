//! Object registry of a polled trace buffer.

use super::error::StubError;
use super::stub::Stub;
use rtoscope_decode::threadx::TraceBuffer;
use std::ops::Range;
use std::time::{Duration, Instant};

/// Reads the registry, which may be read while an object is written into it: a change
/// is accepted once two polls agree on it.
pub(super) struct RegistryMirror {
    /// Position in the buffer.
    range: Range<usize>,
    /// The bytes of the last poll, if they differed.
    candidate: Option<Vec<u8>>,
    /// Number of polls in a row that differed from the one before.
    unsettled: u32,
    last_read: Option<Instant>,
}

/// Maximum size of a registry that is read at every poll with new events.
const SMALL_REGISTRY_BYTES: usize = 4 << 10;

/// Interval between reads of a larger registry.
const LARGE_REREAD_INTERVAL: Duration = Duration::from_secs(1);

/// Maximum number of polls that wait for a registry that keeps changing.
const MAX_UNSETTLED: u32 = 5;

impl RegistryMirror {
    pub(super) fn new(buffer: &TraceBuffer) -> Self {
        let start = buffer.registry_address() as usize;
        let stride = buffer.layout.registry_stride(buffer.header.name_size);
        let bytes = stride.saturating_mul(buffer.registry_slots as usize);
        Self {
            range: start..start.saturating_add(bytes),
            candidate: None,
            unsettled: 0,
            last_read: None,
        }
    }

    /// Reads the registry, and stores it in a buffer's bytes if it changed and two
    /// polls agree; returns whether it was stored.
    pub(super) fn poll(
        &mut self,
        stub: &mut Stub,
        buffer: u64,
        bytes: &mut [u8],
    ) -> Result<bool, StubError> {
        let is_young = self
            .last_read
            .is_some_and(|read| read.elapsed() < LARGE_REREAD_INTERVAL);
        let Some(kept) = bytes.get_mut(self.range.clone()) else {
            return Ok(false);
        };
        if kept.is_empty()
            || kept.len() > SMALL_REGISTRY_BYTES && is_young && self.candidate.is_none()
        {
            return Ok(false);
        }
        let at = buffer.wrapping_add(self.range.start as u64);
        let now = stub.read(at, kept.len())?;
        self.last_read = Some(Instant::now());
        if now == kept {
            self.settle();
            return Ok(false);
        }
        if self.candidate.as_ref() == Some(&now) {
            kept.copy_from_slice(&now);
            self.settle();
            return Ok(true);
        }
        self.candidate = Some(now);
        self.unsettled += 1;
        Ok(false)
    }

    /// Whether it changed and should be read again first.
    pub(super) fn is_unsettled(&self) -> bool {
        self.candidate.is_some() && self.unsettled < MAX_UNSETTLED
    }

    fn settle(&mut self) {
        self.candidate = None;
        self.unsettled = 0;
    }
}
