//! Search for events with a filter.

use crate::axis::Pixels;
use crate::error::QueryError;
use crate::query::{Search, Window};
use crate::response::SearchHits;
use crate::scan::scan;
use crate::session::Session;
use rtoscope_trace::EventIndex;
use rtoscope_trace::filter::{Filter, FilterError};
use std::sync::Arc;

/// Maximum length of a filter in bytes.
pub(crate) const MAX_FILTER_BYTES: usize = 4096;

impl Session {
    /// The numbers of the hits of a search, in ascending order.
    pub(crate) fn hits(&self, search: &Search) -> Result<Arc<Vec<u32>>, QueryError> {
        let length = search.filter.len();
        if length > MAX_FILTER_BYTES {
            return Err(QueryError::OutOfRange {
                parameter: "the filter",
                value: format!("{length} bytes long"),
                expected: format!("at most {MAX_FILTER_BYTES}"),
            });
        }
        let key = (search.filter.clone(), self.frequency_hz());
        let found = self.caches.hits.get_or_insert(key, |(text, _)| {
            let filter = Filter::parse(text)?;
            let filter = filter.bind(&self.recording.trace)?;
            let mut hits = scan(self.event_count(), |event| {
                filter.matches(EventIndex(event))
            });
            hits.shrink_to_fit();
            let bytes = size_of_val(hits.as_slice());
            Ok((hits, bytes))
        });
        found.map_err(|error: FilterError| QueryError::Filter(error.to_string()))
    }

    /// Counts the hits of a search in total and by pixel of a window. Hits at the
    /// window's end belong to the last pixel.
    pub(crate) fn search(
        &self,
        search: &Search,
        window: &Window,
        width: u32,
    ) -> Result<SearchHits, QueryError> {
        let hits = self.hits(search)?;
        let before =
            |edge: f64| hits.partition_point(|hit| self.position(window.axis, *hit) < edge);
        let mut places: Vec<_> = Pixels::new(window, width).edges().map(before).collect();
        if let Some(end) = places.last_mut() {
            *end = hits.partition_point(|hit| self.position(window.axis, *hit) <= window.end);
        }
        let counts = places.windows(2).map(|pixel| match pixel {
            [first, end] => (end.saturating_sub(*first)) as u32,
            _ => 0,
        });
        Ok(SearchHits {
            total: hits.len() as u32,
            counts: counts.collect(),
        })
    }
}
