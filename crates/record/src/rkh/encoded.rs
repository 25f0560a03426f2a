use core::mem::{MaybeUninit, size_of};

/// The arguments of a record in the byte order of the stream, without escapes:
/// `4 * WORDS - 4` bytes at most.
#[derive(Debug)]
pub struct EncodedArguments<const WORDS: usize> {
    /// The first `length` bytes are initialised. The last word is for the zeros after them.
    words: [MaybeUninit<u32>; WORDS],
    /// [`OVERFLOW`] if bytes did not fit.
    length: usize,
}

/// The length of arguments that did not fit.
const OVERFLOW: usize = usize::MAX;

impl<const WORDS: usize> EncodedArguments<WORDS> {
    const CAPACITY: usize = (WORDS - 1) * size_of::<u32>();

    /// No arguments.
    #[inline(always)]
    pub const fn new() -> Self {
        Self {
            words: [MaybeUninit::uninit(); WORDS],
            length: 0,
        }
    }

    /// Whether all arguments fit so far.
    #[inline(always)]
    pub const fn fits(&self) -> bool {
        self.length != OVERFLOW
    }

    /// Appends the low `width` bytes of a number, at most 4.
    #[inline(always)]
    pub fn push_number(&mut self, number: u32, width: usize) {
        let width = if width < size_of::<u32>() {
            width
        } else {
            size_of::<u32>()
        };
        if width <= Self::CAPACITY && self.length <= Self::CAPACITY - width {
            // SAFETY: the last word follows the capacity.
            unsafe { self.write_number(number) };
            self.length += width;
        } else {
            self.length = OVERFLOW;
        }
    }

    /// Appends bytes.
    #[inline(never)]
    pub fn push_bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.push_number((*byte).into(), 1);
        }
    }

    /// The words and the number of bytes, with zeros after the arguments; [`None`] if they
    /// did not fit.
    #[inline(always)]
    pub(super) fn finish(&mut self) -> Option<(*const u32, usize)> {
        if !self.fits() {
            return None;
        }
        // SAFETY: as in `push_number`.
        unsafe { self.write_number(0) };
        Some((self.words.as_ptr().cast(), self.length))
    }

    /// # Safety
    /// `length` must be at most the capacity.
    #[inline(always)]
    unsafe fn write_number(&mut self, number: u32) {
        let start = self.words.as_mut_ptr().cast::<u8>();
        // SAFETY: the caller guarantees that four bytes follow; they need not be aligned.
        unsafe {
            let at = start.add(self.length).cast::<u32>();
            at.write_unaligned(number.to_le());
        }
    }
}

impl<const WORDS: usize> Default for EncodedArguments<WORDS> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::EncodedArguments;

    #[test]
    fn arguments_end_at_the_capacity() {
        let mut none = EncodedArguments::<1>::new();
        assert_eq!(none.finish().map(|(_, bytes)| bytes), Some(0));
        none.push_number(1, 1);
        assert!(!none.fits() && none.finish().is_none());

        let mut some = EncodedArguments::<3>::new();
        some.push_number(0x0403_0201, 9);
        some.push_bytes(&[5, 6, 7]);
        let (words, bytes) = some.finish().unwrap();
        // SAFETY: two words contain these bytes.
        let words = unsafe { [words.read(), words.add(1).read()] };
        assert_eq!(
            (words.map(u32::from_le), bytes),
            ([0x0403_0201, 0x0007_0605], 7)
        );
        some.push_number(8, 1);
        assert_eq!(some.finish().map(|(_, bytes)| bytes), Some(8));
        some.push_bytes(&[9]);
        assert!(some.finish().is_none());
    }
}
