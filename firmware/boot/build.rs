//! Copies the linker scripts to the linker's search path.

fn main() {
    let folder = std::env::var("CARGO_MANIFEST_DIR").expect("cargo names the folder");
    println!("cargo:rustc-link-search={folder}");
    println!("cargo:rerun-if-changed=cortex_m.ld");
    println!("cargo:rerun-if-changed=riscv.ld");
}
