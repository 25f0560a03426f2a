//! State machines.

use super::super::{FilterLevel, Group, RecordSpec};
use super::arguments::{
    AO, FN, H, IST, NEN, NEX, NTA, NTS, NXTST, SIG, SST, ST, TST, TYPE, VERTEX,
};
use super::spec;
use FilterLevel::{Object, Signal};
use Group::{Sm, Sma};

/// 2.3 to 2.4.03, up to the record whose name changed.
pub(in super::super) const SM_2_3_BELOW: &[RecordSpec] = &[
    spec(0x60, Sm, "INIT", Object, &[AO, IST]),
    spec(0x61, Sm, "CLRH", Object, &[AO, H]),
    spec(0x62, Sm, "DCH", Object, &[AO, SIG]),
    spec(0x63, Sm, "TRN", Object, &[AO, SST, TST]),
    spec(0x64, Sm, "STATE", Object, &[AO, NXTST]),
    spec(0x65, Sm, "ENSTATE", Object, &[AO, ST]),
    spec(0x66, Sm, "EXSTATE", Object, &[AO, ST]),
    spec(0x67, Sm, "NENEX", Object, &[AO, NEN, NEX]),
    spec(0x68, Sm, "NTRNACT", Object, &[AO, NTA, NTS]),
];

/// 2.3 and 2.4.
pub(in super::super) const SM_CSTATE: &[RecordSpec] =
    &[spec(0x69, Sm, "CSTATE", Object, &[AO, VERTEX])];

/// 2.4.03.
pub(in super::super) const SM_TS_STATE: &[RecordSpec] =
    &[spec(0x69, Sm, "TS_STATE", Object, &[AO, VERTEX])];

/// 2.3 to 2.4.03, after the record whose name changed.
pub(in super::super) const SM_2_3_ABOVE: &[RecordSpec] = &[
    spec(0x6A, Sm, "EVT_PROC", Object, &[AO]),
    spec(0x6B, Sm, "EVT_NFOUND", Object, &[AO]),
    spec(0x6C, Sm, "GRD_FALSE", Object, &[AO]),
    spec(0x6D, Sm, "CND_NFOUND", Object, &[AO]),
    spec(0x6E, Sm, "UNKN_STATE", Object, &[AO]),
    spec(0x6F, Sm, "EX_HLEVEL", Object, &[AO]),
    spec(0x70, Sm, "EX_TSEG", Object, &[AO]),
];

/// Since 2.4.04.
pub(in super::super) const SM: &[RecordSpec] = &[
    spec(0x60, Sm, "INIT", Object, &[AO, IST]),
    spec(0x61, Sm, "CLRH", Object, &[AO, H]),
    spec(0x62, Sm, "TRN", Object, &[AO, SST, TST]),
    spec(0x63, Sm, "STATE", Object, &[AO, NXTST]),
    spec(0x64, Sm, "ENSTATE", Object, &[AO, ST]),
    spec(0x65, Sm, "EXSTATE", Object, &[AO, ST]),
    spec(0x66, Sm, "NENEX", Object, &[AO, NEN, NEX]),
    spec(0x67, Sm, "NTRNACT", Object, &[AO, NTA, NTS]),
    spec(0x68, Sm, "TS_STATE", Object, &[AO, VERTEX]),
    spec(0x69, Sm, "EVT_PROC", Object, &[AO]),
    spec(0x6A, Sm, "EVT_NFOUND", Signal, &[AO, SIG]),
    spec(0x6B, Sm, "GRD_FALSE", Object, &[AO]),
    spec(0x6C, Sm, "CND_NFOUND", Object, &[AO]),
    spec(0x6D, Sm, "UNKN_STATE", Object, &[AO]),
    spec(0x6E, Sm, "EX_HLEVEL", Object, &[AO]),
    spec(0x6F, Sm, "EX_TSEG", Object, &[AO]),
];

/// Since 2.4.05.
pub(in super::super) const EXE_ACT: &[RecordSpec] =
    &[spec(0x70, Sm, "EXE_ACT", Object, &[TYPE, AO, ST, FN])];

/// 2.4.04 to 2.4.06.
pub(in super::super) const DCH_2_4_4: &[RecordSpec] =
    &[spec(0x47, Sma, "DCH", Signal, &[AO, SIG, ST])];

/// Since 3.0.
pub(in super::super) const DCH_3: &[RecordSpec] = &[spec(0x71, Sm, "DCH", Signal, &[AO, SIG, ST])];
