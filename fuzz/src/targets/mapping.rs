//! Tables of what named events mean.

use rtoscope_decode::mapping::MappingTables;

pub(crate) fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    if let Err(error) = MappingTables::default().with_user_table(text) {
        assert!(!error.to_string().is_empty());
    }
}
