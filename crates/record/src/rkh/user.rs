use super::RkhRecorder;
use super::cursor::FrameCursor;
use super::item::UserItem;
use super::setup::{SetupConstants, StreamSetup};
use crate::port::{Clock, Mask};
use rtoscope_wire::rkh::user::{ItemFormat, ItemValue};

/// Number of events of the application.
const USER_EVENTS: u8 = 32;

/// `RKH_TE_USER` of RKH 3.
const FIRST_USER_ID: u8 = 0xC0;

impl<S: StreamSetup, M: Mask, C: Clock> RkhRecorder<S, M, C> {
    /// `RKH_TRC_USR_BEGIN … RKH_TRC_USR_END`: a record of the application, for its event
    /// `event`, 0 to 31. `items` may be empty. Returns `false` and records nothing if the
    /// event does not exist; returns `true` even if the record is filtered or the stream
    /// has not been started.
    ///
    /// Items of up to 48 bytes are assembled before the mask is acquired.
    #[inline(always)]
    pub fn user(&self, event: u8, items: &[UserItem<'_>]) -> bool {
        let exists = event < USER_EVENTS;
        if exists {
            self.user_event(event, items);
        }
        exists
    }

    fn user_event(&self, event: u8, items: &[UserItem<'_>]) {
        if !self.user_passes(event) {
            return;
        }
        let id = FIRST_USER_ID | event;
        let mut draft = PreparedFrame::new(SetupConstants::<S>::HEADER_BYTES);
        items
            .iter()
            .for_each(|item| write_item::<S>(item, &mut draft));
        if draft.overflow {
            self.record_with(id, items.len(), |cursor| {
                items.iter().for_each(|item| write_item::<S>(item, cursor));
            });
        } else {
            self.record_prepared(id, &mut draft);
        }
    }

    /// Whether a user's event passes, for callers whose items are expensive to compute.
    pub fn user_passes(&self, event: u8) -> bool {
        event < USER_EVENTS && self.passing.event(FIRST_USER_ID | event)
    }
}

/// A frame without escapes that is not in the ring yet.
pub(super) struct PreparedFrame {
    pub(super) bytes: [u8; MAX_PREPARED_BYTES],
    pub(super) length: usize,
    /// Whether bytes did not fit.
    overflow: bool,
}

/// Maximum length of the fields before and after the items, and 48 bytes of items.
const MAX_PREPARED_BYTES: usize = 6 + 48 + 1;

impl PreparedFrame {
    /// Reserves room for the fields before the items.
    #[inline(always)]
    const fn new(head: usize) -> Self {
        Self {
            bytes: [0; MAX_PREPARED_BYTES],
            length: head,
            overflow: false,
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
        // One byte remains for the checksum.
        let end = self.length.saturating_add(bytes.len());
        match self.bytes.get_mut(self.length..end) {
            Some(target) if end < MAX_PREPARED_BYTES => {
                for (target, byte) in target.iter_mut().zip(bytes) {
                    *target = *byte;
                }
                self.length = end;
            }
            _ => self.overflow = true,
        }
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
