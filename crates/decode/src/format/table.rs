//! The table of the formats.

use super::Format;
use crate::{cswitch, rkh, threadx};

/// All formats. The first is the default where a command needs one.
pub const FORMATS: [Format; 3] = [threadx::FORMAT, rkh::FORMAT, cswitch::FORMAT];
