//! The framework: events, names, and the target's configuration.

use super::super::{ArgumentLayout, FilterLevel, Group, RecordSpec};
use super::arguments::{
    ACTOR, AO, BSIZE_POOLS, CHK_TSTAMP, EP, EP_0, ES, ESIZE, ESIZE_NSEQ, FILE, FN, FN_SYMBOL,
    LINE_16, NB, NBLOCK_NELEM, NM, NMIN_MP, OBJ, OBJ_ACTOR, OBJ_AO, OBJ_PSTATE, OBJ_QUEUE,
    OBJ_STATE, OBJ_STORAGE, OBJ_TIMER, OPTIONS, OPTIONS_16, PID, PID_0, PS, PTR_NTIMER, Q, RC,
    RECEIVER, SIG, SIG_TSSIZE, SNR, SS, TSHZ, UT, VERSION,
};
use super::{concat, spec};
use FilterLevel::{Group as Grouped, Never};
use Group::Fwk;

pub(in super::super) const FWK_2_3: &[RecordSpec] = &concat::<15>(&[
    &[
        spec(0xA0, Fwk, "EN", Grouped, &[]),
        spec(0xA1, Fwk, "EX", Grouped, &[]),
        spec(0xA2, Fwk, "EPREG", Grouped, &[EP, SS, ES]),
        spec(0xA3, Fwk, "AE", Grouped, &[ES, SIG]),
        spec(0xA4, Fwk, "GC", Grouped, &[SIG]),
        spec(0xA5, Fwk, "GCR", Grouped, &[SIG]),
    ],
    DEFERRED_2,
    NAMED_2,
    FUNCTIONS_2_3,
    &[
        spec(0xAC, Fwk, "TUSR", Never, &[UT, NM]),
        spec(
            0xAD,
            Fwk,
            "TCFG",
            Never,
            &[SIG_TSSIZE, PTR_NTIMER, NBLOCK_NELEM, ESIZE_NSEQ, CHK_TSTAMP],
        )
        .with_layout(ArgumentLayout::Configuration),
        spec(0xAE, Fwk, "ASSERT", Grouped, &[FILE, LINE_16]),
    ],
]);

pub(in super::super) const FWK_2_4_3: &[RecordSpec] = &concat::<21>(&[
    EVENTS_2_4,
    DEFERRED_2,
    NAMED_2,
    FUNCTIONS_2_3,
    &above_functions_2_4(
        0xAC,
        spec(
            0xAD,
            Fwk,
            "TCFG",
            Never,
            &[
                VERSION,
                OPTIONS_16,
                SIG_TSSIZE,
                PTR_NTIMER,
                NBLOCK_NELEM,
                ESIZE_NSEQ,
                CHK_TSTAMP,
                BSIZE_POOLS,
            ],
        )
        .with_layout(ArgumentLayout::Configuration),
    ),
]);

pub(in super::super) const FWK_2_4_4: &[RecordSpec] = &concat::<21>(&[
    EVENTS_2_4,
    DEFERRED_2,
    NAMED_2,
    FUNCTIONS_2_4_4,
    &above_functions_2_4(0xAC, configuration(0xAD)),
]);

pub(in super::super) const FWK_2_4_5: &[RecordSpec] = &concat::<22>(&[
    EVENTS_2_4,
    DEFERRED_2,
    NAMED_2,
    FUNCTIONS_2_4_4,
    &[spec(0xAC, Fwk, "SYNC_EVT", Never, &[FN, SNR, RECEIVER])],
    &above_functions_2_4(0xAD, configuration(0xAE)),
]);

/// 2.4.03 to 2.4.06.
const EVENTS_2_4: &[RecordSpec] = &[
    spec(0xA0, Fwk, "EN", Grouped, &[]),
    spec(0xA1, Fwk, "EX", Grouped, &[]),
    spec(0xA2, Fwk, "EPREG", Grouped, &[EP, SS, ES]),
    spec(0xA3, Fwk, "AE", Grouped, &[ES, SIG, PID_0, RC]),
    spec(0xA4, Fwk, "GC", Grouped, &[SIG, PID, RC]),
    spec(0xA5, Fwk, "GCR", Grouped, &[SIG, PID, RC]),
];

/// 2.3 to 2.4.06.
const DEFERRED_2: &[RecordSpec] = &[
    spec(0xA6, Fwk, "DEFER", Grouped, &[Q, SIG]),
    spec(0xA7, Fwk, "RCALL", Grouped, &[AO, SIG]),
];

/// 2.3 to 2.4.06.
const NAMED_2: &[RecordSpec] = &[
    spec(0xA8, Fwk, "OBJ", Never, &[OBJ, NM]),
    spec(0xA9, Fwk, "SIG", Never, &[SIG, NM]),
];

/// 2.3 to 2.4.03.
const FUNCTIONS_2_3: &[RecordSpec] = &[
    spec(0xAA, Fwk, "FUN", Never, &[FN, NM]),
    spec(0xAB, Fwk, "EXE_FUN", Never, &[FN]),
];

/// 2.4.04 to 2.4.06: `rkh_trc_obj` sends names of functions too.
const FUNCTIONS_2_4_4: &[RecordSpec] = &[
    spec(0xAA, Fwk, "FUN", Never, &[FN_SYMBOL, NM]),
    spec(0xAB, Fwk, "EXE_FUN", Never, &[FN]),
];

/// 2.4.03 to 2.4.06, which number these records from `first` on.
const fn above_functions_2_4(first: u8, configuration: RecordSpec) -> [RecordSpec; 9] {
    [
        spec(first, Fwk, "TUSR", Never, &[UT, NM]),
        configuration,
        spec(first + 2, Fwk, "ASSERT", Grouped, &[FILE, LINE_16]),
        spec(first + 3, Fwk, "AO", Never, &[OBJ_AO, NM]),
        spec(first + 4, Fwk, "STATE", Never, &[AO, OBJ_STATE, NM]),
        spec(first + 5, Fwk, "PSTATE", Never, &[AO, OBJ_PSTATE, NM]),
        spec(first + 6, Fwk, "TIMER", Never, &[OBJ_TIMER, NM]),
        spec(first + 7, Fwk, "EPOOL", Never, &[OBJ_STORAGE, NM]),
        spec(first + 8, Fwk, "QUEUE", Never, &[OBJ_QUEUE, NM]),
    ]
}

pub(in super::super) const FWK_3: &[RecordSpec] = &[
    spec(0xA0, Fwk, "EN", Grouped, &[]),
    spec(0xA1, Fwk, "EX", Grouped, &[]),
    spec(0xA2, Fwk, "EPREG", Grouped, &[EP, SS, ES, PS]),
    spec(
        0xA3,
        Fwk,
        "AE",
        Grouped,
        &[ES, SIG, PID_0, RC, NB, NMIN_MP, ACTOR],
    ),
    spec(0xA4, Fwk, "GC", Grouped, &[SIG, PID, RC]),
    spec(
        0xA5,
        Fwk,
        "GCR",
        Grouped,
        &[SIG, PID_0, RC, NB, NMIN_MP, ACTOR],
    ),
    spec(0xA6, Fwk, "OBJ", Never, &[OBJ, NM]),
    spec(0xA7, Fwk, "SIG", Never, &[SIG, NM]),
    spec(0xA8, Fwk, "FUN", Never, &[FN_SYMBOL, NM]),
    spec(0xA9, Fwk, "EXE_FUN", Never, &[FN]),
    spec(0xAA, Fwk, "SYNC_EVT", Never, &[FN, SNR, RECEIVER]),
    spec(0xAB, Fwk, "TUSR", Never, &[UT, NM]),
    configuration(0xAC),
    spec(0xAD, Fwk, "ASSERT", Grouped, &[FILE, LINE_16]),
    spec(0xAE, Fwk, "AO", Never, &[OBJ_AO, NM]),
    spec(0xAF, Fwk, "STATE", Never, &[AO, OBJ_STATE, NM]),
    spec(0xB0, Fwk, "PSTATE", Never, &[AO, OBJ_PSTATE, NM]),
    spec(0xB1, Fwk, "TIMER", Never, &[OBJ_TIMER, NM]),
    spec(0xB2, Fwk, "EPOOL", Never, &[EP_0, NM]),
    spec(0xB3, Fwk, "QUEUE", Never, &[OBJ_QUEUE, NM]),
    spec(0xB4, Fwk, "ACTOR", Never, &[OBJ_ACTOR, NM]),
];

/// Since 2.4.04.
const fn configuration(id: u8) -> RecordSpec {
    spec(
        id,
        Fwk,
        "TCFG",
        Never,
        &[
            VERSION,
            OPTIONS,
            SIG_TSSIZE,
            PTR_NTIMER,
            NBLOCK_NELEM,
            ESIZE,
            BSIZE_POOLS,
            TSHZ,
        ],
    )
    .with_layout(ArgumentLayout::Configuration)
    .without_header()
}
