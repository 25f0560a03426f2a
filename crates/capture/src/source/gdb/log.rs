//! A context-switch log that is read again and again.

use super::error::StubError;
use super::look::{Look, Target};
use super::stub::Stub;
use rtoscope_decode::cswitch::{Options, Probe, Probed};
use rtoscope_decode::symbols::Firmware;
use rtoscope_wire::cswitch::{
    CoreHeader, CswlHeader, HEADER_BYTES, SECTION_BYTES, SectionHeader, Tag,
};
use std::sync::Arc;

/// A context-switch log.
pub(super) struct Log {
    probe: Probe,
    container: Vec<u8>,
    /// The most entries that were new at a look: the log has room for them.
    room: u64,
}

/// Entries that any log has room for.
const LEAST_ROOM: u64 = 64;

impl Log {
    /// The one that a firmware has, if it has one.
    pub(super) fn of(firmware: &[Arc<Firmware>]) -> Option<Self> {
        let options = Options {
            firmware: firmware.to_vec(),
            ..Options::default()
        };
        Some(Self {
            probe: Probe::new(options)?,
            container: Vec::new(),
            room: LEAST_ROOM,
        })
    }
}

impl Target for Log {
    fn look(&mut self, stub: &mut Stub, _moves: bool) -> Result<Look, StubError> {
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
            Ok(Probed::Container(container)) => {
                let entries = entries(&container).unwrap_or_default();
                self.room = self.room.max(entries);
                self.container = container;
                Look::New {
                    filled: entries as f64 / self.room as f64,
                }
            }
            Ok(Probed::NothingNew) => Look::Nothing { filled: 0.0 },
            Ok(Probed::Off(why)) => Look::Off(why),
            Err(error) => Look::Off(error.to_string()),
        })
    }

    fn bytes(&self) -> &[u8] {
        &self.container
    }

    fn name(&self) -> String {
        "context-switch log".to_owned()
    }
}

/// Entries of all cores in a container.
fn entries(container: &[u8]) -> Option<u64> {
    let header = CswlHeader::read(container).ok()??;
    let mut at = HEADER_BYTES;
    let mut entries = 0;
    loop {
        let section = container.get(at..)?;
        let SectionHeader { tag, length } = SectionHeader::read(section, header.order).ok()?;
        if tag == Tag::END {
            return Some(entries);
        }
        if tag == Tag::CORE {
            let core = CoreHeader::read(section.get(SECTION_BYTES..)?, header.order).ok()?;
            entries += u64::from(core.entries);
        }
        at = at.checked_add(SECTION_BYTES)?;
        at = at.checked_add(usize::try_from(length).ok()?)?;
    }
}
