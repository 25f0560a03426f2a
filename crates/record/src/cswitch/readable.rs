use crate::Name;

/// Memory from `start` up to, but not including, `end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct MemoryRegion {
    /// The first byte.
    pub start: *const u8,
    /// The end, after the last byte.
    pub end: *const u8,
}

// SAFETY: it only contains two addresses; reading between them needs a `ReadableMemory`.
unsafe impl Send for MemoryRegion {}
// SAFETY: as above.
unsafe impl Sync for MemoryRegion {}

/// The memory in which names may be read: usually the program's constants and variables.
/// A log is only data and may come from a faulty program: a name elsewhere is saved as an
/// address only.
#[derive(Debug, Clone, Copy)]
pub struct ReadableMemory<'a>(&'a [MemoryRegion]);

/// Maximum length of a saved name, in characters.
pub const MAX_NAME_LEN: usize = 63;

impl<'a> ReadableMemory<'a> {
    /// No memory: all names are saved as addresses only.
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

    /// Copies the text of a name into `into`: 1 to [`MAX_NAME_LEN`] characters of
    /// printable ASCII. Returns [`None`] if it contains other characters or does not end
    /// in the readable memory.
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
        for byte in into.iter_mut() {
            if length == available {
                return None;
            }
            // SAFETY: the region contains more than `length` bytes from `text` on, and
            // all of it is readable. The read is volatile, because a thread's name may be
            // in a variable that other code is writing.
            *byte = unsafe { text.add(length).read_volatile() };
            if *byte == 0 {
                break;
            }
            length = length.wrapping_add(1);
        }
        let text = into.get(..length)?;
        let printable = |byte: &u8| byte.is_ascii_graphic() || *byte == b' ';
        (length > 0 && text.iter().all(printable)).then_some(text)
    }
}
