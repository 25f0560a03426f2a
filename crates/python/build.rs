//! Lets the linker of macOS accept the functions of the interpreter, which loads the module.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
