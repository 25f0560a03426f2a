//! The ThreadX event trace. Functions that return a number return ThreadX's status codes.

use crate::c::{c_char, size_t};
use crate::counter::CommonCounter;
use crate::mask::{Own, own};
use core::ffi::c_void;
use core::mem::{align_of, size_of};
use core::slice;
use rtoscope_record::format_string::FormatRecorder as _;
use rtoscope_record::threadx::{
    EventGroups, MIN_READ_BYTES, ObjectType, Thread, ThreadState, ThreadXRecorder, TraceCursor,
    TraceStatus, Ulong,
};

/// `TX_SUCCESS`.
pub const RTO_SUCCESS: u32 = 0;
/// `TX_PTR_ERROR`: an invalid address.
pub const RTO_POINTER_ERROR: u32 = 0x03;
/// `TX_SIZE_ERROR`: the memory is too small for header, registry and one event.
pub const RTO_SIZE_ERROR: u32 = 0x05;
/// `TX_NOT_DONE`: the recorder is already enabled, or is not enabled.
pub const RTO_NOT_DONE: u32 = 0x20;

const _: () = assert!(
    RTO_POINTER_ERROR == TraceStatus::PointerError as u32
        && RTO_SIZE_ERROR == TraceStatus::SizeError as u32
        && RTO_NOT_DONE == TraceStatus::NotDone as u32
);

/// The trace. Its first word contains the recorded groups of events, so that
/// `rto_threadx_insert` calls no function for an event that is not recorded.
#[no_mangle]
#[allow(non_upper_case_globals)]
pub static rtoscope_threadx_trace: ThreadXRecorder<Own, CommonCounter> =
    ThreadXRecorder::new(own(), CommonCounter);

pub(crate) use rtoscope_threadx_trace as TRACE;

/// Initialises a trace in `size` bytes of memory, aligned like a pointer, with room for
/// `registry_entries` objects, and records all events into it (`tx_trace_enable`). Only
/// the recorder may use the memory until `rto_threadx_disable`; a copy of it is a trace
/// for `rtoscope`.
#[no_mangle]
pub unsafe extern "C" fn rto_threadx_enable(
    memory: *mut c_void,
    size: size_t,
    registry_entries: size_t,
) -> u32 {
    // SAFETY: the caller guarantees this, as the header requires.
    TraceStatus::code(&unsafe { TRACE.enable_raw(memory, size, registry_entries) })
}

/// Sets the valid bits of the counter (`TX_TRACE_TIME_MASK`), 0xFFFF for a 16-bit counter,
/// for traces that are enabled from now on. Without it, all 32 bits are valid.
#[no_mangle]
pub extern "C" fn rto_threadx_set_timer_mask(timer_mask: u32) {
    TRACE.set_timer_mask(timer_mask);
}

/// Stops recording (`tx_trace_disable`); the memory keeps its content.
#[no_mangle]
pub extern "C" fn rto_threadx_disable() -> u32 {
    TraceStatus::code(&TRACE.disable())
}

/// Stops recording events of these groups (`TX_TRACE_..._EVENTS`;
/// `tx_trace_event_filter`).
#[no_mangle]
pub extern "C" fn rto_threadx_event_filter(groups: u32) {
    TRACE.event_filter(EventGroups(groups));
}

/// Records events of these groups again (`tx_trace_event_unfilter`).
#[no_mangle]
pub extern "C" fn rto_threadx_event_unfilter(groups: u32) {
    TRACE.event_unfilter(EventGroups(groups));
}

/// Calls a function whenever the ring was written to its end, with the address of the
/// memory, while interrupts wait (`tx_trace_buffer_full_notify`). NULL disables the
/// notification.
#[no_mangle]
pub unsafe extern "C" fn rto_threadx_buffer_full_notify(
    function: Option<unsafe extern "C" fn(memory: *mut c_void)>,
) {
    // SAFETY: the program's own function.
    unsafe { TRACE.buffer_full_notify_raw(function) }
}

/// Sets the running thread: its address, its priority and its preemption threshold;
/// address 0 for none. Inside an interrupt handler, it sets the thread that runs
/// afterwards. The first call ends the initialisation.
#[no_mangle]
pub extern "C" fn rto_threadx_enter_thread(thread: usize, priority: u16, threshold: u16) {
    TRACE.enter_thread(Thread {
        address: thread,
        priority,
        threshold,
    });
}

/// Records that an interrupt handler begins (`tx_trace_isr_enter_insert`); `number`
/// identifies the interrupt. Calls nest.
#[no_mangle]
pub extern "C" fn rto_threadx_isr_enter(number: u32) {
    TRACE.isr_enter(number);
}

/// Records that an interrupt handler ends (`tx_trace_isr_exit_insert`).
#[no_mangle]
pub extern "C" fn rto_threadx_isr_exit(number: u32) {
    TRACE.isr_exit(number);
}

/// Records that a thread becomes ready. `previous` is its previous `tx_thread_state`,
/// `next` the thread to run now, 0 if none.
#[no_mangle]
pub extern "C" fn rto_threadx_resume(thread: usize, previous: u32, next: usize) {
    let pending = TRACE.resume(thread, ThreadState(previous));
    TRACE.complete_field(pending, word(next));
}

/// Records that a thread stops being ready. `state` is its new `tx_thread_state`, `next`
/// the thread to run now, 0 if none.
#[no_mangle]
pub extern "C" fn rto_threadx_suspend(thread: usize, state: u32, next: usize) {
    let pending = TRACE.suspend(thread, ThreadState(state));
    TRACE.complete_field(pending, word(next));
}

/// The part of `rto_threadx_insert` for an event that is recorded. The number comes last,
/// because this moves the fewest arguments.
#[no_mangle]
pub extern "C" fn rto_threadx_write(
    info_1: usize,
    info_2: usize,
    info_3: usize,
    info_4: usize,
    event: u32,
) {
    let info = [word(info_1), word(info_2), word(info_3), word(info_4)];
    TRACE.insert_unfiltered(event, info);
}

/// Records an event of the application, numbered from 4096 to 65535
/// (`tx_trace_user_event_insert`).
#[no_mangle]
pub extern "C" fn rto_threadx_user_event(
    event: u32,
    info_1: usize,
    info_2: usize,
    info_3: usize,
    info_4: usize,
) -> u32 {
    let info = [word(info_1), word(info_2), word(info_3), word(info_4)];
    match TRACE.try_user_event(event, info) {
        Ok(()) => RTO_SUCCESS,
        Err(_) => RTO_NOT_DONE,
    }
}

/// The part of `RTO_THREADX_FMT` in the library: the address of a text and up to 3 values.
#[no_mangle]
pub unsafe extern "C" fn rto_threadx_format(words: *const u32, count: size_t) {
    if words.is_null() {
        return;
    }
    // SAFETY: the macro passes this many words.
    let words = unsafe { core::slice::from_raw_parts(words, count) };
    if let Some((text, values)) = words.split_first() {
        TRACE.record_format(*text, values);
    }
}

/// Registers an object: its type (`TX_TRACE_OBJECT_TYPE_...`), its address, the first 31
/// bytes of its name (fewer or more if the library was built with
/// `RTOSCOPE_THREADX_NAME_BYTES`), and two parameters that depend on the type. Call it while
/// the trace is enabled.
#[no_mangle]
pub unsafe extern "C" fn rto_threadx_register(
    object_type: u8,
    object: usize,
    name: *const c_char,
    parameter_1: usize,
    parameter_2: usize,
) -> u32 {
    let parameters = [word(parameter_1), word(parameter_2)];
    // SAFETY: a C string, as the header requires.
    TraceStatus::code(&unsafe {
        TRACE.register_raw(ObjectType(object_type), object, name, parameters)
    })
}

/// Registers a thread with its priority and its stack, as `rto_threadx_register`.
#[no_mangle]
pub unsafe extern "C" fn rto_threadx_register_thread(
    thread: usize,
    name: *const c_char,
    priority: u16,
    stack_start: usize,
    stack_size: size_t,
) -> u32 {
    let thread = Thread::new(thread, priority);
    // SAFETY: a C string, as the header requires.
    TraceStatus::code(&unsafe { TRACE.register_thread_raw(thread, name, stack_start, stack_size) })
}

/// Unregisters the object at this address.
#[no_mangle]
pub extern "C" fn rto_threadx_unregister(object: usize) {
    TRACE.unregister(object);
}

/// The position up to which the trace was read, and the objects that were read. Zeros are the
/// start of any trace.
#[repr(C)]
pub struct rto_threadx_cursor {
    position: [u64; 3],
    state: [u32; 4],
}

const _: () = assert!(size_of::<TraceCursor>() == size_of::<rto_threadx_cursor>());
const _: () = assert!(align_of::<TraceCursor>() == align_of::<rto_threadx_cursor>());

/// Reads the entries that the last call did not, and objects that are new or have changed, as a
/// TXTS packet of at most `size` bytes, and moves the cursor past them: call it again and again,
/// and send the packets one after the other. The trace may keep recording meanwhile; entries
/// that were overwritten before they were read are counted, and the host reports them. Call it
/// in a thread of low priority, where all entries of the scheduler are complete. Returns the
/// number of bytes; 0 if nothing is new, if the trace is not enabled, if `cursor` or `buffer` is
/// NULL, or if `size` is less than 256 bytes (more with a larger
/// `RTOSCOPE_THREADX_NAME_BYTES`).
#[no_mangle]
pub unsafe extern "C" fn rto_threadx_read(
    cursor: *mut rto_threadx_cursor,
    buffer: *mut u8,
    size: size_t,
) -> size_t {
    if cursor.is_null() || buffer.is_null() || size < MIN_READ_BYTES {
        return 0;
    }
    // SAFETY: the header requires a valid cursor, which has the layout of the recorder's own,
    // and writable memory of this size.
    let (cursor, buffer) = unsafe {
        (
            &mut *cursor.cast::<TraceCursor>(),
            slice::from_raw_parts_mut(buffer, size),
        )
    };
    TRACE.read_new(cursor, buffer)
}

/// Reads all objects again with the next entries, as for a host that has just connected.
#[no_mangle]
pub unsafe extern "C" fn rto_threadx_resend_objects(cursor: *mut rto_threadx_cursor) {
    if !cursor.is_null() {
        // SAFETY: as above.
        unsafe { (*cursor.cast::<TraceCursor>()).forget_objects() };
    }
}

/// Number of entries of the session that were overwritten before they were read.
#[no_mangle]
pub unsafe extern "C" fn rto_threadx_overwritten(cursor: *const rto_threadx_cursor) -> u64 {
    if cursor.is_null() {
        return 0;
    }
    // SAFETY: as above.
    unsafe { (*cursor.cast::<TraceCursor>()).overwritten_entries() }
}

#[inline(always)]
fn word(address: usize) -> Ulong {
    address as Ulong
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::ptr::addr_of;
    use std::vec;

    #[test]
    fn the_header_sees_which_groups_are_recorded() {
        let groups = addr_of!(TRACE).cast::<u32>();
        // SAFETY: the first word of the trace; the memory is never freed.
        unsafe {
            let groups = || groups.read_volatile();
            assert_eq!(groups(), 0);
            let memory = vec![0_usize; 200].leak();
            let size = 200 * size_of::<usize>();
            assert_eq!(
                rto_threadx_enable(memory.as_mut_ptr().cast(), size, 2),
                RTO_SUCCESS
            );
            assert_eq!(groups(), u32::MAX);
            rto_threadx_event_filter(0x80);
            assert_eq!(groups(), !0x80);
            assert_eq!(rto_threadx_disable(), RTO_SUCCESS);
            assert_eq!(groups(), 0);
        }
        assert_eq!(rto_threadx_disable(), RTO_NOT_DONE);
    }
}
