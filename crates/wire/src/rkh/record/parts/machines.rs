//! State machines.

use super::super::{Filtered, Group, Record};
use super::arguments::{
    AO, FN, H, IST, NEN, NEX, NTA, NTS, NXTST, SIG, SST, ST, TST, TYPE, VERTEX,
};
use super::row;
use Filtered::{Object, Signal};
use Group::{Sm, Sma};

/// 2.3 to 2.4.03, up to the name that changed.
pub(in super::super) const SM_2_3_BELOW: &[Record] = &[
    row(0x60, Sm, "INIT", Object, &[AO, IST]),
    row(0x61, Sm, "CLRH", Object, &[AO, H]),
    row(0x62, Sm, "DCH", Object, &[AO, SIG]),
    row(0x63, Sm, "TRN", Object, &[AO, SST, TST]),
    row(0x64, Sm, "STATE", Object, &[AO, NXTST]),
    row(0x65, Sm, "ENSTATE", Object, &[AO, ST]),
    row(0x66, Sm, "EXSTATE", Object, &[AO, ST]),
    row(0x67, Sm, "NENEX", Object, &[AO, NEN, NEX]),
    row(0x68, Sm, "NTRNACT", Object, &[AO, NTA, NTS]),
];

/// 2.3 and 2.4.
pub(in super::super) const SM_CSTATE: &[Record] = &[row(0x69, Sm, "CSTATE", Object, &[AO, VERTEX])];

/// 2.4.03.
pub(in super::super) const SM_TS_STATE: &[Record] =
    &[row(0x69, Sm, "TS_STATE", Object, &[AO, VERTEX])];

/// 2.3 to 2.4.03, from the name that changed.
pub(in super::super) const SM_2_3_ABOVE: &[Record] = &[
    row(0x6A, Sm, "EVT_PROC", Object, &[AO]),
    row(0x6B, Sm, "EVT_NFOUND", Object, &[AO]),
    row(0x6C, Sm, "GRD_FALSE", Object, &[AO]),
    row(0x6D, Sm, "CND_NFOUND", Object, &[AO]),
    row(0x6E, Sm, "UNKN_STATE", Object, &[AO]),
    row(0x6F, Sm, "EX_HLEVEL", Object, &[AO]),
    row(0x70, Sm, "EX_TSEG", Object, &[AO]),
];

/// 2.4.04 on.
pub(in super::super) const SM: &[Record] = &[
    row(0x60, Sm, "INIT", Object, &[AO, IST]),
    row(0x61, Sm, "CLRH", Object, &[AO, H]),
    row(0x62, Sm, "TRN", Object, &[AO, SST, TST]),
    row(0x63, Sm, "STATE", Object, &[AO, NXTST]),
    row(0x64, Sm, "ENSTATE", Object, &[AO, ST]),
    row(0x65, Sm, "EXSTATE", Object, &[AO, ST]),
    row(0x66, Sm, "NENEX", Object, &[AO, NEN, NEX]),
    row(0x67, Sm, "NTRNACT", Object, &[AO, NTA, NTS]),
    row(0x68, Sm, "TS_STATE", Object, &[AO, VERTEX]),
    row(0x69, Sm, "EVT_PROC", Object, &[AO]),
    row(0x6A, Sm, "EVT_NFOUND", Signal, &[AO, SIG]),
    row(0x6B, Sm, "GRD_FALSE", Object, &[AO]),
    row(0x6C, Sm, "CND_NFOUND", Object, &[AO]),
    row(0x6D, Sm, "UNKN_STATE", Object, &[AO]),
    row(0x6E, Sm, "EX_HLEVEL", Object, &[AO]),
    row(0x6F, Sm, "EX_TSEG", Object, &[AO]),
];

/// 2.4.05 on.
pub(in super::super) const EXE_ACT: &[Record] =
    &[row(0x70, Sm, "EXE_ACT", Object, &[TYPE, AO, ST, FN])];

/// 2.4.04 to 2.4.06.
pub(in super::super) const DCH_2_4_4: &[Record] = &[row(0x47, Sma, "DCH", Signal, &[AO, SIG, ST])];

/// 3.0 on.
pub(in super::super) const DCH_3: &[Record] = &[row(0x71, Sm, "DCH", Signal, &[AO, SIG, ST])];
