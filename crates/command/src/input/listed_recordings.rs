//! Recordings that a project's file lists as `[[recording]]`, with their places on a common axis.

use super::quantity::parse_frequency;
use crate::config_file;
use anyhow::{Context as _, anyhow, bail, ensure};
use rtoscope_analysis::alignment::{AxisPosition, Drift, MatchRule, TimeAxis};
use rtoscope_trace::filter::Quantity;
use rtoscope_trace::printable::Printable;
use rtoscope_trace::text_log::SignedTicks;
use rtoscope_trace::{Diagnostic, DiagnosticKind, Frequency, Nanoseconds, NoTime, TimeMap, Trace};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A recording that a project's file lists.
#[derive(Debug, Clone)]
pub struct ListedRecording {
    /// Its path.
    pub(super) path: PathBuf,
    /// The frequency of its clock, if given.
    pub clock: Option<Frequency>,
    /// Its symbol files.
    pub symbols: Vec<PathBuf>,
    /// The rules that match its events with those of the first recording.
    pub rules: Vec<MatchRule>,
    /// Its place on the axis of all, if given.
    pub place: Option<AxisPlace>,
}

/// The place of a recording on an axis.
#[derive(Debug, Clone)]
pub struct AxisPlace {
    /// The axis.
    pub axis: Arc<TimeAxis>,
    /// The map of the recording's ticks to those of the axis.
    pub map: TimeMap,
    note: String,
}

/// The tables of the file that list recordings.
#[derive(Default, Deserialize)]
struct ListFile {
    recording: Vec<ListEntry>,
}

/// A `[[recording]]` of a project's file.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListEntry {
    /// The path, relative to the file.
    pub path: PathBuf,
    /// The frequency of the clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<String>,
    /// Symbol files, relative to the file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub symbols: Vec<PathBuf>,
    /// The time of the first event since that of the first recording.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<String>,
    /// How much faster the clock runs than it claims.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drift: Option<String>,
    /// By how much times on the axis may differ, for information.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uncertainty: Option<String>,
    /// Rules that match events with those of the first recording.
    #[serde(default, rename = "match", skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
}

/// Whether a path is that of a project's file.
pub(crate) fn is_list(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "toml")
}

/// Reads the recordings that a project's file lists.
///
/// # Errors
///
/// If it cannot be read, has a mistake, or lists none.
pub(super) fn read(path: &Path) -> anyhow::Result<Vec<ListedRecording>> {
    let name = || Printable::path(&path).to_string();
    let text = config_file::read(path).with_context(name)?;
    let file: ListFile = toml::from_str(&text)
        .map_err(|error| config_file::located(&text, &error))
        .with_context(name)?;
    let folder = path.parent().unwrap_or_else(|| Path::new(""));
    resolve(&file.recording, folder).with_context(name)
}

fn resolve(entries: &[ListEntry], folder: &Path) -> anyhow::Result<Vec<ListedRecording>> {
    ensure!(!entries.is_empty(), "it lists no recordings");
    let mut recordings = Vec::new();
    let mut positions = Vec::new();
    let is_placed = entries.iter().any(|it| it.offset.is_some());
    for (number, entry) in (1..).zip(entries) {
        let name = || format!("recording {number}");
        let clock = entry.clock.as_deref().map(parse_frequency).transpose();
        let clock = clock.map_err(anyhow::Error::msg).with_context(name)?;
        let rules = entry.rules.iter().map(|rule| MatchRule::parse(rule));
        let rules: Result<_, _> = rules.collect();
        if is_placed {
            let first = positions.first().map(|it: &AxisPosition| it.clock);
            positions.push(entry.position(clock, first).with_context(name)?);
        } else {
            ensure!(
                entry.drift.is_none(),
                "recording {number}: a drift needs an offset"
            );
        }
        recordings.push(ListedRecording {
            path: folder.join(&entry.path),
            clock,
            symbols: entry.symbols.iter().map(|it| folder.join(it)).collect(),
            rules: rules.map_err(anyhow::Error::msg).with_context(name)?,
            place: None,
        });
    }
    if !is_placed {
        return Ok(recordings);
    }
    let axis = Arc::new(TimeAxis::new(&positions)?);
    for ((recording, entry), map) in recordings.iter_mut().zip(entries).zip(&axis.maps) {
        recording.place = Some(AxisPlace {
            axis: Arc::clone(&axis),
            map: *map,
            note: entry.note(),
        });
    }
    Ok(recordings)
}

impl ListEntry {
    /// The position on the axis of the first recording, whose clock has the frequency `first`.
    fn position(
        &self,
        clock: Option<Frequency>,
        first: Option<Frequency>,
    ) -> anyhow::Result<AxisPosition> {
        let clock = clock.context("an axis needs the `clock` of each recording")?;
        let offset = match (&self.offset, first) {
            (None, None) => SignedTicks(0),
            (None, Some(_)) => bail!("`offset` is missing: others have one"),
            (Some(text), first) => parse_offset(text, first.unwrap_or(clock))?,
        };
        let drift = self.drift.as_deref().map(parse_drift).transpose();
        let drift = drift.map_err(anyhow::Error::msg)?.unwrap_or_default();
        if first.is_none() {
            ensure!(
                offset == SignedTicks(0) && drift == Drift::default(),
                "the first recording is the reference: it has no offset and no drift"
            );
        }
        Ok(AxisPosition {
            clock,
            offset,
            drift,
        })
    }

    fn note(&self) -> String {
        if self.offset.is_none() {
            return "times are on the axis of several recordings: it is the first one".to_owned();
        }
        let part = |name: &str, value: &Option<String>, none: &str| {
            format!("{name} {}", value.as_deref().unwrap_or(none))
        };
        format!(
            "times are on the axis of several recordings: {}, {}, {}",
            part("offset", &self.offset, "0"),
            part("drift", &self.drift, "0"),
            part("uncertainty", &self.uncertainty, "unknown"),
        )
    }
}

impl AxisPlace {
    /// Changes the times of a trace into times of the axis.
    ///
    /// # Errors
    ///
    /// If the clock of the trace does not measure time.
    pub(super) fn apply(&self, trace: &mut Trace) -> anyhow::Result<()> {
        if let Some(why) = trace.timescale().no_time()
            && why != NoTime::UnknownFrequency
        {
            bail!("it has no place on an axis: {why}");
        }
        self.axis.place(trace, &self.map);
        let diagnostic = Diagnostic::new(DiagnosticKind::CommonAxis, self.note.clone());
        trace.diagnostics.push(diagnostic);
        Ok(())
    }
}

/// Parses a time since the start of the first recording, `-1.5ms` or `1200 ticks` of its clock.
fn parse_offset(text: &str, clock: Frequency) -> anyhow::Result<SignedTicks> {
    let expected =
        || anyhow!("expected an offset such as 1.5ms, -20us or 1200 ticks, found {text:?}");
    let trimmed = text.trim();
    let (is_before, size) = match trimmed.strip_prefix('-') {
        Some(size) => (true, size),
        None => (false, trimmed),
    };
    let ticks = size.strip_suffix("ticks").map(str::trim_end);
    let ticks = match (ticks, Quantity::parse(ticks.unwrap_or(size))) {
        (Some(_), Ok(Quantity::Plain(ticks))) => ticks,
        (None, Ok(Quantity::Nanoseconds(time))) => clock.ticks_in(Nanoseconds(time)).0,
        _ => return Err(expected()),
    };
    let ticks = i64::try_from(ticks).map_err(|_| expected())?;
    Ok(SignedTicks(if is_before { -ticks } else { ticks }))
}

/// Parses a drift such as `80.5ppm` or `-3 ppm`.
pub fn parse_drift(text: &str) -> Result<Drift, String> {
    let number = text.trim().strip_suffix("ppm").map(str::trim_end);
    let drift = number.and_then(|number| Drift::from_ppm(number.parse().ok()?));
    drift.ok_or_else(|| format!("expected a drift such as 80.5ppm, found {text:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &str) -> anyhow::Result<Vec<ListedRecording>> {
        let file: ListFile = toml::from_str(text)?;
        resolve(&file.recording, Path::new("folder"))
    }

    #[test]
    fn recordings_have_places() {
        let text = r#"
            [[recording]]
            path = "a.trx"
            clock = "25MHz"
            [[recording]]
            path = "b.cswl"
            clock = "50 MHz"
            offset = "-2us"
            drift = "-3.25 ppm"
            match = ["send(info1) -> receive(info1)"]
        "#;
        let [first, other] = &list(text).unwrap()[..] else {
            panic!("two recordings");
        };
        assert_eq!(other.path, Path::new("folder/b.cswl"));
        assert_eq!(other.rules.len(), 1);
        let [first, other] = [first, other].map(|it| it.place.clone().unwrap());
        assert_eq!(first.axis.frequency.hertz(), 50_000_000);
        assert_eq!(first.map.offset(), SignedTicks(100));
        assert_eq!(other.map.offset(), SignedTicks(0));
        assert!(
            other
                .note
                .ends_with("offset -2us, drift -3.25 ppm, uncertainty unknown")
        );
    }

    #[test]
    fn mistakes_are_reported() {
        let reference = "[[recording]]\npath = 'a'\nclock = '1MHz'\n";
        let reported = |text: &str| {
            let error = list(&format!("{reference}[[recording]]\npath = 'b'\n{text}"));
            error.map_or_else(|error| format!("{error:#}"), |_| String::new())
        };
        assert_eq!(reported(""), "");
        for (text, expected) in [
            ("offset = '1ms'", "an axis needs the `clock`"),
            ("clock = '1MHz'\noffset = '1'", "expected an offset"),
            (
                "clock = '1MHz'\noffset = '1ms'\ndrift = '1'",
                "expected a drift",
            ),
            ("drift = '1ppm'", "a drift needs an offset"),
            ("match = ['a']", "expected an event"),
            ("clock = 'fast'", "expected a frequency"),
            ("start = '1ms'", "unknown field `start`"),
            (
                "clock = '1MHz'\noffset = '1ms'\n[[recording]]\npath = 'c'\nclock = '1MHz'",
                "recording 3: `offset` is missing",
            ),
        ] {
            assert!(reported(text).contains(expected), "{}", reported(text));
        }
        assert!(list("recording = []").is_err());
    }
}
