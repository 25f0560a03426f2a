//! RKH 2.0 to 2.2.1.

use super::super::{Filtered, Group, Record};
use super::arguments::{
    AO, EP, ES, FN, H, IST, MP as POOL, NB, NELEM, NEN, NEX, NFREE, NM, NT, NTA, NTS_FLAT, NXTST,
    OBJ, PRIO, Q, RESULT, SIG, SS, SST, ST, T, TST, VERTEX,
};
use super::row;
use Filtered::{Group as Grouped, Object};
use Group::{Fwk, Mp, Que, Sm, Sma, Tmr};

pub(in super::super) const FLAT: &[Record] = &[
    row(0, Mp, "INIT", Grouped, &[POOL, NB]),
    row(1, Mp, "GET", Grouped, &[POOL, NFREE]),
    row(2, Mp, "PUT", Grouped, &[POOL, NFREE]),
    row(3, Que, "INIT", Grouped, &[Q, AO, NELEM]),
    row(4, Que, "GET", Grouped, &[Q, NELEM]),
    row(5, Que, "FIFO", Grouped, &[Q, NELEM]),
    row(6, Que, "LIFO", Grouped, &[Q, NELEM]),
    row(7, Que, "FULL", Grouped, &[Q]),
    row(8, Que, "DPT", Grouped, &[Q]),
    row(9, Que, "GET_LAST", Grouped, &[Q]),
    row(10, Sma, "ACT", Object, &[AO]),
    row(11, Sma, "TERM", Object, &[AO]),
    row(12, Sma, "GET", Object, &[AO, SIG]),
    row(13, Sma, "FIFO", Object, &[AO, SIG]),
    row(14, Sma, "LIFO", Object, &[AO, SIG]),
    row(15, Sma, "REG", Object, &[AO, PRIO]),
    row(16, Sma, "UNREG", Object, &[AO, PRIO]),
    row(17, Sm, "INIT", Object, &[AO, IST]),
    row(18, Sm, "CLRH", Object, &[AO, H]),
    row(19, Sm, "DCH", Object, &[AO, SIG]),
    row(20, Sm, "TRN", Object, &[AO, SST, TST]),
    row(21, Sm, "STATE", Object, &[AO, NXTST]),
    row(22, Sm, "ENSTATE", Object, &[AO, ST]),
    row(23, Sm, "EXSTATE", Object, &[AO, ST]),
    row(24, Sm, "NENEX", Object, &[AO, NEN, NEX]),
    // Without the second count before the release of 2.0.
    row(25, Sm, "NTRNACT", Object, &[AO, NTA, NTS_FLAT]),
    row(26, Sm, "CSTATE", Object, &[AO, VERTEX]),
    row(27, Sm, "DCH_RC", Object, &[AO, RESULT]),
    row(28, Tmr, "INIT", Grouped, &[T, SIG]),
    row(29, Tmr, "START", Grouped, &[T, AO, NT]),
    row(30, Tmr, "RESTART", Grouped, &[T, NT]),
    row(31, Tmr, "STOP", Grouped, &[T]),
    row(32, Tmr, "TOUT", Grouped, &[T]),
    row(33, Tmr, "REM", Grouped, &[T]),
    row(34, Tmr, "ATTEMPT_STOP", Grouped, &[T]),
    row(35, Fwk, "EN", Grouped, &[]),
    row(36, Fwk, "EX", Grouped, &[]),
    row(37, Fwk, "EPREG", Grouped, &[EP, SS, ES]),
    row(38, Fwk, "AE", Grouped, &[ES, SIG]),
    row(39, Fwk, "GC", Grouped, &[SIG]),
    row(40, Fwk, "GCR", Grouped, &[SIG]),
    row(41, Fwk, "DEFER", Grouped, &[Q, SIG]),
    row(42, Fwk, "RCALL", Grouped, &[AO, SIG]),
    row(43, Fwk, "OBJ", Grouped, &[OBJ, NM]),
    row(44, Fwk, "SIG", Grouped, &[SIG, NM]),
    row(45, Fwk, "FUN", Grouped, &[FN, NM]),
    row(46, Fwk, "EXE_FUN", Grouped, &[FN]),
];
