//! Transfers in text mode, which write 0x0D before each 0x0A.

use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, DecodeOptions, UnpackedInput};
use rtoscope_fixtures::read_testdata;
use rtoscope_trace::{DiagnosticKind, Trace};

fn decode(bytes: &[u8]) -> Trace {
    let input = UnpackedInput::open(Input::new(bytes), BufferChoice::First, None).unwrap();
    input.decode(&DecodeOptions::default()).unwrap().trace
}

#[test]
fn recordings_that_a_target_sent_are_restored() {
    for file in ["doctor/sound.cswl", "percepio/cm3_nested.psf"] {
        let sound = read_testdata(file);
        let expand = |byte: &u8| match byte {
            b'\n' => b"\r\n".to_vec(),
            byte => vec![*byte],
        };
        let expanded: Vec<u8> = sound.iter().flat_map(expand).collect();
        let [sound, found] = [&sound, &expanded].map(|bytes| decode(bytes));
        assert!(found.events.iter().eq(sound.events.iter()), "{file}");
        let kinds: Vec<_> = found.diagnostics.iter().map(|it| it.kind).collect();
        assert!(
            kinds.contains(&DiagnosticKind::ExpandedLineFeeds),
            "{file}: {kinds:?}"
        );
        let others = kinds.len() - 1;
        assert_eq!(sound.diagnostics.iter().count(), others, "{file}");
    }
}
