//! Sets `cortex_m` or `cortex_ar` on Arm without an operating system: stable Rust does not
//! distinguish the M profile from the others.

use std::env;

const CORTEX_M: [&str; 4] = ["thumbv6m-", "thumbv7m-", "thumbv7em-", "thumbv8m."];

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let variable = |name| env::var(name).unwrap_or_default();
    let is_arm = variable("CARGO_CFG_TARGET_ARCH") == "arm";
    if !is_arm || variable("CARGO_CFG_TARGET_OS") != "none" {
        return;
    }
    let target = variable("TARGET");
    let is_cortex_m = CORTEX_M.iter().any(|start| target.starts_with(start));
    let profile = if is_cortex_m { "cortex_m" } else { "cortex_ar" };
    println!("cargo:rustc-cfg={}", profile);
    // For crates with a build script that depend on this one.
    println!("cargo:profile={}", profile);
}
