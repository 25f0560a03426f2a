//! The buffer sizes of the recorders, which a test may reduce.

/// Words that a debugger or an emulator may write before the program starts. No other
/// code writes to them.
#[repr(C)]
pub(crate) struct Limits {
    /// [`LIMITS_SET`] if the other words are valid.
    is_set: u32,
    /// Number of entries in the log, which is then a ring.
    pub(crate) log_entries: u32,
    /// Number of words in the trace buffer.
    pub(crate) trace_words: u32,
    /// Size of the stream's buffer in bytes.
    pub(crate) stream_bytes: u32,
}

/// "ROOM".
const LIMITS_SET: u32 = 0x524F_4F4D;

/// Found by its symbol.
#[unsafe(no_mangle)]
#[unsafe(link_section = ".noinit")]
static mut RECORDER_LIMITS: Limits = Limits {
    is_set: 0,
    log_entries: 0,
    trace_words: 0,
    stream_bytes: 0,
};

/// The limits, if there are any.
pub(crate) fn limits() -> Option<Limits> {
    // SAFETY: no code writes to it while the program runs, and every bit pattern is
    // valid.
    let limits = unsafe { core::ptr::addr_of!(RECORDER_LIMITS).read_volatile() };
    (limits.is_set == LIMITS_SET).then_some(limits)
}

/// The first elements of a buffer; all of them without a limit.
pub(crate) fn truncate<T>(buffer: &'static mut [T], limit: fn(&Limits) -> u32) -> &'static mut [T] {
    let max = limits().map_or(buffer.len(), |limits| limit(&limits) as usize);
    let length = max.min(buffer.len());
    buffer
        .split_at_mut_checked(length)
        .map_or(&mut [], |(first, _)| first)
}
