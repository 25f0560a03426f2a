//! Addresses on the target.

use crate::GenerateError;
use rtoscope_wire::threadx::{BufferLayout, UlongSize};

/// Allocates addresses in the target's RAM, ascending.
#[derive(Debug)]
pub(crate) struct AddressAllocator {
    next: u64,
}

/// Internal SRAM of an Arm Cortex-M.
const SMALL_RAM: u64 = 0x2000_0000;
/// External RAM of an Arm Cortex-M.
const SMALL_TRACE: u64 = 0x6000_0000;
/// The heap of a Linux process, for layouts whose pointers have 8 bytes.
const LARGE_RAM: u64 = 0x5555_5700_0000;
/// Memory that a Linux process mapped.
const LARGE_TRACE: u64 = 0x6000_0000_0000;
/// The end of user space of a 64-bit process.
const LARGE_END: u64 = 0x8000_0000_0000;
const ALIGNMENT: u64 = 16;

impl AddressAllocator {
    pub(crate) fn new(layout: BufferLayout) -> Self {
        Self {
            next: match layout.ulong {
                UlongSize::Four => SMALL_RAM,
                UlongSize::Eight => LARGE_RAM,
            },
        }
    }

    /// The address of `bytes` unused bytes.
    pub(crate) fn allocate(&mut self, bytes: u64) -> u64 {
        let address = self.next;
        self.next = (address + bytes).next_multiple_of(ALIGNMENT);
        address
    }
}

/// The address of a trace buffer with `bytes` bytes. A buffer larger than the
/// external RAM starts lower, as far as pointers reach.
pub(crate) fn trace_base(layout: BufferLayout, bytes: u128) -> Result<u64, GenerateError> {
    let (usual, limit) = match layout.ulong {
        UlongSize::Four => (SMALL_TRACE, u64::from(u32::MAX)),
        UlongSize::Eight => (LARGE_TRACE, LARGE_END - LARGE_TRACE),
    };
    match u64::try_from(bytes) {
        Ok(size) if size <= limit => Ok(match layout.ulong {
            UlongSize::Four => usual.min((limit - size) / ALIGNMENT * ALIGNMENT),
            UlongSize::Eight => usual,
        }),
        _ => Err(GenerateError::TooLarge { bytes, limit }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_ends_within_the_pointer_range() {
        for layout in BufferLayout::ALL {
            let max_bytes = match trace_base(layout, u128::MAX) {
                Err(GenerateError::TooLarge { limit, .. }) => limit,
                _ => unreachable!(),
            };
            for bytes in [1, 0x1_0000, max_bytes - 1, max_bytes] {
                let base = trace_base(layout, u128::from(bytes)).unwrap();
                assert_eq!(
                    layout.advance(base, bytes),
                    base + bytes,
                    "{layout:?} {bytes}"
                );
            }
            assert!(trace_base(layout, u128::from(max_bytes) + 1).is_err());
        }
    }
}
