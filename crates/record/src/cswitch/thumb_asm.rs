//! The hot path of a log on Arm microcontrollers in assembly. Compiled code would keep a
//! frame pointer and move arguments between registers.

use super::SwitchLog;
use crate::Name;
use crate::port::builtin::BuiltinPort;
use crate::port::{Clock, CounterRegister, Mask, Primask, Unmasked};
use core::arch::global_asm;
use core::ffi::c_void;
use core::mem::size_of;

/// A log whose last word is the address of its counter.
type Registered<M> = SwitchLog<M, CounterRegister>;

// The offset of this word is 60.
const _: () = assert!(size_of::<Registered<Primask>>() == 64);
const _: () = assert!(size_of::<Registered<Unmasked>>() == 64);

/// Loads two consecutive words. Armv6-M, which has no atomic compare-and-exchange either,
/// has no instruction for it.
#[cfg(target_has_atomic = "32")]
macro_rules! load_two {
    () => {
        "ldrd r4, r5, [r1]"
    };
}
#[cfg(not(target_has_atomic = "32"))]
macro_rules! load_two {
    () => {
        "ldr r4, [r1]\nldr r5, [r1, #4]"
    };
}

/// A function that writes an entry. Its arguments are kind, log, address and name in C's
/// calling convention: the words of an entry, with the log in place of the counter.
macro_rules! write {
    ($name:literal, $at_end:literal, [$($mask:literal),*], [$($release:literal),*]) => {
        global_asm!(
            concat!(".pushsection .text.", $name, ",\"ax\",%progbits"),
            concat!(".global ", $name),
            concat!(".type ", $name, ",%function"),
            ".balign 4",
            ".thumb_func",
            concat!($name, ":"),
            $($mask,)*
            "push {{r4, r5}}",
            // The next slot, and the end of the buffer.
            load_two!(),
            "cmp r4, r5",
            "beq 1f",
            "mov r5, r1",
            "ldr r1, [r1, #60]",
            "ldr r1, [r1]",
            "stmia r4!, {{r0, r1, r2, r3}}",
            "str r4, [r5]",
            "pop {{r4, r5}}",
            $($release,)*
            "bx lr",
            // The buffer is full or missing.
            "1:",
            "pop {{r4, r5}}",
            $($release,)*
            "push {{r4, lr}}",
            concat!("ldr r4, =", $at_end),
            "blx r4",
            "pop {{r4, pc}}",
            ".ltorg",
            concat!(".size ", $name, ", . - ", $name),
            ".popsection",
        );
    };
}

write!(
    "rto_cswitch_write",
    "rto_cswitch_write_at_end",
    ["mrs r12, PRIMASK", "cpsid i"],
    ["msr PRIMASK, r12"]
);
write!(
    "rto_cswitch_write_unmasked",
    "rto_cswitch_write_unmasked_at_end",
    [],
    []
);

extern "C" {
    fn rto_cswitch_write(kind: u32, log: *const c_void, address: usize, name: Name);
    fn rto_cswitch_write_unmasked(kind: u32, log: *const c_void, address: usize, name: Name);
}

/// # Safety
/// `log` must be a log with this mask.
#[no_mangle]
unsafe extern "C" fn rto_cswitch_write_at_end(
    kind: u32,
    log: *const c_void,
    address: usize,
    name: Name,
) {
    // SAFETY: the caller guarantees this.
    let log: &Registered<Primask> = unsafe { &*log.cast() };
    SwitchLog::write_at_end(kind, log, address, name);
}

/// # Safety
/// As above.
#[no_mangle]
unsafe extern "C" fn rto_cswitch_write_unmasked_at_end(
    kind: u32,
    log: *const c_void,
    address: usize,
    name: Name,
) {
    // SAFETY: the caller guarantees this.
    let log: &Registered<Unmasked> = unsafe { &*log.cast() };
    SwitchLog::write_at_end(kind, log, address, name);
}

/// Writes an entry to a log that is on, if there is an assembly function for this mask
/// and clock. Returns `false` otherwise.
#[inline(always)]
pub(super) fn write<M: Mask, C: Clock>(
    kind: u32,
    log: &SwitchLog<M, C>,
    address: usize,
    name: Name,
) -> bool {
    if C::BUILTIN.is_none() {
        return false;
    }
    let log: *const SwitchLog<M, C> = log;
    // SAFETY: only `CounterRegister` and the two masks have these values, so that the log
    // has the function's type. The functions do the same as `SwitchLog::write`.
    match M::BUILTIN {
        Some(BuiltinPort::Primask) => unsafe {
            rto_cswitch_write(kind, log.cast(), address, name);
        },
        Some(BuiltinPort::Unmasked) => unsafe {
            rto_cswitch_write_unmasked(kind, log.cast(), address, name);
        },
        _ => return false,
    }
    true
}
