/// Maximum length of a name in bytes. Longer ones are cut.
pub const MAX_NAME_LEN: usize = 31;

/// The names of threads, markers and handlers, and whether they were sent. Slots are used
/// in their order, and are never free again.
#[derive(Debug)]
pub(super) struct NameTable<const NAMES: usize> {
    slots: [NameSlot; NAMES],
    /// The last id without a slot, and whether the host does not know of it.
    nameless: Option<u32>,
    is_nameless_new: bool,
}

/// A name, or a free slot. A free one is zero, so that a static table needs no initial values.
#[derive(Debug, Clone, Copy)]
struct NameSlot {
    /// `None` in a free slot.
    text: Option<&'static str>,
    id: u32,
    is_handler: bool,
    is_sent: bool,
}

/// The name of a thread or marker, or of a handler.
#[derive(Debug, Clone, Copy)]
pub(super) struct StreamName {
    pub(super) id: u32,
    pub(super) is_handler: bool,
    pub(super) text: &'static str,
}

/// A slot for the reader of the table.
#[derive(Debug, Clone, Copy)]
pub(super) enum Unsent {
    /// This name was not sent, and now is.
    Name(StreamName),
    /// There is nothing to send in this slot.
    Nothing,
    /// There is no room for the name in this slot.
    TooLong,
    /// No further slot has a name.
    End,
}

impl<const NAMES: usize> NameTable<NAMES> {
    pub(super) const fn new() -> Self {
        const FREE: NameSlot = NameSlot {
            text: None,
            id: 0,
            is_handler: false,
            is_sent: false,
        };
        Self {
            slots: [FREE; NAMES],
            nameless: None,
            is_nameless_new: false,
        }
    }

    /// Sets a name in the slot `index`, if it is free or has a name of the same id. `None`
    /// if there is no such slot.
    pub(super) fn set(&mut self, index: usize, name: StreamName) -> Option<bool> {
        let slot = self.slots.get_mut(index)?;
        let is_same = (slot.id, slot.is_handler) == (name.id, name.is_handler);
        let fits = slot.text.is_none() || is_same;
        if fits {
            *slot = NameSlot {
                text: Some(name.text),
                id: name.id,
                is_handler: name.is_handler,
                is_sent: false,
            };
        }
        Some(fits)
    }

    /// There is no slot for a name of that id.
    pub(super) fn refuse(&mut self, id: u32) {
        self.nameless = Some(id);
        self.is_nameless_new = true;
    }

    /// Takes a name without characters for the last id without a slot, unless it was sent.
    pub(super) fn take_nameless(&mut self, room: usize) -> Unsent {
        let id = match self.nameless {
            Some(id) if self.is_nameless_new => id,
            _ => return Unsent::Nothing,
        };
        let name = StreamName {
            id,
            is_handler: false,
            text: "",
        };
        if name.section_bytes() > room {
            return Unsent::TooLong;
        }
        self.is_nameless_new = false;
        Unsent::Name(name)
    }

    /// The host is to be informed again of the last id without a slot.
    pub(super) fn forget_nameless(&mut self) {
        self.is_nameless_new = self.nameless.is_some();
    }

    /// Marks the name in a slot as not sent. Returns `false` if no further slot has one.
    pub(super) fn forget_sent(&mut self, index: usize) -> bool {
        let slot = self.slots.get_mut(index).filter(|slot| slot.text.is_some());
        slot.map(|slot| slot.is_sent = false).is_some()
    }

    /// Marks the name in a slot as sent, if it has at most `room` bytes, and returns it.
    pub(super) fn take_unsent(&mut self, index: usize, room: usize) -> Unsent {
        let slot = self.slots.get_mut(index);
        let (slot, text) = match slot.and_then(|slot| slot.text.map(|text| (slot, text))) {
            Some(found) => found,
            None => return Unsent::End,
        };
        let name = StreamName {
            id: slot.id,
            is_handler: slot.is_handler,
            text,
        };
        if slot.is_sent {
            return Unsent::Nothing;
        }
        if name.section_bytes() > room {
            return Unsent::TooLong;
        }
        slot.is_sent = true;
        Unsent::Name(name)
    }
}

impl StreamName {
    /// A name, cut if it is too long.
    pub(super) fn new(id: u32, is_handler: bool, text: &'static str) -> Self {
        let is_inside = |byte: &u8| *byte != 0;
        let mut end = text
            .bytes()
            .take(MAX_NAME_LEN)
            .take_while(is_inside)
            .count();
        while !text.is_char_boundary(end) {
            end = end.wrapping_sub(1);
        }
        Self {
            id,
            is_handler,
            text: text.get(..end).unwrap_or_default(),
        }
    }

    /// The length of its text with NULs up to a whole word.
    pub(super) fn padded_bytes(&self) -> usize {
        self.text.len().wrapping_add(3) & !3
    }

    /// Upper bound of the size of its section, in bytes.
    fn section_bytes(&self) -> usize {
        use rtoscope_wire::cswitch::{SECTION_HEADER_BYTES, SYMBOL_FIXED_BYTES};
        self.padded_bytes()
            .wrapping_add(SECTION_HEADER_BYTES + SYMBOL_FIXED_BYTES)
    }
}
