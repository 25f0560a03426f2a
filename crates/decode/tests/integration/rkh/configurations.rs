//! The configurations beside the streams.

use super::streams;
use rtoscope_decode::rkh::configuration::parse;

#[test]
fn a_stream_is_read_with_the_files_beside_it() {
    for known in streams::all() {
        let Some(truth) = known.decoder() else {
            continue;
        };
        let json = known.beside("json").unwrap();
        let given = parse(json.as_bytes(), "x.json").unwrap();
        assert_eq!(given.configuration, truth, "{}", known.name);
        assert_eq!(given.function_width, Some(truth.function));
        if let Some(text) = known.beside("cfg") {
            let given = parse(text.as_bytes(), "trazer.cfg").unwrap();
            assert_eq!(given.configuration, truth, "{}", known.name);
        }
    }
}
