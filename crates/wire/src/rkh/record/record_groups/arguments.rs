//! The arguments of all records. Different arguments may share a name.

use super::super::{ArgumentKind, ArgumentSpec, ObjectClass};

macro_rules! arguments {
    ($($constant:ident = $name:literal, $kind:ident $(($class:ident))?;)*) => {
        $(pub(super) const $constant: ArgumentSpec = ArgumentSpec {
            name: $name,
            kind: ArgumentKind::$kind $((ObjectClass::$class))?,
        };)*
    };
}

arguments! {
    // Pools and queues.
    MP = "mp", Object(Pool);
    NB = "nb", Blocks;
    BS = "bs", BlockSize;
    NFREE = "nfree", Blocks;
    NMIN_MP = "nmin", BlocksMinimum;
    Q = "q", Object(Queue);
    NELEM = "nelem", Elements;
    NMIN_Q = "nmin", ElementsMinimum;

    // Active objects and events.
    AO = "ao", Object(ActiveObject);
    PRIO = "prio", Priority;
    SIZE = "size", QueueSize;
    SIG = "sig", Signal;
    SNR = "snr", Sender(Actor);
    PID = "pid", EventPool1;
    PID_0 = "pid0", EventPool0;
    RC = "rc", References;
    ACTOR = "actor", Object(Actor);

    // State machines.
    IST = "ist", Object(State);
    H = "h", Object(Pseudostate);
    SST = "sst", Object(State);
    TST = "tst", Object(Vertex);
    NXTST = "nxtst", Object(State);
    ST = "st", Object(State);
    VERTEX = "st", Object(Vertex);
    NEN = "nen", Count;
    NEX = "nex", Count;
    NTA = "nta", Count;
    NTS = "nts", Count;
    NTS_FLAT = "nts", OptionalCount;
    TYPE = "type", Role;
    FN = "fn", Function;
    RESULT = "result", ReturnCode;

    // Timers.
    T = "t", Object(Timer);
    NT = "nt", Ticks;
    PER = "per", Ticks;

    // The framework and names.
    EP = "ep", EventPool1;
    EP_0 = "ep", EventPool0;
    SS = "ss", StorageSize;
    ES = "es", EventSize;
    PS = "ps", Blocks;
    FN_SYMBOL = "fn", FunctionSymbol;
    RECEIVER = "ao", Sender(ActiveObject);
    UT = "ut", UserEvent;
    NM = "nm", Text;
    OBJ = "obj", Object(Any);
    OBJ_AO = "obj", Object(ActiveObject);
    OBJ_STATE = "obj", Object(State);
    OBJ_PSTATE = "obj", Object(Pseudostate);
    OBJ_TIMER = "obj", Object(Timer);
    OBJ_STORAGE = "obj", Object(Storage);
    OBJ_QUEUE = "obj", Object(Queue);
    OBJ_ACTOR = "obj", Object(Actor);
    FILE = "file", Text;
    LINE_16 = "line", Line16;

    // The target's configuration; a name of two parts stands for two nibbles.
    VERSION = "version", U16;
    OPTIONS = "options", U32;
    OPTIONS_16 = "options", U16;
    SIG_TSSIZE = "sig_tssize", U8;
    PTR_NTIMER = "ptr_ntimer", U8;
    NBLOCK_NELEM = "nblock_nelem", U8;
    ESIZE = "esize", U8;
    ESIZE_NSEQ = "esize_nseq", U8;
    CHK_TSTAMP = "chk_tstamp", U8;
    BSIZE_POOLS = "bsize_pools", U8;
    TSHZ = "tshz", U16;

    // Unit tests.
    LINE = "line", Line32;
    GRP = "grp", GroupId;
    TE = "te", EventId;
    FULL_TE = "te", FullEventId;
    ARG = "arg", ArgumentIndex;
    TEXT = "text", Text;
}
