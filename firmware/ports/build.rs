//! Selects the linker script.

fn main() {
    let target = std::env::var("TARGET").unwrap_or_default();
    let script = match target.split('-').next() {
        Some(name) if name.starts_with("mips") => "mips.ld",
        Some(name) if name.starts_with("riscv") => "riscv.ld",
        _ => "cortex_ar.ld",
    };
    println!("cargo:rustc-link-arg-bins=-T{script}");
}
