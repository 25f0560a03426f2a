//! RKH's trace stream.

use crate::c::{c_char, size_t};
use crate::counter::CommonCounter;
use crate::mask::{Own, own};
use core::cell::Cell;
use core::ffi::c_void;
use core::slice;
use rtoscope_record::format_string::FormatRecorder as _;
use rtoscope_record::rkh::filter::FilterSelection;
use rtoscope_record::rkh::{
    Dialect, EncodedArguments, FIRST_USER_ID, FieldWidth, RkhRecorder, StreamConfiguration,
    StreamSetup, TargetContent,
};
use rtoscope_record::rkh::{any_id, has_record, target_at, target_with_sizes, user_event};

#[cfg(not(feature = "rkh-no-filter"))]
mod filters {
    use rtoscope_record::rkh::FilterBits;

    pub(super) type ObjectFilter = FilterBits<8>;
    pub(super) type SignalFilter = FilterBits<32>;
}

#[cfg(feature = "rkh-no-filter")]
mod filters {
    pub(super) use rtoscope_record::rkh::{Unfiltered as ObjectFilter, Unfiltered as SignalFilter};
}

use filters::{ObjectFilter, SignalFilter};

/// The configuration of the library's stream, which it sends to the host.
#[derive(Debug)]
pub enum CStreamSetup {}

impl StreamSetup for CStreamSetup {
    const CONFIGURATION: StreamConfiguration = StreamConfiguration {
        sequence: !cfg!(feature = "rkh-no-sequence"),
        timestamp: if cfg!(feature = "rkh-no-timestamp") {
            None
        } else if cfg!(feature = "rkh-timestamp-16") {
            Some(FieldWidth::Two)
        } else {
            Some(FieldWidth::Four)
        },
        checksum: !cfg!(feature = "rkh-no-checksum"),
        checksum_covers_timestamp: !cfg!(feature = "rkh-checksum-without-timestamp"),
        id: if cfg!(feature = "rkh-id-32") {
            FieldWidth::Four
        } else if cfg!(feature = "rkh-id-16") {
            FieldWidth::Two
        } else {
            FieldWidth::One
        },
        signal: FieldWidth::Two,
        pointer: FieldWidth::Four,
        function: FieldWidth::Four,
        timer_ticks: FieldWidth::Four,
        block_count: FieldWidth::Two,
        block_size: FieldWidth::Two,
        element_count: FieldWidth::Two,
        event_size: FieldWidth::Two,
        sender: true,
        queue_low_water: true,
        pool_low_water: true,
        dialect: Dialect::V3,
    };
    const FILTERS: bool = !cfg!(feature = "rkh-no-filter");
    type Objects = ObjectFilter;
    type Signals = SignalFilter;

    fn target() -> Option<TargetContent> {
        TARGET.0.get()
    }
}

/// The configuration that the program set.
struct Target(Cell<Option<TargetContent>>);

// SAFETY: only the holder of the recorder's mask accesses it.
unsafe impl Sync for Target {}

static TARGET: Target = Target(Cell::new(None));

/// The stream. Its first words contain the recorded events, so that the functions of the
/// header call no function for a record that is not recorded.
#[no_mangle]
#[allow(non_upper_case_globals)]
pub static rtoscope_rkh_stream: Recorder = RkhRecorder::new(own(), CommonCounter);

type Recorder = RkhRecorder<CStreamSetup, Own, CommonCounter>;

pub(crate) use rtoscope_rkh_stream as RECORDER;

/// Starts a stream in `size` bytes, at least 64, which the recorder keeps for ever.
/// Initially, the filter suppresses everything that it can filter. Returns false if the
/// buffer is too small.
#[no_mangle]
pub unsafe extern "C" fn rto_rkh_start(buffer: *mut u8, size: size_t) -> bool {
    // SAFETY: the header requires memory that no other code uses.
    unsafe { RECORDER.start_raw(buffer, size) }.is_ok()
}

/// Restarts the stream in the same buffer, as after a reset.
#[no_mangle]
pub extern "C" fn rto_rkh_restart() {
    RECORDER.restart();
}

/// Stops recording. The recorded bytes can still be taken.
#[no_mangle]
pub extern "C" fn rto_rkh_stop() {
    RECORDER.stop();
}

/// `RKH_TR_FWK_TCFG`: sends the stream's configuration with the frequency of the counter in Hz,
/// modulo 65536, now and at each start. It replaces the first record of a stream without another
/// one.
#[no_mangle]
pub extern "C" fn rto_rkh_fwk_tcfg(timestamp_hz: u32) {
    let target = target_at::<CStreamSetup>(timestamp_hz);
    RECORDER.change_target(|| TARGET.0.set(Some(target)));
}

/// The same with the 13 bytes that RKH's own macro sends after the id, for a program that
/// encodes all its records with RKH's sizes, as the headers in `rkh` do.
#[no_mangle]
pub unsafe extern "C" fn rto_rkh_fwk_tcfg_of(content: *const u8) {
    // SAFETY: the header requires this many bytes.
    let target = unsafe { &*content.cast::<TargetContent>() };
    let target = target_with_sizes::<CStreamSetup>(target);
    RECORDER.change_target(|| TARGET.0.set(Some(target)));
}

/// Moves the next bytes of the stream to `into` and returns their number.
#[no_mangle]
pub unsafe extern "C" fn rto_rkh_take(into: *mut u8, size: size_t) -> size_t {
    if into.is_null() {
        return 0;
    }
    // SAFETY: the header requires writable memory of this size.
    RECORDER.take(unsafe { slice::from_raw_parts_mut(into, size) })
}

/// Number of bytes available to `rto_rkh_take`.
#[no_mangle]
pub extern "C" fn rto_rkh_available() -> size_t {
    RECORDER.available()
}

/// Number of frames lost since the start because they were not taken in time.
#[no_mangle]
pub extern "C" fn rto_rkh_lost() -> u32 {
    RECORDER.lost()
}

/// The records to filter.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum rto_rkh_selection {
    /// An event, by its id; letting it pass also lets its group pass.
    RTO_RKH_EVENT = 0,
    /// Every event and every group.
    RTO_RKH_ALL_EVENTS = 1,
    /// A group, by its number, but none of its events.
    RTO_RKH_GROUP = 2,
    /// A group, by its number, and all of its events.
    RTO_RKH_GROUP_EVENTS = 3,
    /// Every group, but no event.
    RTO_RKH_ALL_GROUPS = 4,
    /// An active object, by its priority, 0 to 63.
    RTO_RKH_OBJECT = 5,
    /// Every active object.
    RTO_RKH_ALL_OBJECTS = 6,
    /// A signal, 0 to 255.
    RTO_RKH_SIGNAL = 7,
    /// Every signal.
    RTO_RKH_ALL_SIGNALS = 8,
}

/// Lets the selected records pass, or suppresses them. `selection` is one of
/// `enum rto_rkh_selection`; `number` is ignored if all are selected. Returns false if
/// the selection is invalid.
#[no_mangle]
pub extern "C" fn rto_rkh_filter(selection: u32, number: u32, pass: bool) -> bool {
    let code = u8::try_from(selection).ok();
    let selected = match code.and_then(|code| FilterSelection::from_code(code, number)) {
        Some(selected) => selected,
        None => return false,
    };
    if pass {
        RECORDER.pass(selected).is_ok()
    } else {
        RECORDER.suppress(selected).is_ok()
    }
}

/// Records an event of RKH by its id. `numbers` are the numbers of its record in order
/// (`rtoscope catalogue --of rkh` lists them), including senders and low-water marks; of
/// addresses, the low 32 bits. The filter uses `priority` as the priority of the active
/// object. `text` is for records with a text, otherwise NULL. Returns false and records
/// nothing if there is no such record, if `count` is wrong, if an event of the application
/// among the numbers does not exist, or if `numbers` is NULL and `count` is not 0. Also
/// returns true for a record that is filtered or finds no room (`rto_rkh_lost`).
#[no_mangle]
pub unsafe extern "C" fn rto_rkh_record(
    event: u32,
    priority: u8,
    numbers: *const u32,
    count: size_t,
    text: *const c_char,
) -> bool {
    // SAFETY: the header requires this many numbers.
    let numbers = match unsafe { slice_from_c(numbers, count) } {
        Some(numbers) => numbers,
        None => return false,
    };
    // SAFETY: a C string, as the header requires.
    let text = unsafe { text_from_c(text) };
    match any_id(event) {
        Some(id) => RECORDER.record_by_id(id, priority, numbers, text),
        None => false,
    }
}

/// The format of an item.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum rto_rkh_format {
    /// A signed 8-bit number.
    RTO_RKH_I8 = 0,
    /// An 8-bit number.
    RTO_RKH_U8 = 1,
    /// A signed 16-bit number.
    RTO_RKH_I16 = 2,
    /// A 16-bit number.
    RTO_RKH_U16 = 3,
    /// A signed 32-bit number.
    RTO_RKH_I32 = 4,
    /// A 32-bit number.
    RTO_RKH_U32 = 5,
    /// A 32-bit number, shown in hexadecimal.
    RTO_RKH_X32 = 6,
    /// A NUL-terminated text at `bytes`; NULL for an empty one.
    RTO_RKH_STR = 7,
    /// `number` bytes of memory at `bytes`, at most 255.
    RTO_RKH_MEM = 8,
    /// An object's address.
    RTO_RKH_OBJ = 9,
    /// A function's address.
    RTO_RKH_FUN = 10,
    /// A signal.
    RTO_RKH_SIG = 11,
}

/// An item of the application's own record.
#[repr(C)]
pub struct rto_rkh_item {
    /// One of `enum rto_rkh_format`.
    pub format: u8,
    /// Minimum number of characters to show a number with, 0 to 15.
    pub width: u8,
    /// The number, or the length of the memory in bytes.
    pub number: u32,
    /// The text or memory.
    pub bytes: *const c_void,
}

/// `RKH_TE_USER`: RKH's number of the application's event 0.
pub const RTO_RKH_TE_USER: u32 = 0xC0;

/// Maximum size of a record's arguments in bytes, except in `rto_rkh_record`.
pub const RTO_RKH_MAX_BYTES: usize = 248;

/// Arguments of a record, and the word after them.
type ItemArguments = EncodedArguments<{ RTO_RKH_MAX_BYTES / 4 + 1 }>;

/// The part in the library of all functions of the header that record. It gets the stream's
/// address, because they have it in a register. `record` contains the event's id of one byte
/// in its lowest byte; then the number of bytes; then the priority of the active object, 255
/// if it has none. `signal` is 0xFFFFFFFF if there is none.
#[no_mangle]
pub unsafe extern "C" fn rto_rkh_write(
    stream: *const c_void,
    record: u32,
    words: *const u32,
    signal: u32,
) {
    // SAFETY: the header passes the address of `rtoscope_rkh_stream`.
    let recorder = unsafe { &*stream.cast::<Recorder>() };
    let [id, bytes, priority, _] = record.to_le_bytes();
    if recorder.passes_object_and_signal(priority, signal) {
        // SAFETY: the header's functions encode this many bytes, with zeros after them.
        unsafe { recorder.record_words(id, words, bytes.into()) };
    }
}

/// Counts a record with more than `RTO_RKH_MAX_BYTES` as lost, if it passes the filter.
#[no_mangle]
pub extern "C" fn rto_rkh_lose(priority: u8, signal: u32) {
    if RECORDER.passes_object_and_signal(priority, signal) {
        RECORDER.lose_record();
    }
}

/// Appends a text and its NUL to `length` bytes of a record's arguments, and returns the
/// new length.
#[no_mangle]
pub unsafe extern "C" fn rto_rkh_append_text(
    words: *mut u32,
    length: u32,
    text: *const c_char,
) -> u32 {
    // SAFETY: a C string, as the header requires.
    let text = unsafe { text_from_c(text) };
    // SAFETY: the memory has this size, and ends with room for the NUL.
    unsafe {
        let length = append(words, length, text);
        append(words, length, &[0])
    }
}

/// Appends the size of a memory block and its first 255 bytes to `length` bytes of a
/// record's arguments, and returns the new length.
#[no_mangle]
pub unsafe extern "C" fn rto_rkh_append_memory(
    words: *mut u32,
    length: u32,
    memory: *const c_void,
    size: u32,
) -> u32 {
    let size = if memory.is_null() { 0 } else { size.min(255) };
    // SAFETY: the header requires this many bytes.
    let bytes = unsafe { slice_from_c(memory.cast::<u8>(), size as usize) }.unwrap_or_default();
    // SAFETY: as in `rto_rkh_append_text`.
    unsafe {
        let length = append(words, length, &[size as u8]);
        append(words, length, bytes)
    }
}

/// Appends bytes to `length` bytes of memory for a record's arguments. Returns the new
/// length, or 255 if they do not fit.
///
/// # Safety
/// The memory must have [`RTO_RKH_MAX_BYTES`].
unsafe fn append(words: *mut u32, length: u32, bytes: &[u8]) -> u32 {
    let start = length as usize;
    let end = start.saturating_add(bytes.len());
    if end > RTO_RKH_MAX_BYTES {
        return 255;
    }
    let mut at = words.cast::<u8>().wrapping_add(start);
    for byte in bytes {
        // SAFETY: the caller guarantees the memory.
        unsafe { at.write(*byte) };
        at = at.wrapping_add(1);
    }
    end as u32
}

/// Records an event of the application with items of at most `RTO_RKH_MAX_BYTES` bytes: a
/// byte and the value of each, and a byte more for a text or memory. `event` is 0 to 31, or
/// RKH's own number: `RTO_RKH_TE_USER` + 0 to 31, or 0x600 or 0x6000000 + 0 to 31 as in an
/// RKH with ids of 2 or 4 bytes. Returns false and records nothing if `event` is any other
/// number, if `items` is NULL and `count` is not 0, or if an item has an invalid format, a
/// width above 15, or memory at NULL. Also returns true for an event that is filtered, is too
/// large, or finds no room (`rto_rkh_lost`). The macro RKH_TRC_USR_BEGIN is faster.
#[no_mangle]
pub unsafe extern "C" fn rto_rkh_user_event(
    event: u32,
    items: *const rto_rkh_item,
    count: size_t,
) -> bool {
    let id = user_event(event).map(|event| FIRST_USER_ID | event);
    // SAFETY: as the header requires.
    unsafe { record_items(id, items, count, true) }
}

/// Records a record with any list of arguments of at most `RTO_RKH_MAX_BYTES` bytes: the
/// program's own, which the host learns from a declaration (`-O custom-events`), or a
/// predefined one. The formats of the items determine their sizes, but are not in the
/// stream; widths must be 0 to 15 and are ignored. Returns false and records nothing as
/// `rto_rkh_user_event`, or if `event` is neither a number of the application's events from
/// `RTO_RKH_TE_USER` on nor that of a predefined record. Also returns true for a record that
/// is filtered, is too large, or finds no room.
#[no_mangle]
pub unsafe extern "C" fn rto_rkh_own_record(
    event: u32,
    items: *const rto_rkh_item,
    count: size_t,
) -> bool {
    let id = any_id(event).filter(|id| has_record(*id));
    // SAFETY: as the header requires.
    unsafe { record_items(id, items, count, false) }
}

/// The part of `RTO_RKH_FMT` in the library: the address of a text and up to 8 values.
#[no_mangle]
pub unsafe extern "C" fn rto_rkh_format(words: *const u32, count: size_t) {
    // SAFETY: the macro passes this many words.
    let words = unsafe { slice_from_c(words, count) };
    if let Some((text, values)) = words.and_then(<[u32]>::split_first) {
        RECORDER.record_format(*text, values);
    }
}

/// Whether a record passes the filter, before its arguments are computed. `priority` is
/// that of its active object, `signal` its signal; -1 if it has none.
#[no_mangle]
pub extern "C" fn rto_rkh_passes(event: u32, priority: i32, signal: i32) -> bool {
    any_id(event).map_or(false, |id| {
        RECORDER.passes(id, u8::try_from(priority).ok(), u32::try_from(signal).ok())
    })
}

/// Whether the filter lets the priority of an active object and a signal pass, 255 and
/// 0xFFFFFFFF if there is none, whatever the event.
#[no_mangle]
pub extern "C" fn rto_rkh_passes_object_and_signal(priority: u8, signal: u32) -> bool {
    RECORDER.passes_object_and_signal(priority, signal)
}

/// Records a list of items; false if they are invalid or there is no such event.
///
/// # Safety
/// `items` must be null or the address of `count` items, whose texts and memory are valid.
unsafe fn record_items(
    id: Option<u8>,
    items: *const rto_rkh_item,
    count: size_t,
    formatted: bool,
) -> bool {
    // SAFETY: the caller guarantees this.
    let (id, items) = match (id, unsafe { slice_from_c(items, count) }) {
        (Some(id), Some(items)) => (id, items),
        _ => return false,
    };
    let mut arguments = ItemArguments::new();
    for item in items {
        let width = match ITEM_BYTES.get(usize::from(item.format)) {
            Some(width) if item.width <= 15 => *width,
            _ => return false,
        };
        if formatted {
            arguments.push_number(u32::from(item.width << 4 | item.format), 1);
        }
        match item.format {
            TEXT => {
                // SAFETY: the caller guarantees this.
                arguments.push_bytes(unsafe { text_from_c(item.bytes.cast()) });
                arguments.push_number(0, 1);
            }
            MEMORY => {
                let size = item.number.min(255);
                // SAFETY: the caller guarantees this.
                let bytes = unsafe { slice_from_c(item.bytes.cast::<u8>(), size as usize) };
                let bytes = match bytes {
                    Some(bytes) => bytes,
                    None => return false,
                };
                arguments.push_number(size, 1);
                arguments.push_bytes(bytes);
            }
            _ => arguments.push_number(item.number, width),
        }
    }
    if RECORDER.passes(id, None, None) {
        RECORDER.record_encoded(id, &mut arguments);
    }
    true
}

/// The sizes of values by their formats, in bytes; 0 for [`TEXT`] and [`MEMORY`].
const ITEM_BYTES: [usize; 12] = [1, 1, 2, 2, 4, 4, 4, 0, 0, 4, 4, 2];

const TEXT: u8 = rto_rkh_format::RTO_RKH_STR as u8;
const MEMORY: u8 = rto_rkh_format::RTO_RKH_MEM as u8;

/// The values of an array; [`None`] if its address is NULL and it is not empty.
///
/// # Safety
/// `first` must be null or the address of `count` values.
unsafe fn slice_from_c<'a, T>(first: *const T, count: usize) -> Option<&'a [T]> {
    match (count, first.is_null()) {
        (0, _) => Some(&[]),
        (_, true) => None,
        // SAFETY: the caller guarantees this.
        (_, false) => Some(unsafe { slice::from_raw_parts(first, count) }),
    }
}

/// # Safety
/// `text` must be null or a NUL-terminated text.
unsafe fn text_from_c<'a>(text: *const c_char) -> &'a [u8] {
    if text.is_null() {
        return &[];
    }
    let mut length = 0;
    // SAFETY: the caller guarantees that the text is readable up to its NUL.
    while unsafe { text.add(length).read() } != 0 {
        length += 1;
    }
    // SAFETY: as above.
    unsafe { slice::from_raw_parts(text, length) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::ptr::{null, null_mut};
    use std::vec;

    fn item(format: u8, width: u8, number: u32) -> rto_rkh_item {
        rto_rkh_item {
            format,
            width,
            number,
            bytes: null(),
        }
    }

    #[test]
    fn invalid_records_are_rejected() {
        let ring = vec![0_u8; 1024].leak();
        let good = [item(5, 0, 7)];
        let many = [(); RTO_RKH_MAX_BYTES / 5 + 1].map(|()| item(5, 0, 7));
        // SAFETY: the ring lives for ever; arrays have the length passed, or are empty.
        unsafe {
            assert!(!rto_rkh_start(null_mut(), 1024), "no buffer");
            assert!(rto_rkh_start(ring.as_mut_ptr(), ring.len()));
            assert!(rto_rkh_filter(1, 0, true), "all events pass");
            let available = rto_rkh_available();
            let user = |event, items: &[rto_rkh_item]| {
                rto_rkh_user_event(event, items.as_ptr(), items.len())
            };
            for event in [32, 0xBF, 0xE0, 255, 256, 0x1C0, 0x620, u32::MAX] {
                assert!(!user(event, &good), "event {}", event);
                assert!(!rto_rkh_record(0xAB, 0, [event].as_ptr(), 1, null()));
            }
            for id in [0x163, 0x0320, u32::MAX] {
                assert!(!rto_rkh_record(id, 0, [1, 2].as_ptr(), 2, null()));
                assert!(!rto_rkh_filter(0, id, true));
            }
            // No record, and two without a header: the configuration and a host's answer.
            for id in [3, 0x1F, 0xAC, 0xE8, 0xFF] {
                assert!(!rto_rkh_own_record(id, good.as_ptr(), good.len()));
            }
            assert!(!rto_rkh_user_event(0, null(), 3), "items at NULL");
            assert_eq!(rto_rkh_lost(), 0);
            assert!(user(0, &many), "a record that is too large is lost");
            assert_eq!(rto_rkh_lost(), 1);
            assert!(!user(0, &[item(12, 0, 0)]), "an unknown format");
            assert!(!user(0, &[item(5, 16, 0)]), "an invalid width");
            assert!(!user(0, &[item(8, 0, 3)]), "memory at NULL");
            // The record has an object and a state.
            assert!(
                !rto_rkh_record(0x63, 0, null(), 2, null()),
                "numbers at NULL"
            );
            assert!(
                !rto_rkh_record(0x63, 0, [1].as_ptr(), 1, null()),
                "a number too few"
            );
            assert_eq!(
                rto_rkh_available(),
                available,
                "none of that is in the stream"
            );
            assert!(rto_rkh_user_event(0, null(), 0), "no items");
            let mut before = available;
            for event in [
                0,
                31,
                RTO_RKH_TE_USER,
                RTO_RKH_TE_USER + 31,
                0x0600,
                0x0600_001F,
            ] {
                assert!(user(event, &good), "event {}", event);
                assert!(rto_rkh_available() > before);
                before = rto_rkh_available();
            }
            assert!(rto_rkh_filter(6, 0, true), "all active objects pass");
            assert!(rto_rkh_record(0x0303, 0, [1, 2].as_ptr(), 2, null()));
            assert!(rto_rkh_available() > before);
        }
    }
}
