//! The functions that an engine adds to SQL.

/// A function, for the documentation and for completion.
#[derive(Debug, Clone, Copy)]
pub struct SqlFunction {
    /// The signature.
    pub call: &'static str,
    /// The description of the result.
    pub about: &'static str,
}

impl SqlFunction {
    /// The name.
    pub fn name(&self) -> &'static str {
        self.call.split('(').next().unwrap_or(self.call)
    }
}

/// The functions added to DataFusion's.
pub const FUNCTIONS: [SqlFunction; 5] = [
    SqlFunction {
        call: "format_time(ns)",
        about: "formats a time in nanoseconds as in the reports, such as `1.250 ms`",
    },
    SqlFunction {
        call: "ticks_to_ns(ticks, frequency_hz)",
        about: "converts a duration into nanoseconds, rounded down; null if the frequency is null, as it is in `recordings` if the clock does not measure time",
    },
    SqlFunction {
        call: "measures_time(clock_quality)",
        about: "whether a clock of this quality measures all time, so that shares of time are known",
    },
    SqlFunction {
        call: "overlap(start1, end1, start2, end2)",
        about: "the overlap of two intervals; 0 if they do not overlap",
    },
    SqlFunction {
        call: "histogram(duration)",
        about: "aggregate: the histogram of durations as in the reports; a list of bins with `min`, `max`, `count`, for use with `unnest`",
    },
];
