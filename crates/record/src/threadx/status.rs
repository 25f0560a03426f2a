/// Why a call could not be done, with ThreadX's numbers (`tx_api.h`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum TraceStatus {
    /// `TX_PTR_ERROR`: an address that cannot be used. ThreadX does not look.
    PointerError = 0x03,
    /// `TX_SIZE_ERROR`: the memory does not hold header, registry and one event.
    SizeError = 0x05,
    /// `TX_NOT_DONE`: the recorder is enabled already, or is not enabled.
    NotDone = 0x20,
}

impl TraceStatus {
    /// `TX_SUCCESS`, the number of a call that was done.
    pub const SUCCESS: u32 = 0;

    /// ThreadX's number of what a call has returned.
    pub const fn code<T>(result: &Result<T, Self>) -> u32 {
        match result {
            Ok(_) => Self::SUCCESS,
            Err(status) => *status as u32,
        }
    }
}
