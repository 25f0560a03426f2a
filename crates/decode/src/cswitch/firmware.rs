//! The combined contents of the firmware files.

use super::context_ids::AddressUses;
use super::name_source::MAX_NAME_BYTES;
use crate::call_stacks::{self, call_site};
use rtoscope_symbols::{Firmware, Function};
use rtoscope_trace::{Address, CodeLocation};
use rtoscope_wire::ByteOrder;
use rtoscope_wire::cswitch::PointerSize;
use std::sync::Arc;

/// Firmware files; the first one with an answer takes precedence.
#[derive(Debug, Clone, Copy)]
pub(super) struct FirmwareFiles<'a>(pub(super) &'a [Arc<Firmware>]);

impl<'a> FirmwareFiles<'a> {
    pub(super) fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// The pointer size and the byte order of the target.
    pub(super) fn layout(self) -> Option<(PointerSize, ByteOrder)> {
        let target = self.0.iter().find_map(|file| file.target())?;
        Some((target.pointer_size, target.byte_order))
    }

    /// The address of a variable.
    pub(super) fn variable(self, name: &str) -> Option<u64> {
        let variable = self.0.iter().find_map(|file| file.variable(name))?;
        Some(variable.address.0)
    }

    /// The bytes at a pointer that may be a name; empty if no file has bytes
    /// there.
    pub(super) fn text(self, pointer: u64) -> &'a [u8] {
        let texts = self.0.iter();
        let mut texts = texts.map(|file| file.bytes(Address(pointer), MAX_NAME_BYTES + 1));
        texts.find(|text| !text.is_empty()).unwrap_or_default()
    }

    /// The function that contains an address.
    pub(super) fn function(self, address: u64, uses: AddressUses) -> Option<Function> {
        let address = call_site(Address(address), uses == AddressUses::RETURN);
        self.0.iter().find_map(|file| file.function(address))
    }

    /// Whether an address is in a data section.
    pub(super) fn is_data(self, address: u64) -> bool {
        self.0.iter().any(|file| file.is_data(Address(address)))
    }

    /// The code location of an address.
    pub(super) fn code_location(self, address: u64, uses: AddressUses) -> Option<CodeLocation> {
        call_stacks::code_location(self.0, Address(address), uses == AddressUses::RETURN)
    }
}
