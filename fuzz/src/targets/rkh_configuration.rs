//! Configuration files of RKH streams.

use rtoscope_decode::rkh::configuration::read;

pub(crate) fn run(data: &[u8]) {
    for name in ["a.cfg", "a.json", "a.toml", "a.h", "-"] {
        if let Err(error) = read(data, name) {
            assert!(!error.to_string().is_empty());
        }
    }
}
