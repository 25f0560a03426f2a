use super::{ActionRole, Address};

/// A record of a state machine that a unit test expects, with its arguments in order, but
/// without the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)] // Each is the record of its name.
pub enum ExpectedEvent {
    Init(Address),
    Clrh(Address),
    /// Source and target.
    Trn(Address, Address),
    State(Address),
    Enstate(Address),
    Exstate(Address),
    /// Numbers of entered and exited states.
    Nenex(u8, u8),
    Ntrnact(u8, u8),
    TsState(Address),
    EvtProc,
    EvtNfound(u32),
    GrdFalse,
    CndNfound,
    UnknState,
    ExHlevel,
    ExTseg,
    /// Role, state and action.
    ExeAct(ActionRole, Address, Address),
    /// Signal and state.
    Dch(u32, Address),
}

impl ExpectedEvent {
    /// The record's id.
    pub const fn id(self) -> u8 {
        match self {
            Self::Init(_) => 0x60,
            Self::Clrh(_) => 0x61,
            Self::Trn(..) => 0x62,
            Self::State(_) => 0x63,
            Self::Enstate(_) => 0x64,
            Self::Exstate(_) => 0x65,
            Self::Nenex(..) => 0x66,
            Self::Ntrnact(..) => 0x67,
            Self::TsState(_) => 0x68,
            Self::EvtProc => 0x69,
            Self::EvtNfound(_) => 0x6A,
            Self::GrdFalse => 0x6B,
            Self::CndNfound => 0x6C,
            Self::UnknState => 0x6D,
            Self::ExHlevel => 0x6E,
            Self::ExTseg => 0x6F,
            Self::ExeAct(..) => 0x70,
            Self::Dch(..) => 0x71,
        }
    }
}
