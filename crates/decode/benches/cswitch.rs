//! Decoding speed of a context-switch log, against a copy of its bytes in
//! the same run.
//!
//! ```text
//! cargo bench -p rtoscope-decode --bench cswitch
//! ```

use divan::counter::{BytesCount, ItemsCount};
use divan::{AllocProfiler, Bencher, black_box};
use rtoscope_decode::cswitch::CswitchOptions;
use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, UnpackedInput};
use rtoscope_wire::ByteOrder;
use rtoscope_wire::cswitch::{EntryKind, LogEntry, PointerSize};

#[global_allocator]
static ALLOCATOR: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

/// Entries in the log.
const ENTRIES: u32 = 16 << 20;

/// Number of threads, and of code addresses per thread.
const THREADS: u64 = 40;
const PLACES: u64 = 50;

/// The memory of a log in which threads are resumed and interrupted and disable
/// interrupts in turn, at different code addresses.
fn log(pointer: PointerSize) -> Vec<u8> {
    let mut bytes = vec![0; ENTRIES as usize * pointer.entry_bytes()];
    let kinds = [
        EntryKind::SyncResume,
        EntryKind::IsrEnter,
        EntryKind::IsrExit,
        EntryKind::IsrReturn,
        EntryKind::InterruptsDisabled,
        EntryKind::InterruptsRestored,
        EntryKind::Sleep,
        EntryKind::Wake,
    ];
    let places = bytes.chunks_exact_mut(pointer.entry_bytes());
    for ((number, place), kind) in (0_u32..).zip(places).zip(kinds.into_iter().cycle()) {
        // Pseudo-random, but the same in every run.
        let random = u64::from(number).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        let thread = random % THREADS;
        let name = match kind {
            EntryKind::IsrEnter | EntryKind::IsrExit => 0x0801_0000,
            _ => 0x0800_0000 + 16 * thread,
        };
        let entry = LogEntry {
            kind: kind as u32,
            counter: number.wrapping_mul(311),
            address: 0x0802_0000 + 0x1000 * thread + 4 * (random >> 8) % PLACES,
            name,
        };
        let _ = entry.write(place, pointer, ByteOrder::Little);
    }
    bytes
}

#[divan::bench(args = [PointerSize::Four, PointerSize::Eight], max_time = 20)]
fn decode(bencher: Bencher<'_, '_>, pointer: PointerSize) {
    let bytes = log(pointer);
    let options = rtoscope_decode::DecodeOptions {
        cswitch: CswitchOptions {
            pointer_size: Some(pointer),
            byte_order: Some(ByteOrder::Little),
            ..CswitchOptions::default()
        },
        ..rtoscope_decode::DecodeOptions::default()
    };
    let content = UnpackedInput::open(Input::new(bytes.as_slice()), BufferChoice::First, None);
    let Ok(content) = content else {
        return;
    };
    bencher
        .counter(BytesCount::new(bytes.len()))
        .counter(ItemsCount::new(ENTRIES))
        .bench(|| content.decode(black_box(&options)).is_ok());
}

#[divan::bench(args = [PointerSize::Four, PointerSize::Eight], max_time = 20)]
fn copy(bencher: Bencher<'_, '_>, pointer: PointerSize) {
    let bytes = log(pointer);
    bencher
        .counter(BytesCount::new(bytes.len()))
        .counter(ItemsCount::new(ENTRIES))
        .bench(|| black_box(&bytes).clone());
}
