//! Operations on the recorder of ThreadX traces, compared with the model of its tests.

#[path = "../../../crates/record/tests/integration/threadx/buffer.rs"]
mod buffer;
#[path = "../../../crates/record/tests/integration/threadx/model.rs"]
mod model;
#[path = "../../../crates/record/tests/integration/threadx/run.rs"]
mod run;
#[path = "../../../crates/record/tests/integration/threadx/support.rs"]
mod support;

pub(crate) fn run(data: &[u8]) {
    run::run_operations::<u32>(data);
    run::run_operations::<u64>(data);
}
