//! The table of the formats.

use super::Format;
use crate::{
    btf, cswitch, ctf, logic, percepio, rkh, systemview, text_events, threadx, tonbandgeraet,
};

/// All formats. The first is the default where a command needs one.
pub const FORMATS: [Format; 10] = [
    threadx::FORMAT,
    rkh::FORMAT,
    cswitch::FORMAT,
    systemview::FORMAT,
    percepio::FORMAT,
    btf::FORMAT,
    ctf::FORMAT,
    logic::FORMAT,
    text_events::FORMAT,
    tonbandgeraet::FORMAT,
];
