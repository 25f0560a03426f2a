use rtoscope_wire::WireError;

/// Why no buffer could be written.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// A setting is outside what the format or the simulation can have.
    #[error("{setting} is {value}, but must be from {least} to {most}")]
    OutOfRange {
        /// The field of [`Settings`](crate::Settings).
        setting: &'static str,
        /// What it says.
        value: u64,
        /// The smallest value that can be had.
        least: u64,
        /// The largest value that can be had with the other settings.
        most: u64,
    },
    /// The buffer would be larger than the target's pointers can span.
    #[error("the buffer would take {bytes} bytes, but the layout's pointers span {limit}")]
    TooLarge {
        /// Bytes that header, registry and ring would take.
        bytes: u128,
        /// Bytes that a buffer of this layout can have.
        limit: u64,
    },
    /// A structure did not fit where it was to be encoded.
    #[error("encoding at byte {at}")]
    Encode {
        /// Offset in the output.
        at: u64,
        /// What the wire format says.
        source: WireError,
    },
    /// The output does not accept bytes.
    #[error("writing at byte {at}")]
    Output {
        /// Offset in the output where the refused bytes would begin.
        at: u64,
        /// What the output says.
        source: std::io::Error,
    },
}
