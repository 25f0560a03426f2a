use super::RkhRecorder;
use super::cursor::FrameCursor;
use super::item::UserItem;
use super::setup::{SetupConstants, StreamSetup};
use super::{ActiveObject, Address};
use crate::port::{Clock, Mask};
use core::mem::MaybeUninit;
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
    /// Items of up to 48 bytes, or 45 with ids of 4 bytes, are assembled before the mask is
    /// acquired.
    #[inline(always)]
    pub fn user(&self, event: u32, items: &[UserItem<'_>]) -> bool {
        let event = SetupConstants::<S>::user_event(event);
        if let Some(event) = event {
            self.user_event(FIRST_USER_ID | event, items);
        }
        event.is_some()
    }

    fn user_event(&self, id: u8, items: &[UserItem<'_>]) {
        if !self.passing.event(id) {
            return;
        }
        let mut draft = PreparedFrame::new(SetupConstants::<S>::HEADER_BYTES);
        items
            .iter()
            .for_each(|item| write_item::<S>(item, &mut draft));
        if draft.length == OVERFLOW {
            self.record_with(id, items.len(), |cursor| {
                items.iter().for_each(|item| write_item::<S>(item, cursor));
            });
        } else {
            self.record_prepared(id, &mut draft);
        }
    }

    /// A record with any list of arguments: one of the program's own, which its host
    /// learns from a declaration, or a predefined one, as between `RKH_TRC_BEGIN` and
    /// `RKH_TRC_END`. Unlike the items of [`user`](Self::user), the arguments have no
    /// format in the stream; their widths are ignored. Records of an `id` that is neither
    /// declared nor predefined are damaged frames to the host.
    pub fn own(&self, id: u8, arguments: &[UserItem<'_>]) {
        if !self.passing.event(id) {
            return;
        }
        let mut draft = PreparedFrame::new(SetupConstants::<S>::HEADER_BYTES);
        arguments
            .iter()
            .for_each(|item| write_item::<S>(item, &mut Unformatted::new(&mut draft)));
        if draft.length == OVERFLOW {
            self.record_with(id, 0, |cursor| {
                arguments
                    .iter()
                    .for_each(|item| write_item::<S>(item, &mut Unformatted::new(cursor)));
            });
        } else {
            self.record_prepared(id, &mut draft);
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

    /// Whether a user's event passes, for callers whose items are expensive to compute;
    /// `event` as for [`user`](Self::user).
    pub fn user_passes(&self, event: u32) -> bool {
        SetupConstants::<S>::user_event(event)
            .map_or(false, |event| self.passing.event(FIRST_USER_ID | event))
    }
}

/// A frame without escapes that is not in the ring yet.
pub(super) struct PreparedFrame {
    /// At most `MAX_PREPARED_BYTES - 1`: one byte remains for the checksum. [`OVERFLOW`] if
    /// bytes did not fit.
    pub(super) length: usize,
    /// Initialised from the fields before the items up to `length`.
    pub(super) bytes: [MaybeUninit<u8>; MAX_PREPARED_BYTES],
}

/// The length of a frame that has no room for its items.
const OVERFLOW: usize = usize::MAX;

/// Maximum length of the fields before and after the items with ids of one byte, and 48
/// bytes of items.
const MAX_PREPARED_BYTES: usize = 6 + 48 + 1;

impl PreparedFrame {
    /// Reserves room for the fields before the items.
    #[inline(always)]
    const fn new(head: usize) -> Self {
        Self {
            bytes: [MaybeUninit::uninit(); MAX_PREPARED_BYTES],
            length: head,
        }
    }
}

/// The destination of an item.
trait ItemSink {
    fn bytes(&mut self, bytes: &[u8]);
}

impl ItemSink for FrameCursor {
    #[inline(always)]
    fn bytes(&mut self, bytes: &[u8]) {
        FrameCursor::bytes(self, bytes);
    }
}

impl ItemSink for PreparedFrame {
    #[inline(never)]
    fn bytes(&mut self, bytes: &[u8]) {
        let room = self.bytes.get_mut(self.length..MAX_PREPARED_BYTES - 1);
        match room.and_then(|room| room.get_mut(..bytes.len())) {
            Some(target) => {
                for (target, byte) in target.iter_mut().zip(bytes) {
                    *target = MaybeUninit::new(*byte);
                }
                self.length += bytes.len();
            }
            None => self.length = OVERFLOW,
        }
    }
}

/// Drops the first byte of an item: its format.
struct Unformatted<'a, T> {
    to: &'a mut T,
    dropped: bool,
}

impl<'a, T> Unformatted<'a, T> {
    fn new(to: &'a mut T) -> Self {
        Self { to, dropped: false }
    }
}

impl<T: ItemSink> ItemSink for Unformatted<'_, T> {
    fn bytes(&mut self, bytes: &[u8]) {
        let rest = bytes.get(usize::from(!self.dropped)..);
        self.to.bytes(rest.unwrap_or_default());
        self.dropped = true;
    }
}

/// Writes an item: width and format in one byte (`RKH_TRC_FMT`), then its value.
#[inline(always)]
fn write_item<S: StreamSetup>(item: &UserItem<'_>, to: &mut impl ItemSink) {
    let form = item.width << 4 | item.format as u8;
    let number = match item.value {
        ItemValue::Signed(number) => number as u32,
        ItemValue::Unsigned(number) => number,
        ItemValue::Bytes(bytes) => {
            let is_text = item.format == ItemFormat::Text;
            let max_len = if is_text { bytes.len() } else { 0xFF };
            let nul = bytes.iter().position(|byte| is_text && *byte == 0);
            let length = nul.unwrap_or_else(|| bytes.len().min(max_len));
            let head = [form, length as u8];
            to.bytes(head.get(..2 - usize::from(is_text)).unwrap_or_default());
            to.bytes(bytes.get(..length).unwrap_or_default());
            to.bytes([0].get(..usize::from(is_text)).unwrap_or_default());
            return;
        }
    };
    let [one, two, three, four] = number.to_le_bytes();
    let width = item.format.bytes(&S::CONFIGURATION).unwrap_or_default();
    let bytes = [form, one, two, three, four];
    to.bytes(bytes.get(..=width).unwrap_or_default());
}
