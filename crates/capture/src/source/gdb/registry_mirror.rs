//! The objects of a trace buffer that is read again and again.

use super::error::StubError;
use super::stub::Stub;
use rtoscope_decode::threadx::TraceBuffer;
use std::ops::Range;
use std::time::{Duration, Instant};

/// Reads the registry, which may be read while an object is written into it:
/// what changed counts once it was the same at two looks.
pub(super) struct RegistryMirror {
    /// Where it lies in the buffer.
    range: Range<usize>,
    /// What it was at the last look, if that was something new.
    candidate: Option<Vec<u8>>,
    /// Looks that gave something else each time.
    unsettled: u32,
    last_read: Option<Instant>,
}

/// Bytes of a registry that is read at every look that gives events.
const SMALL_REGISTRY_BYTES: usize = 4 << 10;

/// How often a larger one is read.
const LARGE_REREAD_INTERVAL: Duration = Duration::from_secs(1);

/// Looks that wait for one that changes all the time.
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

    /// Reads it, and keeps it in a buffer's bytes if it changed and has settled;
    /// whether that is so.
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

    /// Whether it changed and should be looked at again first.
    pub(super) fn is_unsettled(&self) -> bool {
        self.candidate.is_some() && self.unsettled < MAX_UNSETTLED
    }

    fn settle(&mut self) {
        self.candidate = None;
        self.unsettled = 0;
    }
}
