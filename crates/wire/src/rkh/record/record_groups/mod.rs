//! Records shared by several versions, by group.

mod applications;
mod arguments;
mod flat;
mod framework;
mod machines;
mod objects;

pub(super) use applications::{USR, UT};
pub(super) use flat::FLAT;
pub(super) use framework::{FWK_2_3, FWK_2_4_3, FWK_2_4_4, FWK_2_4_5, FWK_3};
pub(super) use machines::{
    DCH_2_4_4, DCH_3, EXE_ACT, SM, SM_2_3_ABOVE, SM_2_3_BELOW, SM_CSTATE, SM_TS_STATE,
};
pub(super) use objects::{
    MP, MP_2_3, QUE, QUE_2_3, SMA_2_3, SMA_2_4_3, SMA_2_4_4, SMA_3, TMR, TMR_2_3, TMR_2_4_3,
};

use super::{ArgumentLayout, ArgumentSpec, FilterLevel, Group, RecordSpec};

/// A record with a header and a fixed list of arguments.
const fn spec(
    id: u8,
    group: Group,
    name: &'static str,
    filter: FilterLevel,
    arguments: &'static [ArgumentSpec],
) -> RecordSpec {
    RecordSpec {
        id,
        group,
        name,
        filter,
        layout: ArgumentLayout::Fixed,
        headerless: false,
        arguments,
    }
}

impl RecordSpec {
    const fn with_layout(mut self, shape: ArgumentLayout) -> Self {
        self.layout = shape;
        self
    }

    const fn without_header(mut self) -> Self {
        self.headerless = true;
        self
    }
}

/// Number of records in all `parts`.
pub(super) const fn total_len(parts: &[&[RecordSpec]]) -> usize {
    let mut sum = 0;
    let mut part = 0;
    while part < parts.len() {
        sum += parts[part].len();
        part += 1;
    }
    sum
}

/// Concatenates `parts` at compile time.
pub(super) const fn concat<const COUNT: usize>(parts: &[&[RecordSpec]]) -> [RecordSpec; COUNT] {
    assert!(
        COUNT == total_len(parts),
        "as many records as the parts have"
    );
    let mut records = [parts[0][0]; COUNT];
    let (mut part, mut within, mut at) = (0, 0, 0);
    while part < parts.len() {
        if within == parts[part].len() {
            part += 1;
            within = 0;
        } else {
            records[at] = parts[part][within];
            within += 1;
            at += 1;
        }
    }
    records
}
