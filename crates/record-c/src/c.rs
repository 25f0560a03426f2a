//! Types of C under the names by which the header's generator knows them.

/// `char`, as bytes of text.
pub(crate) type c_char = u8;

/// `size_t`.
pub(crate) type size_t = usize;

/// A counter of 32 bits that changes by itself.
pub(crate) type rto_counter = u32;
