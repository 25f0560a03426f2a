//! Records that are the same in several versions, by group.

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

use super::{Argument, Filtered, Group, Record, Shape};

/// A record that most are like.
const fn row(
    id: u8,
    group: Group,
    name: &'static str,
    filter: Filtered,
    arguments: &'static [Argument],
) -> Record {
    Record {
        id,
        group,
        name,
        filter,
        shape: Shape::Fixed,
        bare: false,
        arguments,
    }
}

impl Record {
    const fn shaped(mut self, shape: Shape) -> Self {
        self.shape = shape;
        self
    }

    const fn without_header(mut self) -> Self {
        self.bare = true;
        self
    }
}

/// Records of all `parts`.
pub(super) const fn count(parts: &[&[Record]]) -> usize {
    let mut sum = 0;
    let mut part = 0;
    while part < parts.len() {
        sum += parts[part].len();
        part += 1;
    }
    sum
}

/// `parts` one after the other, at compile time.
pub(super) const fn join<const COUNT: usize>(parts: &[&[Record]]) -> [Record; COUNT] {
    assert!(COUNT == count(parts), "as many records as the parts have");
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
