//! Every case is a function `cost_…` with its arguments in registers that is
//! called once, by an address that the compiler does not see through, as from
//! a kernel in another language. What each of them recorded is checked.
#![no_std]
#![no_main]

mod calibration;
mod cswitch;
mod rkh;
mod txtb;

#[unsafe(no_mangle)]
extern "C" fn main() -> ! {
    calibration::run();
    cost::end(cswitch::run() & txtb::run() & rkh::run())
}

/// Defines a function whose instructions are counted.
macro_rules! case {
    ($name:ident($($argument:ident: $kind:ty),*) $(-> $result:ty)? $body:block) => {
        #[inline(never)]
        #[unsafe(no_mangle)]
        extern "C" fn $name($($argument: $kind),*) $(-> $result)? $body
    };
}

/// A case in the midst of other code, which is all that it is a function for.
macro_rules! inside {
    ($function:ident, $from:literal, $to:literal, $body:expr) => {
        // It is there once, as nothing inlines it.
        #[allow(named_asm_labels)]
        #[inline(never)]
        fn $function() {
            // SAFETY: an instruction that does nothing.
            unsafe { core::arch::asm!(mark!($from)) };
            $body;
            // SAFETY: as above.
            unsafe { core::arch::asm!(mark!($to)) };
        }
    };
}

/// An instruction that does nothing, with a symbol.
macro_rules! mark {
    ($symbol:literal) => {
        concat!(
            ".global ",
            $symbol,
            "\n.type ",
            $symbol,
            ", %function\n.thumb_func\n",
            $symbol,
            ": nop"
        )
    };
}

/// Calls one, by its address, and not as the last thing that a function does.
macro_rules! call {
    ($name:ident($($argument:expr),*): fn($($kind:ty),*) $(-> $result:ty)?) => {{
        let case: extern "C" fn($($kind),*) $(-> $result)? = core::hint::black_box($name);
        let result = case($(core::hint::black_box($argument)),*);
        core::hint::black_box(result)
    }};
}

use {call, case, inside, mark};
