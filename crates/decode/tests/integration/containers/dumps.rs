//! Dumps as people save them: `testdata/text-dumps`.

use super::memory::known_bytes;
use rtoscope_decode::container;
use rtoscope_decode::source::Input;
use rtoscope_trace::Severity;

#[test]
fn every_dump_has_the_same_bytes() {
    let folder = rtoscope_fixtures::testdata("text-dumps");
    let expected = std::fs::read(folder.join("expected.bin")).expect("a file");
    let mut count = 0;
    for entry in std::fs::read_dir(&folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "bin") {
            continue;
        }
        let text = std::fs::read(&path).expect("a file");
        let image = container::read(Input::new(text)).expect("a sound dump");
        let bytes: Vec<u8> = known_bytes(&image.memory).into_values().collect();
        assert!(
            bytes.len() > 128 && expected.starts_with(&bytes),
            "{path:?}"
        );
        assert_eq!(image.memory.segments().len(), 1, "{path:?}");
        let cut = |message: &str| message.contains("end-of-file record is missing");
        let mut found = image.diagnostics.iter();
        let worst = found.find(|it| it.severity() != Severity::Info && !cut(&it.message));
        assert!(worst.is_none(), "{path:?}: {worst:?}");
        count += 1;
    }
    assert_eq!(count, 24);
}
