//! Adds Ballista's scheduler and executor to this workspace, so that `cargo build -p
//! ballista-executor -p ballista-scheduler` builds the programs of their releases, from the same
//! lock file and with the same artefacts as the programs of rtoscope. The tests of
//! `rtoscope-cluster` run them.
