//! The combined contents of the firmware files.

use super::context_ids::AddressUses;
use super::name_source::MAX_NAME_BYTES;
use crate::symbols::{Firmware, Function, StackSample, UnwoundFrame};
use rtoscope_trace::{Address, CodeLocation, StackStop};
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
        let address = call_site(address, uses);
        self.0.iter().find_map(|file| file.function(address))
    }

    /// The frames of a recorded stack: those of the file with the most.
    pub(super) fn unwind(self, sample: &StackSample<'_>) -> (Vec<UnwoundFrame>, StackStop) {
        let unwound = self.0.iter().map(|file| file.unwind(sample));
        let most = unwound.reduce(|best, other| match other.0.len() > best.0.len() {
            true => other,
            false => best,
        });
        most.unwrap_or((Vec::new(), StackStop::NoFirmware))
    }

    /// Whether an address is in a data section.
    pub(super) fn is_data(self, address: u64) -> bool {
        self.0.iter().any(|file| file.is_data(Address(address)))
    }

    /// The code location of an address.
    pub(super) fn code_location(self, address: u64, uses: AddressUses) -> Option<CodeLocation> {
        let inside = call_site(address, uses);
        let function = self.function(address, uses).map(|function| function.name);
        let line = self.0.iter().find_map(|file| file.line(inside));
        if function.is_none() && line.is_none() {
            return None;
        }
        let number = line.as_ref().and_then(|line| line.line);
        Some(CodeLocation {
            address: Address(address),
            function,
            line: number.and_then(|number| u32::try_from(number).ok()),
            file: line.map(|line| line.file),
        })
    }
}

/// An address inside the instruction that an address refers to: a return
/// address is one after the call.
fn call_site(address: u64, uses: AddressUses) -> Address {
    Address(address.saturating_sub(u64::from(uses == AddressUses::RETURN)))
}
