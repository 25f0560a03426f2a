//! Records as data that every recorder can record and the format can encode.

use rtoscope_record::port::{Clock, Mask};
use rtoscope_record::rkh::item::UserItem;
use rtoscope_record::rkh::{
    ActionRole, ActiveObject, Address, ExpectedEvent, RkhRecorder, StreamSetup,
};
use rtoscope_wire::rkh::encode::{encode, encode_items};
use rtoscope_wire::rkh::record::record_spec;
use rtoscope_wire::rkh::user::{ItemFormat, ItemValue};
use rtoscope_wire::rkh::{ArgumentLayout, ArgumentValue, StreamConfiguration};

/// A record with all its arguments, including absent ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SampleRecord {
    pub(crate) id: u8,
    pub(crate) numbers: Vec<u32>,
    pub(crate) text: Vec<u8>,
    pub(crate) items: Vec<OwnedItem>,
}

/// An item that owns its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OwnedItem {
    pub(crate) form: ItemFormat,
    pub(crate) width: u8,
    pub(crate) number: u32,
    pub(crate) bytes: Vec<u8>,
}

impl OwnedItem {
    pub(crate) fn borrow(&self) -> UserItem<'_> {
        let value = match self.form {
            ItemFormat::Text | ItemFormat::Memory => ItemValue::Bytes(&self.bytes),
            ItemFormat::I8 | ItemFormat::I16 | ItemFormat::I32 => {
                ItemValue::Signed(self.number as i32)
            }
            _ => ItemValue::Unsigned(self.number),
        };
        UserItem {
            format: self.form,
            width: self.width,
            value,
        }
    }
}

/// The priority of the active objects in all records.
pub(crate) const PRIORITY: u8 = 5;

impl SampleRecord {
    /// Records it with the method of its id. Returns `false` if there is none.
    pub(crate) fn record<S: StreamSetup, M: Mask, C: Clock>(
        &self,
        target: &RkhRecorder<S, M, C>,
    ) -> bool {
        let number = |index: usize| self.numbers.get(index).copied().unwrap_or_default();
        let byte = |index| number(index) as u8;
        let at = |index| Address(number(index));
        let ao = |index| ActiveObject::new(at(index), PRIORITY);
        let role = |index| ActionRole::from_number(number(index)).unwrap_or(ActionRole::Effect);
        let text = &self.text[..];
        match self.id {
            0x00 => target.mp_init(at(0), number(1), number(2)),
            0x01 => target.mp_get(at(0), number(1), number(2)),
            0x02 => target.mp_put(at(0), number(1)),
            0x20 => target.que_init(at(0), at(1), number(2)),
            0x21 => target.que_get(at(0), number(1)),
            0x22 => target.que_fifo(at(0), number(1), number(2)),
            0x23 => target.que_lifo(at(0), number(1), number(2)),
            0x24 => target.que_full(at(0)),
            0x25 => target.que_dpt(at(0)),
            0x26 => target.que_get_last(at(0)),
            0x40 => target.sma_act(ao(0), byte(1), byte(2)),
            0x41 => target.sma_term(ao(0), byte(1)),
            0x42 => target.sma_get(ao(0), number(1), byte(2), byte(3), number(4), number(5)),
            0x43 => target.sma_fifo(
                ao(0),
                number(1),
                at(2),
                byte(3),
                byte(4),
                number(5),
                number(6),
            ),
            0x44 => target.sma_lifo(
                ao(0),
                number(1),
                at(2),
                byte(3),
                byte(4),
                number(5),
                number(6),
            ),
            0x45 => target.sma_reg(ao(0), byte(1)),
            0x46 => target.sma_unreg(ao(0), byte(1)),
            0x47 => target.sma_defer(at(0), number(1)),
            0x48 => target.sma_rcall(at(0), number(1)),
            0x60 => target.sm_init(ao(0), at(1)),
            0x61 => target.sm_clrh(ao(0), at(1)),
            0x62 => target.sm_trn(ao(0), at(1), at(2)),
            0x63 => target.sm_state(ao(0), at(1)),
            0x64 => target.sm_enstate(ao(0), at(1)),
            0x65 => target.sm_exstate(ao(0), at(1)),
            0x66 => target.sm_nenex(ao(0), byte(1), byte(2)),
            0x67 => target.sm_ntrnact(ao(0), byte(1), byte(2)),
            0x68 => target.sm_ts_state(ao(0), at(1)),
            0x69 => target.sm_evt_proc(ao(0)),
            0x6A => target.sm_evt_nfound(ao(0), number(1)),
            0x6B => target.sm_grd_false(ao(0)),
            0x6C => target.sm_cnd_nfound(ao(0)),
            0x6D => target.sm_unkn_state(ao(0)),
            0x6E => target.sm_ex_hlevel(ao(0)),
            0x6F => target.sm_ex_tseg(ao(0)),
            0x70 => target.sm_exe_act(role(0), ao(1), at(2), at(3)),
            0x71 => target.sm_dch(ao(0), number(1), at(2)),
            0x80 => target.tmr_init(at(0), number(1)),
            0x81 => target.tmr_start(at(0), at(1), number(2), number(3)),
            0x82 => target.tmr_stop(at(0), number(1), number(2)),
            0x83 => target.tmr_tout(at(0), number(1), ao(2)),
            0x84 => target.tmr_rem(at(0)),
            0xA0 => target.fwk_en(),
            0xA1 => target.fwk_ex(),
            0xA2 => target.fwk_epreg(byte(0), number(1), number(2), number(3)),
            0xA3 => target.fwk_ae(
                number(0),
                number(1),
                byte(2),
                byte(3),
                number(4),
                number(5),
                at(6),
            ),
            0xA4 => target.fwk_gc(number(0), byte(1), byte(2)),
            0xA5 => target.fwk_gcr(number(0), byte(1), byte(2), number(3), number(4), at(5)),
            0xA6 => target.fwk_obj(at(0), text),
            0xA7 => target.fwk_sig(number(0), text),
            0xA8 => target.fwk_fun(at(0), text),
            0xA9 => target.fwk_exe_fun(at(0)),
            0xAA => target.fwk_sync_evt(at(0), at(1), at(2)),
            0xAB => assert!(target.fwk_tusr(number(0), text)),
            0xAD => target.fwk_assert(text, number(0) as u16),
            0xAE => target.fwk_ao(at(0), text),
            0xAF => target.fwk_state(at(0), at(1), text),
            0xB0 => target.fwk_pstate(at(0), at(1), text),
            0xB1 => target.fwk_timer(at(0), text),
            0xB2 => target.fwk_epool(byte(0), text),
            0xB3 => target.fwk_queue(at(0), text),
            0xB4 => target.fwk_actor(at(0), text),
            0xC0..=0xDF => {
                let items: Vec<_> = self.items.iter().map(OwnedItem::borrow).collect();
                target.user(self.id.into(), &items);
            }
            0xE0 => target.ut_init(number(0)),
            0xE1 => target.ut_cleanup(number(0)),
            0xE2 => target.ut_verify(number(0)),
            0xE3 => target.ut_ignore_group(number(0), byte(1)),
            0xE4 => target.ut_expect(number(0), self.expected()),
            0xE5 => target.ut_expect_anyargs(number(0), byte(1)),
            0xE6 => target.ut_ignore(number(0), byte(1)),
            0xE7 => target.ut_ignore_arg(number(0), byte(1), byte(2)),
            _ => return false,
        }
        true
    }

    fn expected(&self) -> ExpectedEvent {
        let number = |index: usize| self.numbers.get(index + 2).copied().unwrap_or_default();
        let at = |index| Address(number(index));
        match self.numbers[1] {
            0x60 => ExpectedEvent::Init(at(0)),
            0x61 => ExpectedEvent::Clrh(at(0)),
            0x62 => ExpectedEvent::Trn(at(0), at(1)),
            0x63 => ExpectedEvent::State(at(0)),
            0x64 => ExpectedEvent::Enstate(at(0)),
            0x65 => ExpectedEvent::Exstate(at(0)),
            0x66 => ExpectedEvent::Nenex(number(0) as u8, number(1) as u8),
            0x67 => ExpectedEvent::Ntrnact(number(0) as u8, number(1) as u8),
            0x68 => ExpectedEvent::TsState(at(0)),
            0x69 => ExpectedEvent::EvtProc,
            0x6A => ExpectedEvent::EvtNfound(number(0)),
            0x6B => ExpectedEvent::GrdFalse,
            0x6C => ExpectedEvent::CndNfound,
            0x6D => ExpectedEvent::UnknState,
            0x6E => ExpectedEvent::ExHlevel,
            0x6F => ExpectedEvent::ExTseg,
            0x70 => ExpectedEvent::ExeAct(
                ActionRole::from_number(number(0)).unwrap_or(ActionRole::Effect),
                at(1),
                at(2),
            ),
            0x71 => ExpectedEvent::Dch(number(0), at(1)),
            other => panic!("{other:#x} cannot be expected"),
        }
    }

    /// Its frame in the format, with its flag.
    pub(crate) fn frame(
        &self,
        configuration: &StreamConfiguration,
        sequence: u8,
        timestamp: u32,
    ) -> Vec<u8> {
        let spec = record_spec(configuration.dialect, self.id).unwrap();
        let mut bytes = Vec::new();
        let sink = |byte| bytes.push(byte);
        if spec.layout == ArgumentLayout::Items {
            let items: Vec<_> = self.items.iter().map(OwnedItem::borrow).collect();
            encode_items(sink, configuration, self.id, sequence, timestamp, &items).unwrap();
        } else {
            let mut values: Vec<_> = self
                .numbers
                .iter()
                .copied()
                .map(ArgumentValue::Number)
                .collect();
            let text = spec
                .arguments
                .iter()
                .position(|argument| argument.kind.width(configuration).is_none());
            if let Some(index) = text {
                values.insert(index, ArgumentValue::Text(&self.text));
            }
            encode(sink, configuration, self.id, sequence, timestamp, &values).unwrap();
        }
        bytes
    }
}
