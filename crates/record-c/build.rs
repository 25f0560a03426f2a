//! Sets `cortex_m` or `cortex_ar`, as the build script of `rtoscope-record` does.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if let Ok(profile) = std::env::var("DEP_RTOSCOPE_RECORD_PROFILE") {
        println!("cargo:rustc-cfg={}", profile);
    }
}
