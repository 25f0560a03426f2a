//! Copies the linker scripts to the linker's search path.

fn main() {
    let folder = std::env::var("CARGO_MANIFEST_DIR").expect("cargo names the folder");
    println!("cargo:rustc-link-search={folder}");
    for script in ["cortex_ar", "cortex_m", "mips", "ram", "riscv"] {
        println!("cargo:rerun-if-changed={script}.ld");
    }
    println!("cargo:rustc-check-cfg=cfg(cortex_m)");
    let target = std::env::var("TARGET").unwrap_or_default();
    if target.starts_with("thumb") {
        println!("cargo:rustc-cfg=cortex_m");
    }
}
