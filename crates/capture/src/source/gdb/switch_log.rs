//! A context-switch log, read by polling.

use super::error::StubError;
use super::memory_trace::{MemoryTrace, PollOutcome};
use super::stub::Stub;
use rtoscope_decode::cswitch::{CswitchOptions, LogProbe, ProbeResult};
use rtoscope_symbols::Firmware;
use rtoscope_wire::cswitch::{
    CSWL_HEADER_BYTES, CoreHeader, CswlHeader, SECTION_HEADER_BYTES, SectionHeader, SectionTag,
};
use std::sync::Arc;

/// A context-switch log.
pub(super) struct ContextSwitchLog {
    probe: LogProbe,
    container: Vec<u8>,
    /// Maximum number of new entries at a poll: a lower bound of the log's capacity.
    max_entries: u64,
}

/// Minimum capacity of any log.
const MIN_ENTRIES: u64 = 64;

impl ContextSwitchLog {
    /// The log of a firmware, if it has one.
    pub(super) fn new(firmware: &[Arc<Firmware>]) -> Option<Self> {
        let options = CswitchOptions {
            firmware: firmware.to_vec(),
            ..CswitchOptions::default()
        };
        Some(Self {
            probe: LogProbe::new(options)?,
            container: Vec::new(),
            max_entries: MIN_ENTRIES,
        })
    }
}

impl MemoryTrace for ContextSwitchLog {
    fn poll(&mut self, stub: &mut Stub, _moves: bool) -> Result<PollOutcome, StubError> {
        let mut failure = None;
        let read = |address, length| {
            if failure.is_some() {
                return None;
            }
            match stub.read(address, length) {
                Ok(bytes) => Some(bytes),
                Err(StubError::Unreadable { .. }) => None,
                Err(error) => {
                    failure = Some(error);
                    None
                }
            }
        };
        let probed = self.probe.read(read);
        if let Some(failure) = failure {
            return Err(failure);
        }
        Ok(match probed {
            Ok(ProbeResult::Container(container)) => {
                let entries = entries(&container).unwrap_or_default();
                self.max_entries = self.max_entries.max(entries);
                self.container = container;
                PollOutcome::New {
                    fill_ratio: entries as f64 / self.max_entries as f64,
                }
            }
            Ok(ProbeResult::NothingNew) => PollOutcome::Unchanged { fill_ratio: 0.0 },
            Ok(ProbeResult::Inactive(why)) => PollOutcome::Disabled(why),
            Err(error) => PollOutcome::Disabled(error.to_string()),
        })
    }

    fn bytes(&self) -> &[u8] {
        &self.container
    }

    fn name(&self) -> String {
        "context-switch log".to_owned()
    }
}

/// Number of entries of all cores in a container.
fn entries(container: &[u8]) -> Option<u64> {
    let header = CswlHeader::read(container).ok()??;
    let mut at = CSWL_HEADER_BYTES;
    let mut entries = 0;
    loop {
        let section = container.get(at..)?;
        let SectionHeader { tag, length } = SectionHeader::read(section, header.order).ok()?;
        if tag == SectionTag::END {
            return Some(entries);
        }
        if tag == SectionTag::CORE {
            let core = CoreHeader::read(section.get(SECTION_HEADER_BYTES..)?, header.order).ok()?;
            entries += u64::from(core.entries);
        }
        at = at.checked_add(SECTION_HEADER_BYTES)?;
        at = at.checked_add(usize::try_from(length).ok()?)?;
    }
}
