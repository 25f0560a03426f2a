//! Queries and commands as an untrusted page would send them.

pub(crate) fn run(data: &[u8]) {
    crate::run_json(data);
}
