//! The panic handler that a Rust library without `std` needs. No recorder panics, so that
//! a linker that drops unused sections removes it.

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}
