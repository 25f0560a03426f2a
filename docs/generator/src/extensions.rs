//! The extensions of recordings.

use rtoscope_decode::FORMATS;

/// A row for each format.
pub(crate) fn table() -> String {
    let mut table =
        String::from("| format | extensions | shared with other programs |\n|---|---|---|\n");
    for format in FORMATS {
        let format = format.description();
        let [own, shared] = [format.extensions, format.shared_extensions].map(list);
        table += &format!("| {} | {own} | {shared} |\n", format.plural);
    }
    table
}

fn list(extensions: &[&str]) -> String {
    let extensions = extensions.iter().map(|name| format!("`.{name}`"));
    extensions.collect::<Vec<_>>().join(", ")
}
