//! What all programs take that use no recorder.
#![no_std]
#![no_main]

#[unsafe(no_mangle)]
extern "C" fn main() -> ! {
    cost::end(core::hint::black_box(true))
}
