use rtoscope_wire::WireError;

/// Why a trace could not be written.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// An option is outside the range of the format or the simulation.
    #[error("{option} is {value}, but must be from {min} to {max}")]
    OutOfRange {
        /// The name of the option.
        option: &'static str,
        /// The rejected value.
        value: u64,
        /// The smallest possible value.
        min: u64,
        /// The largest possible value with the other options.
        max: u64,
    },
    /// Event ids cannot have this size.
    #[error("an event id takes 1, 2 or 4 bytes, not {bytes}")]
    IdSize {
        /// The rejected size in bytes.
        bytes: u8,
    },
    /// The buffer would be larger than the target's pointers can span.
    #[error(
        "the buffer would take {bytes} bytes, but the pointers of this layout reach only {limit}"
    )]
    TooLarge {
        /// Size of header, registry and ring in bytes.
        bytes: u128,
        /// Maximum size of a buffer with this layout in bytes.
        limit: u64,
    },
    /// A structure did not fit into its place.
    #[error("encoding at byte {at}")]
    Encode {
        /// Offset in the output.
        at: u64,
        /// The error of the wire format.
        source: WireError,
    },
    /// The output rejected bytes.
    #[error("writing at byte {at}")]
    Output {
        /// Offset of the first rejected byte in the output.
        at: u64,
        /// The error of the output.
        source: std::io::Error,
    },
}
