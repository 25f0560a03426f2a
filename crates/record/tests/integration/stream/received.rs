//! Reads containers as a receiver does, with the format's own crate.

use rtoscope_wire::cswitch::packed::{
    PACKED_HEADER_BYTES, PAUSE_TICKS, PAUSES, PackedEntries, PackedHeader,
};
use rtoscope_wire::cswitch::{
    CSWL_HEADER_BYTES, CoreHistory, CswlHeader, EntryKind, SECTION_HEADER_BYTES, SUMMED_VERSION,
    SectionHeader, SectionTag, WordSum,
};

/// An entry other than one that lets time pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ReceivedEntry {
    pub(crate) time: u64,
    pub(crate) kind: EntryKind,
    pub(crate) operand: u32,
    pub(crate) value: u32,
    /// Number of entries lost before it.
    pub(crate) lost: u64,
}

/// A name: whether it is that of a handler, its number and its text.
pub(crate) type ReceivedName = (bool, u64, String);

/// What a stream contained so far.
#[derive(Debug, Default)]
pub(crate) struct Received {
    pub(crate) entries: Vec<ReceivedEntry>,
    pub(crate) names: Vec<ReceivedName>,
    pub(crate) session: u32,
    /// Number of entries, with those that let time pass.
    count: u64,
    /// The time of the last entry.
    ticks: Option<u64>,
    pub(crate) lost: u64,
}

impl Received {
    /// Receives a container, and checks that it continues those before it.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        let header = CswlHeader::read(bytes).unwrap().unwrap();
        assert_eq!((header.version, header.counter_bits), (SUMMED_VERSION, 32));
        let order = header.order;
        let number = |bytes: &[u8]| u64::from_ne_bytes(bytes[..8].try_into().unwrap());
        let text = |bytes: &[u8]| {
            assert_eq!(bytes.len() % 4, 0);
            let text = String::from_utf8(bytes.to_vec()).unwrap();
            text.trim_end_matches('\0').to_owned()
        };
        let mut at = CSWL_HEADER_BYTES;
        loop {
            let section = SectionHeader::read(&bytes[at..], order).unwrap();
            let content = at + SECTION_HEADER_BYTES;
            let data = &bytes[content..][..section.length as usize];
            match section.tag {
                SectionTag::NAME => self.names.push((false, number(data), text(&data[8..]))),
                SectionTag::SYMBOL => self.names.push((true, number(data), text(&data[16..]))),
                SectionTag::PAST => {
                    let past = CoreHistory::read(data, order).unwrap();
                    if past.session != self.session {
                        (self.count, self.ticks, self.lost) = (0, None, 0);
                    }
                    assert_eq!(past.preceding_entries, self.count);
                    self.session = past.session;
                }
                SectionTag::PACKED => {
                    let header = PackedHeader::read(data, order).unwrap();
                    let entries = PackedEntries::new(&data[PACKED_HEADER_BYTES..], order);
                    self.push_entries(header, entries);
                }
                SectionTag::END => {
                    let sums = WordSum::of(&bytes[..content], order).values();
                    assert_eq!(data, sums.map(u32::to_ne_bytes).concat());
                    assert_eq!(bytes.len(), content + 8);
                    return;
                }
                other => panic!("an unexpected section {other:?}"),
            }
            at = content + section.length as usize;
        }
    }

    fn push_entries(&mut self, header: PackedHeader, entries: PackedEntries<'_>) {
        // Time of suppressed entries may pass between two containers.
        assert!(self.ticks.map_or(true, |ticks| ticks <= header.start_ticks));
        assert!(self.lost <= header.lost);
        self.lost = header.lost;
        let before = self.count;
        let mut ticks = header.start_ticks;
        for entry in entries {
            ticks += u64::from(entry.ticks);
            self.count += 1;
            if entry.kind == PAUSES {
                ticks += u64::from(PAUSE_TICKS) * u64::from(entry.operand);
                self.count += u64::from(entry.operand) - 1;
                continue;
            }
            let kind = EntryKind::from_number(entry.kind).unwrap();
            if kind == EntryKind::Time {
                ticks += u64::from(entry.operand);
                continue;
            }
            self.entries.push(ReceivedEntry {
                time: ticks,
                kind,
                operand: entry.operand,
                value: entry.value,
                lost: header.lost,
            });
        }
        assert_eq!(u64::from(header.entries), self.count - before);
        self.ticks = Some(ticks);
    }
}
