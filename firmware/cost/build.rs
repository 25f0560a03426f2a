//! Links all programs for the board.

fn main() {
    println!("cargo:rustc-link-arg=-Tcortex_m.ld");
}
