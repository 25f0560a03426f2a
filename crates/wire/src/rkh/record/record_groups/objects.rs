//! Memory pools, queues, active objects and timers.

use super::super::{FilterLevel, Group, RecordSpec};
use super::arguments::{
    AO, BS, MP as POOL, NB, NELEM, NFREE, NMIN_MP, NMIN_Q, NT, PER, PID, PRIO, Q, RC, SIG, SIZE,
    SNR, T,
};
use super::spec;
use FilterLevel::{Group as Grouped, Object, Signal};
use Group::{Mp, Que, Sma, Tmr};

pub(in super::super) const MP_2_3: &[RecordSpec] = &[
    spec(0x00, Mp, "INIT", Grouped, &[POOL, NB]),
    spec(0x01, Mp, "GET", Grouped, &[POOL, NFREE]),
    spec(0x02, Mp, "PUT", Grouped, &[POOL, NFREE]),
];

pub(in super::super) const MP: &[RecordSpec] = &[
    spec(0x00, Mp, "INIT", Grouped, &[POOL, NB, BS]),
    spec(0x01, Mp, "GET", Grouped, &[POOL, NFREE, NMIN_MP]),
    spec(0x02, Mp, "PUT", Grouped, &[POOL, NFREE]),
];

pub(in super::super) const QUE_2_3: &[RecordSpec] = &[
    spec(0x20, Que, "INIT", Grouped, &[Q, AO, NELEM]),
    spec(0x21, Que, "GET", Grouped, &[Q, NELEM]),
    spec(0x22, Que, "FIFO", Grouped, &[Q, NELEM]),
    spec(0x23, Que, "LIFO", Grouped, &[Q, NELEM]),
    spec(0x24, Que, "FULL", Grouped, &[Q]),
    spec(0x25, Que, "DPT", Grouped, &[Q]),
    spec(0x26, Que, "GET_LAST", Grouped, &[Q]),
];

pub(in super::super) const QUE: &[RecordSpec] = &[
    spec(0x20, Que, "INIT", Grouped, &[Q, AO, NELEM]),
    spec(0x21, Que, "GET", Grouped, &[Q, NELEM]),
    spec(0x22, Que, "FIFO", Grouped, &[Q, NELEM, NMIN_Q]),
    spec(0x23, Que, "LIFO", Grouped, &[Q, NELEM, NMIN_Q]),
    spec(0x24, Que, "FULL", Grouped, &[Q]),
    spec(0x25, Que, "DPT", Grouped, &[Q]),
    spec(0x26, Que, "GET_LAST", Grouped, &[Q]),
];

pub(in super::super) const SMA_2_3: &[RecordSpec] = &[
    spec(0x40, Sma, "ACT", Object, &[AO]),
    spec(0x41, Sma, "TERM", Object, &[AO]),
    spec(0x42, Sma, "GET", Object, &[AO, SIG]),
    spec(0x43, Sma, "FIFO", Object, &[AO, SIG]),
    spec(0x44, Sma, "LIFO", Object, &[AO, SIG]),
    spec(0x45, Sma, "REG", Object, &[AO, PRIO]),
    spec(0x46, Sma, "UNREG", Object, &[AO, PRIO]),
];

pub(in super::super) const SMA_2_4_3: &[RecordSpec] = &sma_2_4(Object);

pub(in super::super) const SMA_2_4_4: &[RecordSpec] = &sma_2_4(Signal);

/// 2.4.04 added the filter for signals.
const fn sma_2_4(events: FilterLevel) -> [RecordSpec; 7] {
    [
        spec(0x40, Sma, "ACT", Object, &[AO, PRIO]),
        spec(0x41, Sma, "TERM", Object, &[AO, PRIO]),
        spec(0x42, Sma, "GET", events, &[AO, SIG, PID, RC]),
        spec(0x43, Sma, "FIFO", events, &[AO, SIG, SNR, PID, RC]),
        spec(0x44, Sma, "LIFO", events, &[AO, SIG, SNR, PID, RC]),
        spec(0x45, Sma, "REG", Object, &[AO, PRIO]),
        spec(0x46, Sma, "UNREG", Object, &[AO, PRIO]),
    ]
}

pub(in super::super) const SMA_3: &[RecordSpec] = &[
    spec(0x40, Sma, "ACT", Object, &[AO, PRIO, SIZE]),
    spec(0x41, Sma, "TERM", Object, &[AO, PRIO]),
    spec(0x42, Sma, "GET", Signal, &[AO, SIG, PID, RC, NELEM, NMIN_Q]),
    spec(
        0x43,
        Sma,
        "FIFO",
        Signal,
        &[AO, SIG, SNR, PID, RC, NELEM, NMIN_Q],
    ),
    spec(
        0x44,
        Sma,
        "LIFO",
        Signal,
        &[AO, SIG, SNR, PID, RC, NELEM, NMIN_Q],
    ),
    spec(0x45, Sma, "REG", Object, &[AO, PRIO]),
    spec(0x46, Sma, "UNREG", Object, &[AO, PRIO]),
    spec(0x47, Sma, "DEFER", Grouped, &[Q, SIG]),
    spec(0x48, Sma, "RCALL", Grouped, &[AO, SIG]),
];

pub(in super::super) const TMR_2_3: &[RecordSpec] = &[
    spec(0x80, Tmr, "INIT", Grouped, &[T, SIG]),
    spec(0x81, Tmr, "START", Grouped, &[T, AO, NT]),
    spec(0x82, Tmr, "STOP", Grouped, &[T]),
    spec(0x83, Tmr, "TOUT", Grouped, &[T]),
    spec(0x84, Tmr, "REM", Grouped, &[T]),
];

pub(in super::super) const TMR_2_4_3: &[RecordSpec] = &tmr(Grouped);

pub(in super::super) const TMR: &[RecordSpec] = &tmr(Signal);

/// 2.4.04 added the filter for signals.
const fn tmr(timeouts: FilterLevel) -> [RecordSpec; 5] {
    [
        spec(0x80, Tmr, "INIT", Grouped, &[T, SIG]),
        spec(0x81, Tmr, "START", Grouped, &[T, AO, NT, PER]),
        spec(0x82, Tmr, "STOP", Grouped, &[T, NT, PER]),
        spec(0x83, Tmr, "TOUT", timeouts, &[T, SIG, AO]),
        spec(0x84, Tmr, "REM", Grouped, &[T]),
    ]
}
