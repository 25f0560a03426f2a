//! `rtoscope export --to page`: the viewer and recordings in one HTML file.

use anyhow::{Context as _, bail, ensure};
use rtoscope_command::export::ExportArgs;
use rtoscope_command::input::{FileArgs, notes_path};
use rtoscope_command::output::atomic_output;
use rtoscope_export::page::{self, SharedRecording};
use rtoscope_trace::printable::Printable;
use std::borrow::Cow;
use std::fs;
use std::path::Path;

/// The page that the program contains, if any.
#[cfg(feature = "page")]
const EMBEDDED: Option<&str> = Some(include_str!(env!("RTOSCOPE_PAGE")));
#[cfg(not(feature = "page"))]
const EMBEDDED: Option<&str> = None;

/// The environment variable with the file of a page.
const PAGE_VARIABLE: &str = "RTOSCOPE_PAGE";

pub(super) fn write(arguments: &ExportArgs) -> anyhow::Result<()> {
    let page = find_page()?;
    let files = arguments.files.iter();
    let recordings = files.map(|file| shared(arguments, &file));
    let recordings: Vec<_> = recordings.collect::<anyhow::Result<_>>()?;
    atomic_output::write_file(arguments.output.as_deref(), |output| {
        Ok(page::write(&page, &recordings, output)?)
    })
}

fn find_page() -> anyhow::Result<Cow<'static, str>> {
    if let Some(path) = std::env::var_os(PAGE_VARIABLE) {
        let path = Path::new(&path);
        let page = fs::read_to_string(path);
        return Ok(page
            .with_context(|| Printable::path(&path).to_string())?
            .into());
    }
    match EMBEDDED {
        Some(page) => Ok(page.into()),
        None => bail!(
            "this program was built without the page: run `cargo xtask page` in its sources, and \
             set {PAGE_VARIABLE} to the file that it names"
        ),
    }
}

/// A recording with all files that help to decode it, once it has been decoded.
fn shared(arguments: &ExportArgs, file: &FileArgs) -> anyhow::Result<SharedRecording> {
    let decode = &*file.decode_args(&arguments.decode);
    ensure!(
        !file.file.is_dir(),
        "{}: a page holds files, but this is the folder of a capture",
        file.name()
    );
    let source = file.read()?;
    let content = file.open(source.input(), decode)?;
    let decoded = content.decode(&decode.options(Some(content.format()))?);
    let recording = decoded.map_err(|error| file.error_with_name(error))?;
    file.hint_at_diagnostics(&recording.trace.diagnostics);
    arguments.timing.read(decode)?;
    let mut files = vec![(file.title(), source.bytes().to_vec())];
    let options = file.arguments(&arguments.given).into_iter();
    let mut options = options
        .map(std::ffi::OsString::into_string)
        .collect::<Result<Vec<_>, _>>()
        .map_err(|option| anyhow::anyhow!("{} is not UTF-8", Printable::path(&option)))?;
    for path in decode.auxiliary_files() {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let bytes = fs::read(path).with_context(|| Printable::path(&path).to_string())?;
        // Options of the page know the names alone: folders are private.
        let ending = format!("={}", path.to_string_lossy());
        for option in &mut options {
            if let Some(start) = option.strip_suffix(&ending) {
                *option = format!("{start}={name}");
            }
        }
        match files.iter().find(|(other, _)| *other == name) {
            None => files.push((name.into_owned(), bytes)),
            Some((_, same)) => ensure!(*same == bytes, "two files have the name {name:?}"),
        }
    }
    let notes = file.path().map(notes_path).filter(|path| path.is_file());
    if let Some(path) = notes {
        let bytes = fs::read(&path).with_context(|| Printable::path(&path).to_string())?;
        files.push((
            path.file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            bytes,
        ));
    }
    Ok(SharedRecording {
        name: file.title(),
        options,
        files,
    })
}
