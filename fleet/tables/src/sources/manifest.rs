//! A list of recordings with their tags.

use crate::store::Location;
use anyhow::{Context as _, ensure};
use serde_json::Value;
use std::collections::BTreeMap;

/// The column with the place of a recording.
const PATH: &str = "path";

/// A line of a manifest.
pub(super) struct ManifestEntry {
    pub(super) location: Location,
    /// All columns but the path that have a value.
    pub(super) fields: BTreeMap<String, String>,
}

/// Reads a manifest: JSON lines if its first byte is `{`, otherwise CSV.
///
/// # Errors
///
/// If it cannot be read, or a line has no path; with the line's number.
pub(super) async fn read(manifest: &Location) -> anyhow::Result<Vec<ManifestEntry>> {
    let bytes = manifest.read().await?;
    let lines = parse(&bytes).with_context(|| manifest.url.to_string())?;
    let entry = |(line, mut fields): (u64, BTreeMap<String, String>)| {
        let path = fields.remove(PATH).filter(|path| !path.is_empty());
        let path = path.with_context(|| format!("{}: line {line}: no `{PATH}`", manifest.url))?;
        let location =
            beside(manifest, &path).with_context(|| format!("{}: line {line}", manifest.url))?;
        fields.retain(|_, value| !value.is_empty());
        Ok(ManifestEntry { location, fields })
    };
    lines.into_iter().map(entry).collect()
}

/// A place relative to that of the manifest, unless it is a URL or an absolute path.
fn beside(manifest: &Location, path: &str) -> anyhow::Result<Location> {
    let is_absolute = path.starts_with('/') || path.contains("://");
    if is_absolute {
        return Location::parse(path);
    }
    // Keeps `?` and `#`, which are no part of URLs here.
    let mut folder = manifest.clone();
    if let Ok(mut segments) = folder.url.path_segments_mut() {
        segments.pop();
    }
    let parts: Vec<_> = manifest.path.parts().collect();
    let parents = parts.len().saturating_sub(1);
    folder.path = parts.into_iter().take(parents).collect();
    ensure!(
        !path.split('/').any(|part| part == ".."),
        "{path:?} leads out of the folder of the manifest"
    );
    Ok(folder.join(path.trim_start_matches("./")))
}

type ManifestLine = (u64, BTreeMap<String, String>);

fn parse(bytes: &[u8]) -> anyhow::Result<Vec<ManifestLine>> {
    match bytes.iter().find(|byte| !byte.is_ascii_whitespace()) {
        Some(b'{') => parse_json_lines(bytes),
        _ => parse_csv(bytes),
    }
}

fn parse_csv(bytes: &[u8]) -> anyhow::Result<Vec<ManifestLine>> {
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .from_reader(bytes);
    let header = reader.headers()?.clone();
    ensure!(
        header.iter().any(|name| name == PATH),
        "the first line names no column `{PATH}`"
    );
    let mut lines = Vec::new();
    for record in reader.records() {
        let record = record?;
        let line = record.position().map_or(0, csv::Position::line);
        let names = header.iter().map(str::to_owned);
        lines.push((line, names.zip(record.iter().map(str::to_owned)).collect()));
    }
    Ok(lines)
}

fn parse_json_lines(bytes: &[u8]) -> anyhow::Result<Vec<ManifestLine>> {
    let mut lines = Vec::new();
    for (line, text) in (1..).zip(bytes.split(|byte| *byte == b'\n')) {
        if text.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let object: BTreeMap<String, Value> =
            serde_json::from_slice(text).with_context(|| format!("line {line}"))?;
        let fields = object.into_iter().filter_map(|(name, value)| {
            let value = match value {
                Value::Null => return None,
                Value::String(text) => text,
                value => value.to_string(),
            };
            Some((name, value))
        });
        lines.push((line, fields.collect()));
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(line: &ManifestLine) -> Vec<(&str, &str)> {
        line.1
            .iter()
            .map(|(name, value)| (&**name, &**value))
            .collect()
    }

    #[test]
    fn csv_and_json_lines_are_equal() {
        let csv = parse(b"path,device,firmware\n a.trx , 7,\n\"b,c.trx\",8,1.2\n").unwrap();
        let json = b"{\"path\": \"a.trx\", \"device\": 7, \"firmware\": \"\"}\n\n\
                     {\"path\": \"b,c.trx\", \"device\": \"8\", \"firmware\": \"1.2\"}";
        let json = parse(json).unwrap();
        assert_eq!(
            fields(&csv[0]),
            [("device", "7"), ("firmware", ""), ("path", "a.trx")]
        );
        for (one, other) in csv.iter().zip(&json) {
            assert_eq!(fields(one), fields(other));
        }
        assert_eq!((csv[1].0, json[1].0), (3, 3));
    }

    #[test]
    fn damaged_manifests_are_errors_with_the_line() {
        let error = |bytes: &[u8]| format!("{:#}", parse(bytes).unwrap_err());
        assert!(error(b"file,device\na,7\n").contains("names no column `path`"));
        assert!(
            error(b"path,device\na\n").contains("line: 2"),
            "{}",
            error(b"path,device\na\n")
        );
        assert!(error(b"{\"path\": 1}\n{\"path\"").contains("line 2"));
    }

    #[test]
    fn paths_are_relative_to_the_manifest() {
        let manifest = Location::parse("/data/fleet/list.csv").unwrap();
        let place = |path| beside(&manifest, path).map(|it| it.path.to_string());
        assert_eq!(place("a/b.trx").unwrap(), "data/fleet/a/b.trx");
        assert_eq!(place("./b.trx").unwrap(), "data/fleet/b.trx");
        assert_eq!(place("/c.trx").unwrap(), "c.trx");
        assert!(place("../c.trx").is_err());
    }
}
