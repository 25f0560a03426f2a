//! Memory pools, queues, active objects and timers.

use super::super::{Filtered, Group, Record};
use super::arguments::{
    AO, BS, MP as POOL, NB, NELEM, NFREE, NMIN_MP, NMIN_Q, NT, PER, PID, PRIO, Q, RC, SIG, SIZE,
    SNR, T,
};
use super::row;
use Filtered::{Group as Grouped, Object, Signal};
use Group::{Mp, Que, Sma, Tmr};

pub(in super::super) const MP_2_3: &[Record] = &[
    row(0x00, Mp, "INIT", Grouped, &[POOL, NB]),
    row(0x01, Mp, "GET", Grouped, &[POOL, NFREE]),
    row(0x02, Mp, "PUT", Grouped, &[POOL, NFREE]),
];

pub(in super::super) const MP: &[Record] = &[
    row(0x00, Mp, "INIT", Grouped, &[POOL, NB, BS]),
    row(0x01, Mp, "GET", Grouped, &[POOL, NFREE, NMIN_MP]),
    row(0x02, Mp, "PUT", Grouped, &[POOL, NFREE]),
];

pub(in super::super) const QUE_2_3: &[Record] = &[
    row(0x20, Que, "INIT", Grouped, &[Q, AO, NELEM]),
    row(0x21, Que, "GET", Grouped, &[Q, NELEM]),
    row(0x22, Que, "FIFO", Grouped, &[Q, NELEM]),
    row(0x23, Que, "LIFO", Grouped, &[Q, NELEM]),
    row(0x24, Que, "FULL", Grouped, &[Q]),
    row(0x25, Que, "DPT", Grouped, &[Q]),
    row(0x26, Que, "GET_LAST", Grouped, &[Q]),
];

pub(in super::super) const QUE: &[Record] = &[
    row(0x20, Que, "INIT", Grouped, &[Q, AO, NELEM]),
    row(0x21, Que, "GET", Grouped, &[Q, NELEM]),
    row(0x22, Que, "FIFO", Grouped, &[Q, NELEM, NMIN_Q]),
    row(0x23, Que, "LIFO", Grouped, &[Q, NELEM, NMIN_Q]),
    row(0x24, Que, "FULL", Grouped, &[Q]),
    row(0x25, Que, "DPT", Grouped, &[Q]),
    row(0x26, Que, "GET_LAST", Grouped, &[Q]),
];

pub(in super::super) const SMA_2_3: &[Record] = &[
    row(0x40, Sma, "ACT", Object, &[AO]),
    row(0x41, Sma, "TERM", Object, &[AO]),
    row(0x42, Sma, "GET", Object, &[AO, SIG]),
    row(0x43, Sma, "FIFO", Object, &[AO, SIG]),
    row(0x44, Sma, "LIFO", Object, &[AO, SIG]),
    row(0x45, Sma, "REG", Object, &[AO, PRIO]),
    row(0x46, Sma, "UNREG", Object, &[AO, PRIO]),
];

pub(in super::super) const SMA_2_4_3: &[Record] = &sma_2_4(Object);

pub(in super::super) const SMA_2_4_4: &[Record] = &sma_2_4(Signal);

/// 2.4.04 added the filter of signals.
const fn sma_2_4(events: Filtered) -> [Record; 7] {
    [
        row(0x40, Sma, "ACT", Object, &[AO, PRIO]),
        row(0x41, Sma, "TERM", Object, &[AO, PRIO]),
        row(0x42, Sma, "GET", events, &[AO, SIG, PID, RC]),
        row(0x43, Sma, "FIFO", events, &[AO, SIG, SNR, PID, RC]),
        row(0x44, Sma, "LIFO", events, &[AO, SIG, SNR, PID, RC]),
        row(0x45, Sma, "REG", Object, &[AO, PRIO]),
        row(0x46, Sma, "UNREG", Object, &[AO, PRIO]),
    ]
}

pub(in super::super) const SMA_3: &[Record] = &[
    row(0x40, Sma, "ACT", Object, &[AO, PRIO, SIZE]),
    row(0x41, Sma, "TERM", Object, &[AO, PRIO]),
    row(0x42, Sma, "GET", Signal, &[AO, SIG, PID, RC, NELEM, NMIN_Q]),
    row(
        0x43,
        Sma,
        "FIFO",
        Signal,
        &[AO, SIG, SNR, PID, RC, NELEM, NMIN_Q],
    ),
    row(
        0x44,
        Sma,
        "LIFO",
        Signal,
        &[AO, SIG, SNR, PID, RC, NELEM, NMIN_Q],
    ),
    row(0x45, Sma, "REG", Object, &[AO, PRIO]),
    row(0x46, Sma, "UNREG", Object, &[AO, PRIO]),
    row(0x47, Sma, "DEFER", Grouped, &[Q, SIG]),
    row(0x48, Sma, "RCALL", Grouped, &[AO, SIG]),
];

pub(in super::super) const TMR_2_3: &[Record] = &[
    row(0x80, Tmr, "INIT", Grouped, &[T, SIG]),
    row(0x81, Tmr, "START", Grouped, &[T, AO, NT]),
    row(0x82, Tmr, "STOP", Grouped, &[T]),
    row(0x83, Tmr, "TOUT", Grouped, &[T]),
    row(0x84, Tmr, "REM", Grouped, &[T]),
];

pub(in super::super) const TMR_2_4_3: &[Record] = &tmr(Grouped);

pub(in super::super) const TMR: &[Record] = &tmr(Signal);

/// 2.4.04 added the filter of signals.
const fn tmr(timeouts: Filtered) -> [Record; 5] {
    [
        row(0x80, Tmr, "INIT", Grouped, &[T, SIG]),
        row(0x81, Tmr, "START", Grouped, &[T, AO, NT, PER]),
        row(0x82, Tmr, "STOP", Grouped, &[T, NT, PER]),
        row(0x83, Tmr, "TOUT", timeouts, &[T, SIG, AO]),
        row(0x84, Tmr, "REM", Grouped, &[T]),
    ]
}
