use crate::Name;

/// Memory from `start` to before `end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct MemoryRegion {
    /// The first byte.
    pub start: *const u8,
    /// Behind the last byte.
    pub end: *const u8,
}

// SAFETY: two addresses; reading what is between them needs a `ReadableMemory`.
unsafe impl Send for MemoryRegion {}
// SAFETY: as above.
unsafe impl Sync for MemoryRegion {}

/// The memory that names may be read from: usually the program's constants
/// and its variables. A log is only data, maybe of a program that went wrong:
/// a name that points elsewhere stays an address.
#[derive(Debug, Clone, Copy)]
pub struct ReadableMemory<'a>(&'a [MemoryRegion]);

/// Characters of a name that are kept.
pub const MAX_NAME_LEN: usize = 63;

impl<'a> ReadableMemory<'a> {
    /// No memory: all names stay addresses.
    pub const EMPTY: Self = Self(&[]);

    /// # Safety
    /// Every byte of the regions must be readable, without side effects, for
    /// as long as the value is used.
    pub const unsafe fn new(regions: &'a [MemoryRegion]) -> Self {
        Self(regions)
    }

    /// Whether no name can be read.
    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text of a name, copied into `into`: at least one and at most
    /// [`MAX_NAME_LEN`] characters, all of them printable ASCII. [`None`]
    /// if there is something else or its end is not in the memory.
    pub(super) fn read_name<'b>(
        &self,
        name: Name,
        into: &'b mut [u8; MAX_NAME_LEN],
    ) -> Option<&'b [u8]> {
        let text = name.as_ptr();
        let holds = |region: &&MemoryRegion| region.start <= text && text < region.end;
        let end = self.0.iter().find(holds)?.end;
        let available = (end as usize).wrapping_sub(text as usize);
        let mut length = 0;
        for place in into.iter_mut() {
            if length == available {
                return None;
            }
            // SAFETY: the region holds more than `length` bytes from `read_name`
            // on, and all of it may be read. Volatile, as a thread's name may
            // lie in a variable that somebody writes just now.
            *place = unsafe { text.add(length).read_volatile() };
            if *place == 0 {
                break;
            }
            length = length.wrapping_add(1);
        }
        let text = into.get(..length)?;
        let printable = |byte: &u8| byte.is_ascii_graphic() || *byte == b' ';
        (length > 0 && text.iter().all(printable)).then_some(text)
    }
}
