//! What a Rust library without `std` must have. No recorder panics, so a
//! linker that collects unused sections leaves it out.

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}
