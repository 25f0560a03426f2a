//! The buffer sizes of the recorders, which a test may reduce.

use boot::HostWords;

pub(crate) struct Limits {
    /// Number of entries in the log, which is then a ring.
    pub(crate) log_entries: u32,
    /// Number of words in the trace buffer.
    pub(crate) trace_words: u32,
    /// Size of the stream's buffer in bytes.
    pub(crate) stream_bytes: u32,
}

#[unsafe(no_mangle)]
#[unsafe(link_section = ".noinit")]
static RECORDER_LIMITS: HostWords<3> = HostWords::new();

/// The limits, if there are any.
pub(crate) fn limits() -> Option<Limits> {
    let [log_entries, trace_words, stream_bytes] = RECORDER_LIMITS.get()?;
    Some(Limits {
        log_entries,
        trace_words,
        stream_bytes,
    })
}

/// The first elements of a buffer; all of them without a limit.
pub(crate) fn truncate<T>(buffer: &'static mut [T], limit: fn(&Limits) -> u32) -> &'static mut [T] {
    let max = limits().map_or(buffer.len(), |limits| limit(&limits) as usize);
    let length = max.min(buffer.len());
    buffer
        .split_at_mut_checked(length)
        .map_or(&mut [], |(first, _)| first)
}
