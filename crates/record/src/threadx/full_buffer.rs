use core::cell::Cell;
use core::ffi::c_void;
use core::marker::PhantomData;
use core::slice;

/// A buffer whose ring has just been filled to its last entry, as the function
/// sees it that asked [to be notified](super::Recorder::buffer_full_notify).
///
/// Its events lie one after the other, the oldest first. Nothing is recorded
/// while it is looked at.
#[derive(Debug)]
pub struct FullBuffer<'a> {
    header: *mut u8,
    bytes: usize,
    disable_requested: Cell<bool>,
    lifetime: PhantomData<&'a [u8]>,
}

impl FullBuffer<'_> {
    /// Of a buffer that the recorder does not write for as long as this lives.
    pub(super) fn new(header: *mut u8, bytes: usize) -> Self {
        Self {
            header,
            bytes,
            disable_requested: Cell::new(false),
            lifetime: PhantomData,
        }
    }

    pub(super) fn disable_requested(&self) -> bool {
        self.disable_requested.get()
    }

    /// The buffer from its control header to its last event: a whole trace.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: the recorder has initialised all of it and does not write
        // now. If the memory is C's, whoever enabled the recorder promised that
        // nobody else does.
        unsafe { slice::from_raw_parts(self.header, self.bytes) }
    }

    /// Disables the recorder, so that the buffer stays as it is.
    pub fn disable(&self) {
        self.disable_requested.set(true);
    }
}

/// Whom to tell that the ring is full.
#[derive(Clone, Copy)]
pub(super) enum FullNotify {
    Disabled,
    Function(fn(&FullBuffer<'_>)),
    Raw(unsafe extern "C" fn(*mut c_void)),
}

impl FullNotify {
    pub(super) fn call(self, full: &FullBuffer<'_>) {
        match self {
            Self::Disabled => {}
            Self::Function(function) => function(full),
            // SAFETY: promised to `Recorder::buffer_full_notify_raw`.
            Self::Raw(function) => unsafe { function(full.header.cast()) },
        }
    }
}
