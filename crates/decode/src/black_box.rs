//! What a black box contains in addition to its recording: the boot count and the fault.

use crate::format::{FactColumn, FactSection, FactTable};
use rtoscope_trace::{Address, Diagnostic, DiagnosticKind};
use rtoscope_wire::black_box::{BlackBoxHeader, FaultOrigin, FaultRecord};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// The members of `info` that only a black box has.
#[derive(Serialize, JsonSchema)]
pub(crate) struct BlackBoxMembers {
    boot_count: u32,
    /// Whether a fault handler froze the recording.
    frozen: bool,
    fault: Option<FaultMembers>,
}

/// The fault that ended the recording.
#[derive(Serialize, JsonSchema)]
struct FaultMembers {
    exception: String,
    number: u32,
    /// Function and line, if known.
    location: Option<String>,
    /// The bits of the fault status registers that are set.
    causes: Vec<&'static str>,
    registers: BTreeMap<&'static str, String>,
}

/// The header of a black box, with the location of its fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlackBox {
    /// The header.
    pub header: BlackBoxHeader,
    /// The function and the line of the fault's code address, if known.
    pub location: Option<String>,
}

impl BlackBox {
    /// `locate` returns the location of a code address.
    pub(crate) fn new(
        header: BlackBoxHeader,
        locate: impl FnOnce(Address) -> Option<String>,
    ) -> Self {
        let fault = header.seal.map(|seal| seal.fault).filter(has_fault);
        Self {
            header,
            location: fault.and_then(|fault| locate(Address(fault.pc))),
        }
    }

    /// The fault, if one froze the recording.
    pub fn fault(&self) -> Option<&FaultRecord> {
        let fault = &self.header.seal.as_ref()?.fault;
        has_fault(fault).then_some(fault)
    }

    /// States why the recording ended.
    pub(crate) fn diagnostic(&self) -> Diagnostic {
        match self.fault() {
            Some(_) => Diagnostic::new(
                DiagnosticKind::Fault,
                format!(
                    "the recording of boot {} ends with a fault: {}",
                    self.header.boot_count,
                    self.cause()
                ),
            ),
            None => Diagnostic::new(
                DiagnosticKind::UnfrozenReset,
                format!(
                    "the recording of boot {} ends with a reset before which no fault handler \
                     froze it: its last entry may be half written",
                    self.header.boot_count
                ),
            ),
        }
    }

    fn cause(&self) -> String {
        let Some(fault) = self.fault() else {
            return "reset without a fault handler".to_owned();
        };
        let place = match &self.location {
            Some(location) => format!("{} ({location})", Address(fault.pc)),
            None => Address(fault.pc).to_string(),
        };
        let kind = exception_name(fault);
        let bits = cortex_m_causes(fault);
        match bits.is_empty() {
            true => format!("{kind} at {place}"),
            false => format!("{kind} at {place}: {}", bits.join(", ")),
        }
    }

    /// Lines of `info`.
    pub(crate) fn lines(&self) -> [(&'static str, String); 2] {
        [
            ("boot", self.header.boot_count.to_string()),
            ("reset", self.cause()),
        ]
    }

    /// The fault's registers.
    pub(crate) fn section(&self) -> Option<FactSection> {
        let fault = self.fault()?;
        let named = registers(fault).into_iter();
        let rows = named.map(|(name, value)| vec![name.to_owned(), hex(value)]);
        Some(FactSection {
            title: "Fault".to_owned(),
            table: FactTable::Rows {
                columns: vec![FactColumn::text("register"), FactColumn::text("value")],
                rows: rows.collect(),
            },
        })
    }

    /// Members of the JSON output.
    pub(crate) fn members(&self) -> BlackBoxMembers {
        let fault = self.fault().map(|fault| FaultMembers {
            exception: exception_name(fault),
            number: fault.exception,
            location: self.location.clone(),
            causes: cortex_m_causes(fault),
            registers: registers(fault)
                .into_iter()
                .map(|(name, value)| (name, hex(value)))
                .collect(),
        });
        BlackBoxMembers {
            boot_count: self.header.boot_count,
            frozen: fault.is_some(),
            fault,
        }
    }
}

fn has_fault(fault: &FaultRecord) -> bool {
    fault.fault_origin() != FaultOrigin::None
}

fn hex(value: u64) -> String {
    Address(value).to_string()
}

/// Exceptions of Cortex-M (Armv7-M Architecture Reference Manual, B1.5.2) and causes of
/// RISC-V traps (privileged architecture, `mcause`).
fn exception_name(fault: &FaultRecord) -> String {
    let name = match (fault.fault_origin(), fault.exception) {
        (FaultOrigin::CortexM, 2) => "NMI",
        (FaultOrigin::CortexM, 3) => "HardFault",
        (FaultOrigin::CortexM, 4) => "MemManage",
        (FaultOrigin::CortexM, 5) => "BusFault",
        (FaultOrigin::CortexM, 6) => "UsageFault",
        (FaultOrigin::CortexM, 7) => "SecureFault",
        (FaultOrigin::RiscV, 0) => "instruction address misaligned",
        (FaultOrigin::RiscV, 1) => "instruction access fault",
        (FaultOrigin::RiscV, 2) => "illegal instruction",
        (FaultOrigin::RiscV, 3) => "breakpoint",
        (FaultOrigin::RiscV, 4) => "load address misaligned",
        (FaultOrigin::RiscV, 5) => "load access fault",
        (FaultOrigin::RiscV, 6) => "store address misaligned",
        (FaultOrigin::RiscV, 7) => "store access fault",
        (FaultOrigin::CortexM, number) => return format!("exception {number}"),
        (FaultOrigin::RiscV, number) => return format!("trap {number:#x}"),
        _ => "fault of the application",
    };
    name.to_owned()
}

/// The bits of CFSR and HFSR that give a cause (Armv7-M Architecture Reference Manual,
/// B3.2.15 and B3.2.16).
const CFSR_BITS: [(u32, &str); 18] = [
    (0, "IACCVIOL"),
    (1, "DACCVIOL"),
    (3, "MUNSTKERR"),
    (4, "MSTKERR"),
    (5, "MLSPERR"),
    (8, "IBUSERR"),
    (9, "PRECISERR"),
    (10, "IMPRECISERR"),
    (11, "UNSTKERR"),
    (12, "STKERR"),
    (13, "LSPERR"),
    (16, "UNDEFINSTR"),
    (17, "INVSTATE"),
    (18, "INVPC"),
    (19, "NOCP"),
    (20, "STKOF"),
    (24, "UNALIGNED"),
    (25, "DIVBYZERO"),
];
const HFSR_BITS: [(u32, &str); 3] = [(1, "VECTTBL"), (30, "FORCED"), (31, "DEBUGEVT")];

fn cortex_m_causes(fault: &FaultRecord) -> Vec<&'static str> {
    if fault.fault_origin() != FaultOrigin::CortexM {
        return Vec::new();
    }
    let [cfsr, hfsr, ..] = fault.registers;
    let set = |word: u64, bits: &'static [(u32, &'static str)]| {
        let set = bits.iter().filter(move |(bit, _)| word >> bit & 1 != 0);
        set.map(|(_, name)| *name)
    };
    set(cfsr, &CFSR_BITS).chain(set(hfsr, &HFSR_BITS)).collect()
}

/// The registers with their names on the target.
fn registers(fault: &FaultRecord) -> Vec<(&'static str, u64)> {
    let [first, second, third, fourth] = fault.registers;
    let mut all = match fault.fault_origin() {
        FaultOrigin::CortexM => vec![
            ("PC", fault.pc),
            ("LR", fault.lr),
            ("xPSR", fault.status),
            ("SP", fault.sp),
            ("CFSR", first),
            ("HFSR", second),
            ("MMFAR", third),
            ("BFAR", fourth),
        ],
        FaultOrigin::RiscV => vec![
            ("mepc", fault.pc),
            ("ra", fault.lr),
            ("mstatus", fault.status),
            ("sp", fault.sp),
            ("mcause", first),
            ("mtval", second),
        ],
        _ => vec![("pc", fault.pc)],
    };
    let words = ["word 0", "word 1", "word 2", "word 3"];
    let words = words.into_iter().zip(fault.words.map(u64::from));
    all.extend(words.filter(|(_, word)| *word != 0));
    all
}
