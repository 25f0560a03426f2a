//! Each case is a function `cost_…` with its arguments in registers. It is called once,
//! through an address that is opaque to the compiler, as from a kernel in another
//! language. The program checks what each of them recorded.
#![no_std]
#![no_main]

mod calibration;
mod cswitch;
mod rkh;
mod stream;
mod txtb;

#[unsafe(no_mangle)]
extern "C" fn main() -> ! {
    calibration::run();
    cost::end(cswitch::run() & stream::run() & txtb::run() & rkh::run())
}

/// Defines a function whose instructions are counted.
macro_rules! case {
    ($name:ident($($argument:ident: $kind:ty),*) $(-> $result:ty)? $body:block) => {
        #[inline(never)]
        #[unsafe(no_mangle)]
        extern "C" fn $name($($argument: $kind),*) $(-> $result)? $body
    };
}

/// A case inside other code; its function contains only this case.
macro_rules! inside {
    ($function:ident, $from:literal, $to:literal, $body:expr) => {
        // The code exists once, because the function is not inlined.
        #[allow(named_asm_labels)]
        #[inline(never)]
        fn $function() {
            // SAFETY: an instruction without effect.
            unsafe { core::arch::asm!(mark!($from)) };
            $body;
            // SAFETY: as above.
            unsafe { core::arch::asm!(mark!($to)) };
        }
    };
}

/// An instruction without effect, with a symbol.
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

/// Calls a case through its address, and not at the end of a function.
macro_rules! call {
    ($name:ident($($argument:expr),*): fn($($kind:ty),*) $(-> $result:ty)?) => {{
        let case: extern "C" fn($($kind),*) $(-> $result)? = core::hint::black_box($name);
        let result = case($(core::hint::black_box($argument)),*);
        core::hint::black_box(result)
    }};
}

use {call, case, inside, mark};
