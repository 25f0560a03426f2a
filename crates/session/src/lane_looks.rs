//! What users chose for the lanes of a trace: own names, colours, heights and groups.

use crate::error::QueryError;
use crate::query::LaneLook;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// Maximum number of lanes with a look of their own.
const MAX_LANES: usize = 10_000;
/// Maximum length in bytes of what identifies a lane.
const MAX_LANE_BYTES: usize = 2048;
/// Maximum length of a name or a group in bytes.
const MAX_TEXT_BYTES: usize = 256;
/// Heights of a lane in pixels.
const HEIGHTS: RangeInclusive<u16> = 16..=400;

/// Looks by lane.
#[derive(Debug, Clone, Default)]
pub(crate) struct LaneLooks(BTreeMap<String, LaneLook>);

impl LaneLooks {
    /// Checks looks from a file. Of several for a lane, the last one counts.
    pub(crate) fn new(looks: Vec<LaneLook>) -> Result<Self, QueryError> {
        let mut all = Self::default();
        for look in looks {
            all.put(look)?;
        }
        Ok(all)
    }

    /// The looks, by lane.
    pub(crate) fn to_vec(&self) -> Vec<LaneLook> {
        self.0.values().cloned().collect()
    }

    /// Replaces the look of a lane, or removes it if nothing is chosen. Unchanged on error.
    pub(crate) fn put(&mut self, look: LaneLook) -> Result<(), QueryError> {
        check(&look)?;
        let LaneLook {
            lane: _,
            name,
            colour,
            height,
            group,
        } = &look;
        if name.is_none() && colour.is_none() && height.is_none() && group.is_none() {
            self.0.remove(&look.lane);
            return Ok(());
        }
        if self.0.len() >= MAX_LANES && !self.0.contains_key(&look.lane) {
            return Err(out_of_range(
                "the number of lanes with a look of their own",
                &(MAX_LANES + 1),
                format!("at most {MAX_LANES}"),
            ));
        }
        self.0.insert(look.lane.clone(), look);
        Ok(())
    }
}

fn out_of_range(parameter: &'static str, value: &impl ToString, expected: String) -> QueryError {
    QueryError::OutOfRange {
        parameter,
        value: value.to_string(),
        expected,
    }
}

fn check(look: &LaneLook) -> Result<(), QueryError> {
    let texts = [
        ("a lane", Some(&look.lane), MAX_LANE_BYTES),
        ("a lane's name", look.name.as_ref(), MAX_TEXT_BYTES),
        ("a lane's group", look.group.as_ref(), MAX_TEXT_BYTES),
    ];
    for (parameter, text, limit) in texts {
        if let Some(text) = text.filter(|text| text.is_empty() || text.len() > limit) {
            let value = format!("{} bytes long", text.len());
            return Err(out_of_range(parameter, &value, format!("1 to {limit}")));
        }
    }
    if let Some(colour) = look.colour.as_ref().filter(|colour| !is_colour(colour)) {
        let expected = "`#rrggbb`".to_owned();
        return Err(out_of_range(
            "a lane's colour",
            &format!("{colour:?}"),
            expected,
        ));
    }
    if let Some(height) = look.height.filter(|height| !HEIGHTS.contains(height)) {
        let expected = format!("{} to {} pixels", HEIGHTS.start(), HEIGHTS.end());
        return Err(out_of_range("a lane's height", &height, expected));
    }
    Ok(())
}

/// Whether a text is a colour as `#rrggbb`.
fn is_colour(text: &str) -> bool {
    let digits = text.strip_prefix('#').map(str::as_bytes);
    digits.is_some_and(|digits| digits.len() == 6 && digits.iter().all(u8::is_ascii_hexdigit))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(lane: &str) -> LaneLook {
        LaneLook {
            lane: lane.to_owned(),
            name: None,
            colour: None,
            height: None,
            group: None,
        }
    }

    #[test]
    fn a_lane_has_the_last_look_and_none_without_a_choice() {
        let named = |name: &str| LaneLook {
            name: Some(name.to_owned()),
            ..look("thread ui")
        };
        let mut all = LaneLooks::new(vec![named("a"), named("b"), look("thread rx")]).unwrap();
        assert_eq!(all.to_vec(), [named("b")]);
        all.put(look("thread ui")).unwrap();
        assert_eq!(all.to_vec(), []);
    }

    #[test]
    fn invalid_looks_change_nothing() {
        let mut all = LaneLooks::default();
        let text = |length| Some("x".repeat(length));
        let colour = |colour: &str| LaneLook {
            colour: Some(colour.to_owned()),
            ..look("l")
        };
        let height = |height| LaneLook {
            height: Some(height),
            ..look("l")
        };
        let named = |name| LaneLook { name, ..look("l") };
        let grouped = |group| LaneLook { group, ..look("l") };
        let wrong = [
            look(""),
            named(text(0)),
            named(text(257)),
            grouped(text(257)),
            colour("red"),
            colour("#12345"),
            colour("#12345g"),
            height(15),
            height(401),
        ];
        for wrong in wrong {
            all.put(wrong).unwrap_err();
        }
        assert_eq!(all.to_vec(), []);
        for right in [named(text(256)), colour("#0A66c2"), height(16), height(400)] {
            all.put(right.clone()).unwrap();
            assert_eq!(all.to_vec(), [right]);
        }
    }
}
