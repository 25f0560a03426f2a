//! The records of each dialect, concatenated from the groups that versions share.

use super::record_groups::{
    DCH_2_4_4, DCH_3, EXE_ACT, FLAT, FWK_2_3, FWK_2_4_3, FWK_2_4_4, FWK_2_4_5, FWK_3, MP, MP_2_3,
    QUE, QUE_2_3, SM, SM_2_3_ABOVE, SM_2_3_BELOW, SM_CSTATE, SM_TS_STATE, SMA_2_3, SMA_2_4_3,
    SMA_2_4_4, SMA_3, TMR, TMR_2_3, TMR_2_4_3, USR, UT,
};
use super::record_groups::{concat, total_len};
use super::{Dialect, RecordSpec};

/// The records of a dialect and an index by id.
pub(super) struct DialectTable {
    pub(super) records: &'static [RecordSpec],
    /// For each id, the index of its record, or [`NO_RECORD`].
    index: [u8; 256],
}

/// Marks an id without a record: no dialect has 255 records.
const NO_RECORD: u8 = 0xFF;

impl DialectTable {
    const fn new(records: &'static [RecordSpec]) -> Self {
        assert!(records.len() < NO_RECORD as usize, "an index of one byte");
        let mut index = [NO_RECORD; 256];
        let mut position = 0;
        while position < records.len() {
            index[records[position].id as usize] = position as u8;
            position += 1;
        }
        Self { records, index }
    }

    #[inline]
    pub(super) fn find(&'static self, id: u8) -> Option<&'static RecordSpec> {
        let position = self.index.get(usize::from(id))?;
        self.records.get(usize::from(*position))
    }
}

#[inline]
pub(super) fn dialect_table(dialect: Dialect) -> &'static DialectTable {
    match dialect {
        Dialect::Flat => &TABLE_FLAT,
        Dialect::V2_3 => &TABLE_2_3,
        Dialect::V2_4_3 => &TABLE_2_4_3,
        Dialect::V2_4_4 => &TABLE_2_4_4,
        Dialect::V2_4_5 => &TABLE_2_4_5,
        Dialect::V3 => &TABLE_3,
    }
}

/// Concatenates groups to a table at compile time.
macro_rules! table {
    ($name:ident = $parts:expr) => {
        static $name: DialectTable = {
            const PARTS: &[&[RecordSpec]] = $parts;
            const RECORDS: [RecordSpec; total_len(PARTS)] = concat(PARTS);
            DialectTable::new(&RECORDS)
        };
    };
}

table!(TABLE_FLAT = &[FLAT]);
table!(
    TABLE_2_3 = &[
        MP_2_3,
        QUE_2_3,
        SMA_2_3,
        SM_2_3_BELOW,
        SM_CSTATE,
        SM_2_3_ABOVE,
        TMR_2_3,
        FWK_2_3,
        USR
    ]
);
table!(
    TABLE_2_4_3 = &[
        MP,
        QUE,
        SMA_2_4_3,
        SM_2_3_BELOW,
        SM_TS_STATE,
        SM_2_3_ABOVE,
        TMR_2_4_3,
        FWK_2_4_3,
        USR
    ]
);
table!(TABLE_2_4_4 = &[MP, QUE, SMA_2_4_4, DCH_2_4_4, SM, TMR, FWK_2_4_4, USR]);
table!(
    TABLE_2_4_5 = &[
        MP, QUE, SMA_2_4_4, DCH_2_4_4, SM, EXE_ACT, TMR, FWK_2_4_5, USR, UT
    ]
);
const PARTS_3: &[&[RecordSpec]] = &[MP, QUE, SMA_3, SM, EXE_ACT, DCH_3, TMR, FWK_3, USR, UT];
table!(TABLE_3 = PARTS_3);

/// The ids of RKH 3's records with a header, one bit each.
pub(super) const IDS_3: [u32; 8] = {
    let mut ids = [0; 8];
    let mut part = 0;
    while part < PARTS_3.len() {
        let mut position = 0;
        while position < PARTS_3[part].len() {
            let record = &PARTS_3[part][position];
            ids[record.id as usize / 32] |= (!record.headerless as u32) << (record.id % 32);
            position += 1;
        }
        part += 1;
    }
    ids
};
