use super::RkhRecorder;
use super::cursor::FrameCursor;
use super::encoded::EncodedArguments;
use super::item::UserItem;
use super::setup::{SetupConstants, StreamSetup};
use super::{ActiveObject, Address};
use crate::port::{Clock, Mask};
use rtoscope_wire::rkh::id::FIRST_USER_ID;
use rtoscope_wire::rkh::user::{ItemFormat, ItemValue};

impl<S: StreamSetup, M: Mask, C: Clock> RkhRecorder<S, M, C> {
    /// `RKH_TRC_USR_BEGIN … RKH_TRC_USR_END`: a record of the application, for its event
    /// `event`: 0 to 31, or RKH's own number, `RKH_TE_USER` + 0 to 31. `RKH_TE_USER` is
    /// [`FIRST_USER_ID`]; in a setup with ids of 2 or 4 bytes also 0x600 or 0x0600_0000.
    /// `items` may be empty. Returns `false` and records nothing if
    /// the event does not exist; returns `true` even if the record is filtered or the
    /// stream has not been started.
    ///
    /// Items of up to 48 bytes are assembled before the mask is acquired.
    #[inline(always)]
    pub fn user(&self, event: u32, items: &[UserItem<'_>]) -> bool {
        let event = SetupConstants::<S>::user_event(event);
        if let Some(event) = event {
            self.user_event(FIRST_USER_ID | event, items);
        }
        event.is_some()
    }

    #[inline(never)]
    fn user_event(&self, id: u8, items: &[UserItem<'_>]) {
        self.record_items(id, items, true);
    }

    /// A record with any list of arguments: one of the program's own, which its host
    /// learns from a declaration, or a predefined one, as between `RKH_TRC_BEGIN` and
    /// `RKH_TRC_END`. Unlike the items of [`user`](Self::user), the arguments have no
    /// format in the stream; their widths are ignored. Records of an `id` that is neither
    /// declared nor predefined are damaged frames to the host.
    pub fn own(&self, id: u8, arguments: &[UserItem<'_>]) {
        self.record_items(id, arguments, false);
    }

    fn record_items(&self, id: u8, items: &[UserItem<'_>], formatted: bool) {
        if !self.passing.event(id) {
            return;
        }
        let mut encoded = EncodedArguments::<MAX_ENCODED_WORDS>::new();
        for item in items {
            write_item::<S>(item, formatted, &mut encoded);
        }
        if encoded.fits() {
            self.record_encoded(id, &mut encoded);
        } else {
            self.record_with(id, 0, |cursor| {
                for item in items {
                    write_item::<S>(item, formatted, cursor);
                }
            });
        }
    }

    /// A record whose arguments the caller has encoded, as between `RKH_TRC_BEGIN` and
    /// `RKH_TRC_END`. The filter is not checked. Arguments that did not fit are lost as a
    /// record that finds no room.
    #[inline(always)]
    pub fn record_encoded<const WORDS: usize>(
        &self,
        id: u8,
        arguments: &mut EncodedArguments<WORDS>,
    ) {
        match arguments.finish() {
            // SAFETY: the words contain the arguments, and zeros after them.
            Some((words, bytes)) => unsafe { self.record_words(id, words, bytes) },
            None => self.lose_record(),
        }
    }

    /// Whether a record passes the filters: its event, the priority of its active object
    /// and its signal, if it has them.
    pub fn passes(&self, id: u8, priority: Option<u8>, signal: Option<u32>) -> bool {
        let object = priority.map(|priority| ActiveObject::new(Address::NONE, priority));
        self.passing.event(id)
            && object.map_or(true, |object| self.passes_object(object))
            && signal.map_or(true, |signal| self.passes_signal(signal))
    }

    /// Whether the priority of an active object and a signal pass the filter, for
    /// [`record_words`](Self::record_words). Those outside its tables do.
    #[inline(always)]
    pub fn passes_object_and_signal(&self, priority: u8, signal: u32) -> bool {
        self.passes_object(ActiveObject::new(Address::NONE, priority)) && self.passes_signal(signal)
    }

    /// Whether a user's event passes, for callers whose items are expensive to compute;
    /// `event` as for [`user`](Self::user).
    pub fn user_passes(&self, event: u32) -> bool {
        SetupConstants::<S>::user_event(event)
            .map_or(false, |event| self.passing.event(FIRST_USER_ID | event))
    }
}

/// Room for 48 bytes of items, and the word after them.
const MAX_ENCODED_WORDS: usize = 48 / 4 + 1;

/// The destination of an item.
trait ItemSink {
    /// Appends the low `width` bytes of a number.
    fn number(&mut self, number: u32, width: usize);
    fn bytes(&mut self, bytes: &[u8]);
}

impl ItemSink for FrameCursor {
    fn number(&mut self, number: u32, width: usize) {
        let bytes = number.to_le_bytes();
        FrameCursor::bytes(self, bytes.get(..width).unwrap_or_default());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        FrameCursor::bytes(self, bytes);
    }
}

impl<const WORDS: usize> ItemSink for EncodedArguments<WORDS> {
    #[inline(always)]
    fn number(&mut self, number: u32, width: usize) {
        self.push_number(number, width);
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.push_bytes(bytes);
    }
}

/// Writes an item: if it is formatted, width and format in one byte (`RKH_TRC_FMT`); then
/// its value.
#[inline(always)]
fn write_item<S: StreamSetup>(item: &UserItem<'_>, formatted: bool, to: &mut impl ItemSink) {
    if formatted {
        to.number(u32::from(item.width << 4 | item.format as u8), 1);
    }
    let number = match item.value {
        ItemValue::Signed(number) => number as u32,
        ItemValue::Unsigned(number) => number,
        ItemValue::Bytes(bytes) if item.format == ItemFormat::Text => {
            let length = bytes.iter().position(|byte| *byte == 0);
            to.bytes(
                bytes
                    .get(..length.unwrap_or(bytes.len()))
                    .unwrap_or_default(),
            );
            to.number(0, 1);
            return;
        }
        ItemValue::Bytes(bytes) => {
            let bytes = bytes.get(..0xFF).unwrap_or(bytes);
            to.number(bytes.len() as u32, 1);
            to.bytes(bytes);
            return;
        }
    };
    to.number(
        number,
        item.format.bytes(&S::CONFIGURATION).unwrap_or_default(),
    );
}
