//! Maps the pointers of entries to ids quickly.

use super::name_source::NameSource;
use foldhash::{HashMap, HashMapExt as _};
use rtoscope_trace::{Address, ContextId, Contexts};
use rtoscope_wire::Word;
use rtoscope_wire::cswitch::LogEntry;
use rtoscope_wire::cswitch::packed::MAX_FORMAT_VALUES;
use std::collections::BTreeSet;

/// The contexts and addresses that occur in entries.
pub(super) struct ContextIds<'n> {
    names: &'n NameSource<'n>,
    pub(super) contexts: Contexts,
    /// The text of the container for each thread.
    thread_texts: Vec<Option<&'n [u8]>>,
    threads: HashMap<u64, ThreadOfPointer>,
    /// Another text is another thread.
    named_threads: HashMap<(u64, Option<&'n [u8]>), ContextId>,
    position: EpochPosition,
    reassigned: Vec<(EpochPosition, Address, ContextId)>,
    /// The name of interrupt handlers in the latest entry.
    handler_name: Option<u64>,
    /// All names of interrupt handlers.
    handler_names: Vec<u64>,
    /// The name of the idle loop in the latest entry.
    idle_name: Option<u64>,
    /// All names of the idle loop.
    idle_names: Vec<u64>,
    /// The name of a marker in the latest entry of one, and all of them.
    marker_name: Option<u64>,
    marker_names: BTreeSet<u64>,
    /// The values of formatted events after their first ones.
    format_values: Vec<u32>,
    addresses: HashMap<u64, AddressUses>,
}

/// The thread that a pointer means in an epoch.
#[derive(Clone, Copy)]
struct ThreadOfPointer {
    epoch: u32,
    id: ContextId,
}

/// An epoch of names, and the core, as an index into the log's cores, and the event of it with
/// which it begins.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct EpochPosition {
    pub(super) epoch: u32,
    pub(super) place: usize,
    pub(super) event: usize,
}

/// How entries refer to a code address, as a bit set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct AddressUses(u8);

impl AddressUses {
    /// An address at which execution continues.
    pub(super) const CODE: Self = Self(1);
    /// A return address: one instruction after the call.
    pub(super) const RETURN: Self = Self(2);
    /// The start of an interrupt handler.
    pub(super) const HANDLER: Self = Self(4);

    fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// Maximum number of different names of interrupt handlers to distinguish from
/// threads.
const MAX_HANDLER_NAMES: usize = 64;

impl<'n> ContextIds<'n> {
    pub(super) fn new(names: &'n NameSource<'n>) -> Self {
        let nowhere = Address(0);
        Self {
            names,
            contexts: Contexts::new(nowhere, nowhere, nowhere),
            thread_texts: Vec::new(),
            threads: HashMap::new(),
            named_threads: HashMap::new(),
            position: EpochPosition::default(),
            reassigned: Vec::new(),
            handler_name: None,
            handler_names: Vec::new(),
            idle_name: None,
            idle_names: Vec::new(),
            marker_name: None,
            marker_names: BTreeSet::new(),
            format_values: Vec::new(),
            addresses: HashMap::new(),
        }
    }

    /// The next entries are at a position.
    pub(super) fn set_position(&mut self, position: EpochPosition) {
        self.position = position;
    }

    /// Number of restarts of the target up to an epoch.
    pub(super) fn restarts_until(&self, epoch: u32) -> usize {
        self.names.restarts_until(epoch)
    }

    /// The texts of the container for the threads, in order.
    pub(super) fn thread_texts(&self) -> &[Option<&'n [u8]>] {
        &self.thread_texts
    }

    /// From when on a pointer means another thread than before.
    pub(super) fn reassigned(&self) -> &[(EpochPosition, Address, ContextId)] {
        &self.reassigned
    }

    /// The thread whose name is at `pointer`.
    #[inline]
    pub(super) fn thread(&mut self, pointer: u64) -> ContextId {
        let epoch = self.position.epoch;
        let known = self.threads.get(&pointer).copied();
        if let Some(known) = known.filter(|known| known.epoch == epoch) {
            return known.id;
        }
        let id = self.resolve_thread(pointer, known);
        self.threads.insert(pointer, ThreadOfPointer { epoch, id });
        id
    }

    /// The thread that a pointer means in this epoch, after it meant `before`.
    fn resolve_thread(&mut self, pointer: u64, before: Option<ThreadOfPointer>) -> ContextId {
        let text = self.names.thread_text(pointer, self.position.epoch);
        let (contexts, texts) = (&mut self.contexts, &mut self.thread_texts);
        let named = self.named_threads.entry((pointer, text));
        let id = *named.or_insert_with(|| {
            texts.push(text);
            contexts.push_thread(Address(pointer), None)
        });
        if before.is_some_and(|before| before.id != id) {
            self.reassigned.push((self.position, Address(pointer), id));
        }
        id
    }

    /// The context that disabled or restored interrupts: a thread, an interrupt
    /// handler with its own name, or unknown.
    pub(super) fn interrupt_locker(&mut self, pointer: u64) -> ContextId {
        if pointer == 0 {
            return Contexts::IDLE;
        }
        let is_thread = self.threads.contains_key(&pointer);
        if !is_thread && self.handler_names.contains(&pointer) {
            return Contexts::INTERRUPT;
        }
        self.thread(pointer)
    }

    /// Adds a name of an interrupt handler.
    #[inline(always)]
    pub(super) fn handler(&mut self, pointer: u64) {
        if self.handler_name != Some(pointer) {
            self.handler_name = Some(pointer);
            if self.handler_names.len() < MAX_HANDLER_NAMES
                && !self.handler_names.contains(&pointer)
            {
                self.handler_names.push(pointer);
            }
        }
    }

    /// Adds a name in an entry of the idle loop.
    #[inline(always)]
    pub(super) fn idle(&mut self, pointer: u64) {
        if self.idle_name != Some(pointer) {
            self.idle_name = Some(pointer);
            if self.idle_names.len() < MAX_HANDLER_NAMES && !self.idle_names.contains(&pointer) {
                self.idle_names.push(pointer);
            }
        }
    }

    /// Adds the name of a marker.
    #[inline(always)]
    pub(super) fn marker(&mut self, pointer: u64) {
        if self.marker_name != Some(pointer) {
            self.marker_name = Some(pointer);
            self.marker_names.insert(pointer);
        }
    }

    /// Adds the values of an entry to those of a formatted event that has `count` of them
    /// after its first one. Returns false if that would be too many.
    pub(super) fn push_format_values(&mut self, entry: &LogEntry, count: u64) -> bool {
        let fits = count < MAX_FORMAT_VALUES as u64;
        if fits {
            let values = [entry.address, entry.name];
            self.format_values.extend(values.map(u32::low_bits));
        }
        fits
    }

    /// The values of all formatted events after their first ones.
    pub(super) fn format_values(&self) -> &[u32] {
        &self.format_values
    }

    /// The names of markers, by address.
    pub(super) fn marker_names(&self) -> impl Iterator<Item = u64> {
        self.marker_names.iter().copied()
    }

    /// Adds a code address.
    #[inline]
    pub(super) fn address(&mut self, address: u64, used: AddressUses) {
        let uses = self.addresses.entry(address).or_default();
        *uses = uses.with(used);
    }

    /// All names of interrupt handlers and of the idle loop.
    pub(super) fn names_of_no_thread(&self) -> impl Iterator<Item = u64> {
        self.handler_names.iter().chain(&self.idle_names).copied()
    }

    /// All code addresses and their uses, in order.
    pub(super) fn addresses(&self) -> Vec<(u64, AddressUses)> {
        let all = self.addresses.iter();
        let mut all: Vec<_> = all.map(|(address, uses)| (*address, *uses)).collect();
        all.sort_unstable_by_key(|(address, _)| *address);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_keep_their_numbers() {
        let names = NameSource::default();
        let mut known = ContextIds::new(&names);
        let ids: Vec<_> = (0..3000).map(|pointer| known.thread(pointer * 8)).collect();
        assert_eq!(known.contexts.len(), 3003);
        for (pointer, id) in (0..3000).zip(ids) {
            assert_eq!(known.thread(pointer * 8), id);
            assert!(id.is_thread());
        }
    }

    #[test]
    fn handlers_are_no_threads() {
        let names = NameSource::default();
        let mut known = ContextIds::new(&names);
        known.handler(0x100);
        known.handler(0x200);
        assert_eq!(known.interrupt_locker(0x100), Contexts::INTERRUPT);
        assert_eq!(known.interrupt_locker(0x200), Contexts::INTERRUPT);
        assert_eq!(known.interrupt_locker(0), Contexts::IDLE);
        let thread = known.thread(0x100);
        assert_eq!(known.interrupt_locker(0x100), thread);
        assert_eq!(known.interrupt_locker(0x300), known.thread(0x300));
    }

    #[test]
    fn addresses_gather_their_uses() {
        let names = NameSource::default();
        let mut known = ContextIds::new(&names);
        known.address(0, AddressUses::CODE);
        known.address(8, AddressUses::CODE);
        known.address(8, AddressUses::RETURN);
        known.address(8, AddressUses::CODE);
        let addresses = known.addresses();
        assert_eq!(addresses.len(), 2);
        let both = AddressUses::CODE.with(AddressUses::RETURN);
        assert_eq!(addresses[1], (8, both));
    }
}
