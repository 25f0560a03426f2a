//! The build script of programs: selects the linker script of their target.

fn main() {
    let target = std::env::var("TARGET").unwrap_or_default();
    let script = match target.get(..4) {
        Some("thum") => "cortex_m.ld",
        Some("risc") => "riscv.ld",
        Some("mips") => "mips.ld",
        _ => "cortex_ar.ld",
    };
    println!("cargo:rustc-link-arg-bins=-T{script}");
}
