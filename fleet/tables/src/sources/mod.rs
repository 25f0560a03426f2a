//! The recordings to ingest: what a manifest lists, or what folders and stores contain.

mod manifest;
mod path_pattern;

use crate::partition::Day;
use crate::schema::{DEVICE, PARTITIONS, PROVENANCE};
use crate::store::Location;
use anyhow::{Context as _, bail, ensure};
use clap::Args;
use path_pattern::PathPattern;
use rtoscope_command::export::dataset::{Tag, check_tags, parse_tag};
use std::collections::{BTreeMap, BTreeSet};

/// The column of a manifest, and the name in a path pattern, with the time of a recording.
const RECORDED_AT: &str = "recorded_at";

#[derive(Args)]
pub(crate) struct SourceArgs {
    /// Recordings: files, folders with all files below them, or URLs such as
    /// s3://bucket/folder; not needed with --manifest
    #[arg(value_name = "SOURCE", required_unless_present = "manifest")]
    sources: Vec<String>,

    /// List of recordings with their tags: CSV with a header, or JSON lines; its column
    /// `path` is relative to the list, `recorded_at` is the date or the time of the
    /// recording, all others are tags
    #[arg(long, value_name = "FILE")]
    manifest: Option<String>,

    /// Tags in paths below a SOURCE, such as '{device}/{firmware}/{recorded_at}*.trx'; * is
    /// any text within a name, ** also across folders. Files that differ are skipped
    #[arg(long, value_name = "PATTERN")]
    path_pattern: Option<PathPattern>,

    /// Tag of all recordings, such as site=berlin; repeatable
    #[arg(long = "tag", value_name = "KEY=VALUE", value_parser = parse_tag)]
    tags: Vec<Tag>,
}

/// A recording to ingest.
#[derive(Debug, Clone)]
pub(crate) struct SourceRecording {
    pub(crate) location: Location,
    /// All tags, with [`DEVICE`].
    pub(crate) tags: BTreeMap<String, String>,
    /// The time of the recording, if it is known.
    pub(crate) recorded_at: Option<String>,
    pub(crate) day: Day,
}

impl SourceRecording {
    /// The device.
    pub(crate) fn device(&self) -> &str {
        self.tags.get(DEVICE).map_or("", String::as_str)
    }
}

/// The recordings, and how many files of the sources are none.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    pub(crate) recordings: Vec<SourceRecording>,
    /// Files that the path pattern does not match.
    pub(crate) skipped: usize,
}

impl SourceArgs {
    /// Lists the recordings, sorted by their place.
    ///
    /// # Errors
    ///
    /// If a source or the manifest cannot be read, or a recording has no device.
    pub(crate) async fn list(&self) -> anyhow::Result<Sources> {
        let mut sources = Sources::default();
        if let Some(manifest) = &self.manifest {
            let location = Location::parse(manifest)?;
            for entry in manifest::read(&location).await? {
                sources
                    .recordings
                    .push(self.recording(entry.location, entry.fields)?);
            }
        }
        for source in &self.sources {
            let root = Location::parse(source)?;
            let listed = match root.url.scheme() {
                // A web server lists nothing.
                "http" | "https" => vec![root.path.clone()],
                _ => {
                    let objects = root.list().await?.into_iter();
                    objects.map(|object| object.location).collect()
                }
            };
            ensure!(
                !listed.is_empty(),
                "{source}: no such file or folder, or an empty one"
            );
            for path in listed {
                let relative = path
                    .as_ref()
                    .strip_prefix(root.path.as_ref())
                    .unwrap_or_default();
                let relative = relative.trim_start_matches('/');
                let location = match relative {
                    "" => root.clone(),
                    relative => root.join(relative),
                };
                let fields = match &self.path_pattern {
                    None => Some(BTreeMap::new()),
                    Some(pattern) => pattern.tags(relative),
                };
                match fields {
                    Some(fields) => sources.recordings.push(self.recording(location, fields)?),
                    None => sources.skipped += 1,
                }
            }
        }
        Ok(sources)
    }

    fn recording(
        &self,
        location: Location,
        mut tags: BTreeMap<String, String>,
    ) -> anyhow::Result<SourceRecording> {
        let recorded_at = tags.remove(RECORDED_AT);
        tags.extend(self.tags.iter().cloned());
        let name = location.url.to_string();
        ensure!(
            tags.get(DEVICE).is_some_and(|device| !device.is_empty()),
            "{name}: no device; expected the tag `{DEVICE}` in the manifest, in --path-pattern or \
             as --tag"
        );
        let day = match &recorded_at {
            Some(time) => Day::of(time).context(name)?,
            None => Day::today(),
        };
        Ok(SourceRecording {
            location,
            tags,
            recorded_at,
            day,
        })
    }
}

/// The names of all tags, which become columns.
///
/// # Errors
///
/// If a name is no name of a column, or taken.
pub(crate) fn tag_names(recordings: &[SourceRecording]) -> anyhow::Result<BTreeSet<String>> {
    let names: BTreeSet<_> = recordings.iter().flat_map(|it| it.tags.keys()).collect();
    let mut tags = Vec::new();
    for name in names {
        tags.push(parse_tag(&format!("{name}=x")).map_err(anyhow::Error::msg)?);
        let provenance = PROVENANCE.iter().map(|(name, _)| *name);
        if PARTITIONS
            .into_iter()
            .chain(provenance)
            .any(|it| it.eq_ignore_ascii_case(name))
        {
            bail!("the tag {name} has the name of a column");
        }
    }
    check_tags(&tags)?;
    Ok(tags.into_iter().map(|(name, _)| name).collect())
}
