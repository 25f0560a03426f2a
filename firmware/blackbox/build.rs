//! Selects the linker script.

fn main() {
    let target = std::env::var("TARGET").unwrap_or_default();
    let script = if target.starts_with("thumb") {
        "cortex_m.ld"
    } else {
        "riscv.ld"
    };
    println!("cargo:rustc-link-arg-bins=-T{script}");
}
