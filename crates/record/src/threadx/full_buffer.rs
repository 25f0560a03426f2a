use core::cell::Cell;
use core::ffi::c_void;
use core::marker::PhantomData;
use core::slice;

/// A buffer whose ring was just filled, as passed to the function of
/// [`buffer_full_notify`](super::ThreadXRecorder::buffer_full_notify).
///
/// Its events are in order, the oldest first. Nothing is recorded while the function
/// reads them.
#[derive(Debug)]
pub struct FullBuffer<'a> {
    header: *mut u8,
    bytes: usize,
    disable_requested: Cell<bool>,
    lifetime: PhantomData<&'a [u8]>,
}

impl FullBuffer<'_> {
    /// For a buffer to which the recorder does not write while this value exists.
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

    /// The buffer from its control header to its last event: a complete trace.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: the recorder has initialised all of it and does not write now. If the
        // memory belongs to a C program, the caller of `enable_raw` guarantees that no
        // other code does.
        unsafe { slice::from_raw_parts(self.header, self.bytes) }
    }

    /// Disables the recorder, so that the buffer keeps its content.
    pub fn disable(&self) {
        self.disable_requested.set(true);
    }
}

/// The function to call when the ring is full.
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
            // SAFETY: the caller of `ThreadXRecorder::buffer_full_notify_raw` guarantees
            // this.
            Self::Raw(function) => unsafe { function(full.header.cast()) },
        }
    }
}
