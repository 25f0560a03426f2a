//! Selects the linker script.

fn main() {
    println!("cargo:rustc-link-arg-bins=-Tcortex_m.ld");
}
