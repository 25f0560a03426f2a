//! Messages from the host to the program.

use crate::c::c_char;
use crate::rkh::RECORDER;
use core::cell::UnsafeCell;
use rtoscope_record::rkh::{HostMessageParser, MAX_KEPT_TEXT_BYTES, Received};

/// The kind of a message from the host.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum rto_rkh_message_kind {
    /// UT SUCCESS: the unit test passes, or passes so far.
    RTO_RKH_UT_SUCCESS = 0,
    /// UT FAIL: the unit test does not pass.
    RTO_RKH_UT_FAIL = 1,
    /// A command, which has set the filter.
    RTO_RKH_FILTER_SET = 2,
    /// A command for an event, group, priority or signal that the filter does not have.
    RTO_RKH_FILTER_INVALID = 3,
    /// The message is damaged or unknown.
    RTO_RKH_MESSAGE_INVALID = 4,
}

/// Size of the text of a message in bytes, with its NUL.
pub const RTO_RKH_MESSAGE_TEXT_SIZE: usize = 60;

const _: () = assert!(MAX_KEPT_TEXT_BYTES < RTO_RKH_MESSAGE_TEXT_SIZE);

/// A message from the host.
#[repr(C)]
pub struct rto_rkh_message {
    /// One of `enum rto_rkh_message_kind`.
    pub kind: u8,
    /// UT SUCCESS and UT FAIL: the line of the test's source, or 0.
    pub line: u32,
    /// UT FAIL: the reason, possibly cut; else empty.
    pub text: [c_char; RTO_RKH_MESSAGE_TEXT_SIZE],
}

/// The parser of the bytes from the host.
struct Parser(UnsafeCell<HostMessageParser>);

// SAFETY: the header requires that one thread or handler at a time calls its function.
unsafe impl Sync for Parser {}

static PARSER: Parser = Parser(UnsafeCell::new(HostMessageParser::new()));

/// Takes a byte that the host sent over the stream's connection: answers to unit tests
/// and commands for the filter (`rtoscope check --live`, `--target-filter`), which are
/// applied at once. Returns true if the byte completes a message, which is then in
/// `message`, unless that is NULL. Only one thread or interrupt handler may call this
/// function.
#[no_mangle]
pub unsafe extern "C" fn rto_rkh_receive(byte: u8, message: *mut rto_rkh_message) -> bool {
    // SAFETY: no other call runs, as the header requires.
    let parser = unsafe { &mut *PARSER.0.get() };
    let received = match RECORDER.receive(parser, byte) {
        Some(received) => received,
        None => return false,
    };
    if !message.is_null() {
        // SAFETY: the header requires writable memory.
        unsafe { message.write(rto_rkh_message::new(received)) };
    }
    true
}

impl rto_rkh_message {
    fn new(received: Received<'_>) -> Self {
        let (kind, line, text) = match received {
            Received::Success { line } => (rto_rkh_message_kind::RTO_RKH_UT_SUCCESS, line, &[][..]),
            Received::Fail { line, text } => (rto_rkh_message_kind::RTO_RKH_UT_FAIL, line, text),
            Received::Filter(Ok(())) => (rto_rkh_message_kind::RTO_RKH_FILTER_SET, 0, &[][..]),
            Received::Filter(Err(_)) => (rto_rkh_message_kind::RTO_RKH_FILTER_INVALID, 0, &[][..]),
            Received::Refused(_) => (rto_rkh_message_kind::RTO_RKH_MESSAGE_INVALID, 0, &[][..]),
        };
        let mut message = Self {
            kind: kind as u8,
            line,
            text: [0; RTO_RKH_MESSAGE_TEXT_SIZE],
        };
        // One byte less: the last one stays NUL.
        for (place, byte) in message
            .text
            .iter_mut()
            .zip(text.iter().take(MAX_KEPT_TEXT_BYTES))
        {
            *place = *byte as c_char;
        }
        message
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::ptr::null_mut;

    /// What the library returns for the bytes of a frame.
    fn receive(frame: &[u8]) -> Option<rto_rkh_message> {
        let mut found = None;
        for byte in frame {
            let mut message = core::mem::MaybeUninit::uninit();
            // SAFETY: tests run one after the other; the memory is writable.
            if unsafe { rto_rkh_receive(*byte, message.as_mut_ptr()) } {
                // SAFETY: the function has written it.
                found = Some(unsafe { message.assume_init() });
            }
        }
        found
    }

    #[test]
    fn messages_are_received() {
        // Line 38 passes, line 7 fails with the text "no".
        let success = receive(b"\x7E\xE8\x26\0\0\0\0\xF2\x7E").unwrap();
        assert_eq!((success.kind, success.line, success.text[0]), (0, 38, 0));
        let fail = receive(b"\x7E\xE9\x07\0\0\0no\0\x33\x7E").unwrap();
        assert_eq!((fail.kind, fail.line), (1, 7));
        assert_eq!(fail.text[..3], [b'n' as c_char, b'o' as c_char, 0]);
        // All events pass; there is no group 9; a wrong checksum.
        let pass = receive(b"\x7E\xF0\x01\x01\0\0\0\0\x0E\x7E").unwrap();
        assert_eq!(pass.kind, 2);
        let wrong = receive(b"\x7E\xF0\x01\x02\x09\0\0\0\x04\x7E").unwrap();
        assert_eq!(wrong.kind, 3);
        assert_eq!(receive(b"\x7E\xF0\x7E").unwrap().kind, 4);
        assert!(receive(b"\x7E").is_none());
        // SAFETY: no message is wanted.
        let received = [0x7D, 0x7E].map(|byte| unsafe { rto_rkh_receive(byte, null_mut()) });
        assert_eq!(received, [false, true]);
    }
}
