//! Configuration files of RKH streams.

use rtoscope_decode::rkh::configuration::parse;

pub(crate) fn run(data: &[u8]) {
    for name in ["a.cfg", "a.json", "a.toml", "-"] {
        if let Err(error) = parse(data, name) {
            assert!(!error.to_string().is_empty());
        }
    }
}
