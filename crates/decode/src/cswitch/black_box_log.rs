//! A log in a black box, in an image of the target's memory.
//!
//! The recorder's variables do not describe it: it was frozen, or the recorder has not
//! been started since the reset.

use super::address_space::AddressSpace;
use super::log::Overwritten;
use super::ring_order::LogBuffer;
use super::{UNFINISHED, is_known};
use memchr::memmem;
use rtoscope_wire::black_box::{BLACK_BOX_HEADER_BYTES, BlackBoxHeader, BlackBoxKind, MAGIC};
use rtoscope_wire::cswitch::PointerSize;
use rtoscope_wire::{ByteOrder, Word};

/// A black box with a log.
#[derive(Debug, Clone, Copy)]
pub(super) struct BlackBoxLog {
    pub(super) header: BlackBoxHeader,
    pub(super) layout: (PointerSize, ByteOrder),
    pub(super) buffer: LogBuffer,
}

/// The frozen log with the highest boot count in memory, or else an open one; the first of
/// several that are equal in that.
pub(super) fn find(
    space: &AddressSpace<'_>,
    allowed: impl Fn(PointerSize, ByteOrder) -> bool,
) -> Option<BlackBoxLog> {
    let orders = [ByteOrder::Little, ByteOrder::Big];
    let found = orders.into_iter().flat_map(|order| {
        let magic = match order {
            ByteOrder::Little => MAGIC.to_le_bytes(),
            ByteOrder::Big => MAGIC.to_be_bytes(),
        };
        let starts = space.segments().flat_map(move |(address, bytes)| {
            let places: Vec<_> = memmem::find_iter(bytes, &magic).collect();
            let addresses = places.into_iter().map(move |at| address + at as u64);
            addresses.filter(|address| address % 8 == 0)
        });
        starts.filter_map(move |address| read(space, address, order))
    });
    let allowed = found.filter(|it| allowed(it.layout.0, it.layout.1));
    let rank = |it: &BlackBoxLog| (it.header.seal.is_some(), it.header.boot_count);
    let mut best: Option<BlackBoxLog> = None;
    for it in allowed {
        if best.as_ref().is_none_or(|best| rank(best) < rank(&it)) {
            best = Some(it);
        }
    }
    best
}

/// Whether entries of a black box's log were overwritten, as its seal says, in an image of
/// the memory and in a saved file. `None` without a seal: then only the slots show it.
pub(super) fn overwritten(header: &BlackBoxHeader) -> Option<Overwritten> {
    let seal = header.seal?;
    Some(match seal.preceding_entries {
        preceding if seal.wrapped => Overwritten::some(preceding),
        Some(0) => Overwritten::No,
        Some(preceding) => Overwritten::some(Some(preceding)),
        None => Overwritten::Unknown,
    })
}

/// The log whose header is at an address; `None` unless all of it is in memory.
fn read(space: &AddressSpace<'_>, address: u64, order: ByteOrder) -> Option<BlackBoxLog> {
    let bytes = space.available_from(address);
    let header = BlackBoxHeader::read(bytes, order)?;
    let cyclic = match header.kind {
        BlackBoxKind::Trace => return None,
        BlackBoxKind::OneShotLog => false,
        BlackBoxKind::RingLog => true,
    };
    let capacity = usize::try_from(header.capacity).ok()?;
    let payload = bytes.get(BLACK_BOX_HEADER_BYTES..)?.get(..capacity)?;
    let size = header.pointer_size.entry_bytes();
    let kinds = payload.chunks_exact(size);
    let kinds = kinds.map(|entry| u32::read(entry, order).unwrap_or(UNFINISHED));
    let slots = kinds.len() as u64;
    let start = address + BLACK_BOX_HEADER_BYTES as u64;
    let position = |slot: u64| start + slot * size as u64;
    let mut buffer = LogBuffer {
        start,
        end: position(slots),
        cyclic: Some(cyclic),
        session: Some(header.boot_count),
        ..LogBuffer::default()
    };
    match header.seal {
        Some(seal) => {
            let next = u64::from(seal.next_slot);
            let newest = next.checked_sub(1).map(|newest| newest as usize);
            let newest = newest.and_then(|newest| kinds.clone().nth(newest));
            // A copy of a header precedes something else.
            if next > slots || newest.is_some_and(|kind| !is_known(kind)) {
                return None;
            }
            // The oldest entry of a ring follows the newest.
            let next = match seal.wrapped && next == slots {
                true => 0,
                false => next,
            };
            buffer.current = Some(position(next));
            buffer.is_wrapped = Some(seal.wrapped);
            buffer.lost_entries = Some(seal.lost);
            let entries = if seal.wrapped { slots } else { next };
            let preceding = seal.preceding_entries;
            buffer.lap_start = preceding.and_then(|it| it.checked_add(entries)?.checked_sub(next));
        }
        None => {
            // Without an unused slot, the counters show the end.
            let mut all = kinds.clone();
            let unused = all.position(|kind| kind == UNFINISHED);
            buffer.current = unused.map(|unused| position(unused as u64));
            buffer.is_wrapped = unused.map(|_| false);
        }
    }
    Some(BlackBoxLog {
        header,
        layout: (header.pointer_size, order),
        buffer,
    })
}
