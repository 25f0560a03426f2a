//! Recognises a stream.

use super::alignment;
use super::target::Target;
use crate::format::detection::ProbeWindow;
use crate::packet_stream::Alignment;
use memchr::memmem;
use rtoscope_wire::systemview::header::TextHeader;
use rtoscope_wire::systemview::{Framing, Packet, SYNC_BYTES, id};

/// Minimum number of packets of a stream without a sync.
const MIN_PACKETS: usize = 64;

/// Number of bytes up to the end of the packets that prove a stream: a sync, the start of the
/// recording and the properties of the target.
pub(super) fn probe(window: &ProbeWindow<'_>) -> Option<usize> {
    let framing = match TextHeader::read(window.bytes).filter(|_| window.is_start) {
        Some(header) => super::framing(header),
        None => Framing::Plain,
    };
    let pattern = [&[0; SYNC_BYTES][..], &[id::TRACE_START as u8]].concat();
    let starts = memmem::find_iter(window.bytes, &pattern);
    let mut ends = starts.filter_map(|start| {
        let at = start + SYNC_BYTES;
        let begin = Packet::read(window.bytes.get(at..)?, framing).ok()?;
        let at = at + begin.bytes;
        let init = Packet::read(window.bytes.get(at..)?, framing).ok()?;
        let is_init = init.id == id::INIT && has_frequency(&init);
        is_init.then_some(at + init.bytes)
    });
    ends.next()
}

/// Whether the packet with the target's properties has a frequency and a shift.
fn has_frequency(init: &Packet<'_>) -> bool {
    let mut arguments = init.arguments();
    let mut number = || arguments.number();
    let [frequency, _cpu, _base, shift] = [number(), number(), number(), number()];
    frequency.is_some_and(|it| it > 0) && shift.is_some_and(|shift| shift < 32)
}

/// Whether the bytes are the packets of a running target, without the start of its recording:
/// nearly all bytes are packets, and interrupts and task switches are among them.
pub(super) fn resembles(bytes: &[u8]) -> bool {
    let target = Target::default();
    let framing = Framing::Plain;
    let Alignment::At(mut at) = alignment::find(bytes, framing, &target, true) else {
        return false;
    };
    let [mut packets, mut switches, mut enters, mut exits] = [0_usize; 4];
    while let Ok(packet) = Packet::read(bytes.get(at..).unwrap_or_default(), framing) {
        if !packet.is_sync() && !alignment::is_plausible(&packet, &target) {
            break;
        }
        packets += 1;
        switches += usize::from(matches!(packet.id, id::TASK_START_EXEC | id::IDLE));
        enters += usize::from(packet.id == id::ISR_ENTER);
        exits += usize::from(matches!(packet.id, id::ISR_EXIT | id::ISR_TO_SCHEDULER));
        at += packet.bytes;
    }
    // Handlers may be active at both ends.
    let are_paired = enters.abs_diff(exits) <= 2 + enters / 16;
    // The last packet may be cut off.
    let is_whole = at + 64 >= bytes.len();
    is_whole && are_paired && packets >= MIN_PACKETS && switches >= 4 && enters > 0
}
