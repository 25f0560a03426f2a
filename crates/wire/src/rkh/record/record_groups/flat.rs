//! RKH 2.0 to 2.2.1.

use super::super::{FilterLevel, Group, RecordSpec};
use super::arguments::{
    AO, EP, ES, FN, H, IST, MP as POOL, NB, NELEM, NEN, NEX, NFREE, NM, NT, NTA, NTS_FLAT, NXTST,
    OBJ, PRIO, Q, RESULT, SIG, SS, SST, ST, T, TST, VERTEX,
};
use super::spec;
use FilterLevel::{Group as Grouped, Object};
use Group::{Fwk, Mp, Que, Sm, Sma, Tmr};

pub(in super::super) const FLAT: &[RecordSpec] = &[
    spec(0, Mp, "INIT", Grouped, &[POOL, NB]),
    spec(1, Mp, "GET", Grouped, &[POOL, NFREE]),
    spec(2, Mp, "PUT", Grouped, &[POOL, NFREE]),
    spec(3, Que, "INIT", Grouped, &[Q, AO, NELEM]),
    spec(4, Que, "GET", Grouped, &[Q, NELEM]),
    spec(5, Que, "FIFO", Grouped, &[Q, NELEM]),
    spec(6, Que, "LIFO", Grouped, &[Q, NELEM]),
    spec(7, Que, "FULL", Grouped, &[Q]),
    spec(8, Que, "DPT", Grouped, &[Q]),
    spec(9, Que, "GET_LAST", Grouped, &[Q]),
    spec(10, Sma, "ACT", Object, &[AO]),
    spec(11, Sma, "TERM", Object, &[AO]),
    spec(12, Sma, "GET", Object, &[AO, SIG]),
    spec(13, Sma, "FIFO", Object, &[AO, SIG]),
    spec(14, Sma, "LIFO", Object, &[AO, SIG]),
    spec(15, Sma, "REG", Object, &[AO, PRIO]),
    spec(16, Sma, "UNREG", Object, &[AO, PRIO]),
    spec(17, Sm, "INIT", Object, &[AO, IST]),
    spec(18, Sm, "CLRH", Object, &[AO, H]),
    spec(19, Sm, "DCH", Object, &[AO, SIG]),
    spec(20, Sm, "TRN", Object, &[AO, SST, TST]),
    spec(21, Sm, "STATE", Object, &[AO, NXTST]),
    spec(22, Sm, "ENSTATE", Object, &[AO, ST]),
    spec(23, Sm, "EXSTATE", Object, &[AO, ST]),
    spec(24, Sm, "NENEX", Object, &[AO, NEN, NEX]),
    // Without the second count before the release of 2.0.
    spec(25, Sm, "NTRNACT", Object, &[AO, NTA, NTS_FLAT]),
    spec(26, Sm, "CSTATE", Object, &[AO, VERTEX]),
    spec(27, Sm, "DCH_RC", Object, &[AO, RESULT]),
    spec(28, Tmr, "INIT", Grouped, &[T, SIG]),
    spec(29, Tmr, "START", Grouped, &[T, AO, NT]),
    spec(30, Tmr, "RESTART", Grouped, &[T, NT]),
    spec(31, Tmr, "STOP", Grouped, &[T]),
    spec(32, Tmr, "TOUT", Grouped, &[T]),
    spec(33, Tmr, "REM", Grouped, &[T]),
    spec(34, Tmr, "ATTEMPT_STOP", Grouped, &[T]),
    spec(35, Fwk, "EN", Grouped, &[]),
    spec(36, Fwk, "EX", Grouped, &[]),
    spec(37, Fwk, "EPREG", Grouped, &[EP, SS, ES]),
    spec(38, Fwk, "AE", Grouped, &[ES, SIG]),
    spec(39, Fwk, "GC", Grouped, &[SIG]),
    spec(40, Fwk, "GCR", Grouped, &[SIG]),
    spec(41, Fwk, "DEFER", Grouped, &[Q, SIG]),
    spec(42, Fwk, "RCALL", Grouped, &[AO, SIG]),
    spec(43, Fwk, "OBJ", Grouped, &[OBJ, NM]),
    spec(44, Fwk, "SIG", Grouped, &[SIG, NM]),
    spec(45, Fwk, "FUN", Grouped, &[FN, NM]),
    spec(46, Fwk, "EXE_FUN", Grouped, &[FN]),
];
