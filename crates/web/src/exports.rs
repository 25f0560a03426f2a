//! The interface of the module: numbers and memory, which need no generated glue.
//!
//! The page writes a text or a file to [`input`] and calls a function that takes it. A function
//! returns a status as in HTTP; the body is at [`reply_at`].

#![allow(unsafe_code, reason = "names of exports, and imported functions")]

use crate::{OpenRecording, OpenRequest, Reply, open};
use rtoscope_session::response::OpeningProgress;
use rtoscope_trace::Progress;
use rtoscope_trace::progress::ProgressSnapshot;
use std::cell::{Cell, RefCell};
use std::panic;

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Whether it is time to report progress again.
    safe fn is_progress_due() -> u32;
    /// Takes progress as JSON.
    safe fn take_progress(text: *const u8, length: usize);
    /// Takes the message of a panic, before the module stops for good.
    safe fn take_panic(text: *const u8, length: usize);
}

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static REPLY: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static NAME: RefCell<String> = const { RefCell::new(String::new()) };
    static FILES: RefCell<Vec<(String, Vec<u8>)>> = const { RefCell::new(Vec::new()) };
    static OPEN: RefCell<Option<OpenRecording>> = const { RefCell::new(None) };
    static IS_READY: Cell<bool> = const { Cell::new(false) };
}

/// Room for input, or 0 if there is not enough memory.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn input(length: usize) -> *mut u8 {
    if !IS_READY.replace(true) {
        panic::set_hook(Box::new(|info| {
            let text = info.to_string();
            take_panic(text.as_ptr(), text.len());
        }));
    }
    let mut room = Vec::new();
    if room.try_reserve_exact(length).is_err() {
        return std::ptr::null_mut();
    }
    room.resize(length, 0);
    let at = room.as_mut_ptr();
    INPUT.set(room);
    at
}

/// Takes the name of the next file.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn name_file() {
    NAME.set(String::from_utf8_lossy(&INPUT.take()).into_owned());
}

/// Takes a file.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn add_file() {
    FILES.with_borrow_mut(|files| files.push((NAME.take(), INPUT.take())));
}

/// Opens a recording among the files: takes an [`OpenRequest`].
#[unsafe(no_mangle)]
pub(crate) extern "C" fn open_recording() -> u32 {
    let opened = serde_json::from_slice(&INPUT.take())
        .map_err(|error| error.to_string())
        .and_then(|request: OpenRequest| {
            open(&request, FILES.take(), &Progress::observed_by(report))
        });
    put(match opened {
        Ok(recording) => {
            OPEN.set(Some(recording));
            Reply::ok("")
        }
        Err(message) => Reply::error(422, &message),
    })
}

/// Answers a query.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn answer_query() -> u32 {
    with_recording(|recording, body| recording.query(body))
}

/// Applies a command.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn apply_command() -> u32 {
    with_recording(OpenRecording::command)
}

/// The notes.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn read_notes() -> u32 {
    with_recording(|recording, _| recording.notes())
}

/// Replaces the notes.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn put_notes() -> u32 {
    with_recording(OpenRecording::put_notes)
}

/// Where the body of the last answer is.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn reply_at() -> *const u8 {
    REPLY.with_borrow(|reply| reply.as_ptr())
}

/// Its length.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn reply_length() -> usize {
    REPLY.with_borrow(Vec::len)
}

fn with_recording(answer: impl FnOnce(&mut OpenRecording, &[u8]) -> Reply) -> u32 {
    let body = INPUT.take();
    put(OPEN.with_borrow_mut(|open| match open {
        Some(recording) => answer(recording, &body),
        None => Reply::error(409, "no recording is open"),
    }))
}

fn put(reply: Reply) -> u32 {
    REPLY.set(reply.body);
    reply.status.into()
}

fn report(progress: &ProgressSnapshot) {
    if is_progress_due() == 0 {
        return;
    }
    if let Ok(text) = serde_json::to_string(&OpeningProgress::from(progress.clone())) {
        take_progress(text.as_ptr(), text.len());
    }
}
