//! C types, with the names that the header generator knows.

/// `char`, as bytes of text.
pub(crate) type c_char = u8;

/// `size_t`.
pub(crate) type size_t = usize;

/// A 32-bit counter that changes independently of the program.
pub(crate) type rto_counter = u32;
