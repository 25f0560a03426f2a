/// Why a call failed, with ThreadX's numbers (`tx_api.h`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum TraceStatus {
    /// `TX_PTR_ERROR`: an invalid address. ThreadX does not check.
    PointerError = 0x03,
    /// `TX_SIZE_ERROR`: the memory is too small for header, registry and one event.
    SizeError = 0x05,
    /// `TX_NOT_DONE`: the recorder is already enabled, or is not enabled.
    NotDone = 0x20,
}

impl TraceStatus {
    /// `TX_SUCCESS`, the number of a successful call.
    pub const SUCCESS: u32 = 0;

    /// ThreadX's number of a call's result.
    pub const fn code<T>(result: &Result<T, Self>) -> u32 {
        match result {
            Ok(_) => Self::SUCCESS,
            Err(status) => *status as u32,
        }
    }
}
