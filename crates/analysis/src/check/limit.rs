//! The limit of a figure.

use super::metric::MetricUnit;
use rtoscope_trace::filter::Quantity;
use rtoscope_trace::{Frequency, NoTime, Timescale};
use std::cmp::Ordering;

/// A limit, as the rules say it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Limit {
    /// As written.
    pub(super) text: String,
    value: LimitValue,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum LimitValue {
    /// In the unit of the metric.
    Number(f64),
    Nanoseconds(u64),
}

impl Limit {
    /// Reads a limit of a figure with this unit: `"8ms"`, `"200 ticks"`, `"40%"`, `12` or
    /// `true`.
    pub(super) fn parse(value: &toml::Value, unit: MetricUnit) -> Result<Self, String> {
        let number = |value: f64| {
            let fits = value.is_finite() && value >= 0.0;
            fits.then_some(LimitValue::Number(value))
        };
        let parsed = match (value, unit) {
            (toml::Value::Integer(value), _) => number(*value as f64),
            (toml::Value::Float(value), _) => number(*value),
            (toml::Value::Boolean(value), MetricUnit::Flag) => number(u8::from(*value).into()),
            (toml::Value::String(text), MetricUnit::Ticks) => {
                let word = text.trim();
                let ticks = word.strip_suffix("ticks").map(str::trim_end);
                match (ticks, Quantity::parse(ticks.unwrap_or(word))) {
                    (_, Ok(Quantity::Plain(ticks))) => number(ticks as f64),
                    (None, Ok(Quantity::Nanoseconds(time))) => Some(LimitValue::Nanoseconds(time)),
                    _ => None,
                }
            }
            (toml::Value::String(text), MetricUnit::Percent) => {
                let digits = text.trim().trim_end_matches('%').trim_end();
                digits.parse().ok().and_then(number)
            }
            _ => None,
        };
        let text = match value {
            toml::Value::String(text) => text.clone(),
            value => value.to_string(),
        };
        let expected = match unit {
            MetricUnit::Ticks => "a duration such as \"8ms\" or \"200 ticks\"",
            MetricUnit::Percent => "a percentage such as 40 or \"40%\"",
            MetricUnit::Number => "a number",
            MetricUnit::Flag => "true or false",
        };
        match parsed {
            Some(value) => Ok(Self { text, value }),
            None => Err(format!("expected {expected}, found {text:?}")),
        }
    }

    /// How a figure compares with the limit.
    ///
    /// # Errors
    ///
    /// If the limit is a time and the clock does not measure time.
    pub(super) fn compare(&self, figure: f64, scale: &Timescale) -> Result<Ordering, NoTime> {
        match self.value {
            LimitValue::Number(limit) => Ok(figure.total_cmp(&limit)),
            LimitValue::Nanoseconds(limit) => {
                let frequency = scale.frequency();
                let unknown = || scale.no_time().unwrap_or(NoTime::UnknownFrequency);
                Ok(compare_time(figure, limit, frequency.ok_or_else(unknown)?))
            }
        }
    }
}

/// Compares ticks with nanoseconds; whole ticks exactly.
fn compare_time(ticks: f64, nanoseconds: u64, frequency: Frequency) -> Ordering {
    const PER_SECOND: u64 = 1_000_000_000;
    if ticks.fract() == 0.0 {
        let ticks = u128::from(ticks as u64) * u128::from(PER_SECOND);
        ticks.cmp(&(u128::from(nanoseconds) * u128::from(frequency.hertz())))
    } else {
        let ticks = ticks * PER_SECOND as f64;
        ticks.total_cmp(&(nanoseconds as f64 * frequency.hertz() as f64))
    }
}
