use super::BufferLayout;
use crate::WireError;

/// Value of [`RegistryEntry::available`] for a slot that may be reused.
pub const SLOT_AVAILABLE: u8 = 1;

/// Bit of [`RegistryEntry::reserved`]`[0]`: set if a thread's priority is present.
pub const THREAD_PRIORITY_VALID: u8 = 0x80;

/// Length of an object name in bytes, unless the firmware configures
/// `TX_TRACE_OBJECT_REGISTRY_NAME`.
pub const DEFAULT_NAME_SIZE: u16 = 32;

/// An entry of the object registry (`TX_TRACE_OBJECT_REGISTRY_ENTRY`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RegistryEntry<'a> {
    /// [`SLOT_AVAILABLE`] if the slot may be reused: it was never used, or its object was
    /// deleted (all other fields then keep their values).
    pub available: u8,
    /// The type of the object, see [`ObjectType`]; 0 in a slot that was never used.
    pub object_type: u8,
    /// For threads: 0x80 | priority >> 8, priority & 0xFF.
    pub reserved: [u8; 2],
    /// The object's address.
    pub pointer: u64,
    /// Their meaning depends on the type of the object and on the time of its
    /// registration.
    pub parameters: [u64; 2],
    /// The complete name field: a name, a NUL, and stale bytes.
    pub name: &'a [u8],
}

const STRUCTURE: &str = "a registry entry";

impl<'a> RegistryEntry<'a> {
    /// Reads the entry at the start of `bytes`.
    pub fn read(layout: BufferLayout, name_size: u16, bytes: &'a [u8]) -> Result<Self, WireError> {
        BufferLayout::check_len(STRUCTURE, layout.registry_stride(name_size), bytes.len())?;
        let word = |index| layout.word(bytes, index).unwrap_or_default();
        let byte = |index: usize| bytes.get(index).copied().unwrap_or_default();
        let name_at = 4 * layout.ulong.bytes();
        Ok(Self {
            available: byte(0),
            object_type: byte(1),
            reserved: [byte(2), byte(3)],
            pointer: word(1),
            parameters: [word(2), word(3)],
            name: bytes
                .get(name_at..name_at + usize::from(name_size))
                .unwrap_or_default(),
        })
    }

    /// Writes the entry to the start of `bytes`, with the name truncated or padded with
    /// NULs to `name_size`, and zero padding. Returns the number of bytes written.
    pub fn write(
        &self,
        layout: BufferLayout,
        name_size: u16,
        bytes: &mut [u8],
    ) -> Result<usize, WireError> {
        let stride = layout.registry_stride(name_size);
        BufferLayout::check_len(STRUCTURE, stride, bytes.len())?;
        let entry = bytes.get_mut(..stride).unwrap_or_default();
        entry.fill(0);
        let [high, low] = self.reserved;
        let flags = [self.available, self.object_type, high, low];
        for (to, from) in entry.iter_mut().zip(flags) {
            *to = from;
        }
        for (index, word) in [self.pointer, self.parameters[0], self.parameters[1]]
            .into_iter()
            .enumerate()
        {
            layout.set_word(entry, index + 1, word);
        }
        let name = entry.iter_mut().skip(4 * layout.ulong.bytes());
        for (to, from) in name.take(usize::from(name_size)).zip(self.name) {
            *to = *from;
        }
        Ok(stride)
    }

    /// The name up to its NUL.
    pub fn name_text(&self) -> &'a [u8] {
        self.name
            .split(|byte| *byte == 0)
            .next()
            .unwrap_or_default()
    }

    /// Whether the slot contains, or contained, an object.
    pub fn is_used(&self) -> bool {
        self.object_type != 0
    }

    /// Whether the object was deleted and the slot may be reused.
    pub fn is_available(&self) -> bool {
        self.available == SLOT_AVAILABLE
    }

    /// A thread's priority at its registration. Old versions of ThreadX did not record
    /// it.
    pub fn thread_priority(&self) -> Option<u16> {
        let [high, low] = self.reserved;
        (self.object_type == ObjectType::THREAD.0 && high & THREAD_PRIORITY_VALID != 0)
            .then(|| u16::from_be_bytes([high & 0x03, low]))
    }
}

/// The type of the object in a registry entry.
///
/// `tx_trace.h` lists 0 to 8, chapter 11 of the TraceX guide the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectType(pub u8);

macro_rules! object_types {
    ($($number:literal $constant:ident $doc:literal)*) => {
        impl ObjectType {
            $(#[doc = $doc] pub const $constant: Self = Self($number);)*
        }
    };
}

object_types! {
    1 THREAD "A thread; parameters: stack start, stack size in bytes."
    2 TIMER "An application timer; parameters: initial ticks, reschedule ticks."
    3 QUEUE "A message queue; parameters: size in bytes, message size in words."
    4 SEMAPHORE "A counting semaphore; parameter: initial count."
    5 MUTEX "A mutex; parameter: whether it inherits priority."
    6 EVENT_FLAGS "A group of event flags."
    7 BLOCK_POOL "A block pool; parameters: size in bytes, block size in bytes."
    8 BYTE_POOL "A byte pool; parameter: size in bytes."
    9 MEDIA "A FileX medium; parameters: FAT cache size, sector cache size."
    10 FILE "A FileX file."
    11 IP "A NetX Duo IP instance; parameters: stack start, stack size in bytes."
    12 PACKET_POOL "A NetX Duo packet pool; parameters: payload size in bytes, packets."
    13 TCP_SOCKET "A NetX Duo TCP socket; parameters: type of service, window size in bytes."
    14 UDP_SOCKET "A NetX Duo UDP socket; parameters: type of service, queue maximum in packets."
    21 USB_HOST_DEVICE "A device of the USBX host stack."
    22 USB_HOST_INTERFACE "An interface of the USBX host stack."
    23 USB_HOST_ENDPOINT "An endpoint of the USBX host stack."
    24 USB_HOST_CLASS "A class instance of the USBX host stack."
    25 USB_DEVICE "A USBX device."
    26 USB_DEVICE_INTERFACE "An interface of a USBX device."
    27 USB_DEVICE_ENDPOINT "An endpoint of a USBX device."
    28 USB_DEVICE_CLASS "A class instance of a USBX device."
}
