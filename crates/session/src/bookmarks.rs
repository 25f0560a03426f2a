//! The bookmarks of a trace. Several clients change them one by one.

use crate::error::QueryError;
use crate::query::{Bookmark, BookmarkEnd};
use std::num::NonZeroU64;

/// Maximum number of bookmarks of a trace.
const MAX_BOOKMARKS: usize = 10_000;
/// Maximum length of a note in bytes.
const MAX_NOTE_BYTES: usize = 4096;

/// Bookmarks in ascending order of their places; a place has at most one.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bookmarks(Vec<Bookmark>);

/// Where a bookmark is: it identifies the bookmark.
type BookmarkPlace = (u64, Option<NonZeroU64>, Option<BookmarkEnd>);

fn place(bookmark: &Bookmark) -> BookmarkPlace {
    (bookmark.event, bookmark.ticks_after, bookmark.end)
}

impl Bookmarks {
    /// Checks bookmarks from a file and sorts them. Notes at the same place become one.
    pub(crate) fn new(bookmarks: Vec<Bookmark>) -> Result<Self, QueryError> {
        let mut all = Self::default();
        for bookmark in bookmarks {
            all.put(bookmark, None)?;
        }
        Ok(all)
    }

    /// The bookmarks in ascending order of their places.
    pub(crate) fn as_slice(&self) -> &[Bookmark] {
        &self.0
    }

    /// The bookmarks that `keeps` accepts.
    pub(crate) fn retained(&self, keeps: impl Fn(&Bookmark) -> bool) -> Self {
        Self(self.0.iter().filter(|one| keeps(one)).cloned().collect())
    }

    /// Adds a bookmark, or replaces the note `replaces` of the one at its place. A different
    /// note, which another client wrote there meanwhile, is kept before the new one. Unchanged
    /// on error.
    pub(crate) fn put(
        &mut self,
        mut bookmark: Bookmark,
        replaces: Option<&str>,
    ) -> Result<(), QueryError> {
        check_range(&bookmark)?;
        match self.find(&bookmark) {
            Ok(at) => {
                let present = &self.0[at].note;
                if replaces != Some(present) && *present != bookmark.note {
                    bookmark.note = format!("{present}\n{}", bookmark.note);
                }
                check_note(&bookmark.note)?;
                self.0[at] = bookmark;
            }
            Err(at) => {
                check_note(&bookmark.note)?;
                if self.0.len() >= MAX_BOOKMARKS {
                    return Err(QueryError::OutOfRange {
                        parameter: "the number of bookmarks",
                        value: (self.0.len() + 1).to_string(),
                        expected: format!("at most {MAX_BOOKMARKS}"),
                    });
                }
                self.0.insert(at, bookmark);
            }
        }
        Ok(())
    }

    /// Removes a bookmark; fails if another client has changed its note meanwhile.
    pub(crate) fn remove(&mut self, bookmark: &Bookmark) -> Result<(), QueryError> {
        if let Ok(at) = self.find(bookmark) {
            if self.0[at].note != bookmark.note {
                return Err(QueryError::BookmarkChanged);
            }
            self.0.remove(at);
        }
        Ok(())
    }

    fn find(&self, bookmark: &Bookmark) -> Result<usize, usize> {
        let wanted = place(bookmark);
        self.0.binary_search_by_key(&wanted, place)
    }
}

/// Rejects a note that is too long.
fn check_note(note: &str) -> Result<(), QueryError> {
    if note.len() <= MAX_NOTE_BYTES {
        return Ok(());
    }
    Err(QueryError::OutOfRange {
        parameter: "a note",
        value: format!("{} bytes long", note.len()),
        expected: format!("at most {MAX_NOTE_BYTES}"),
    })
}

/// Rejects a range that ends before it starts.
fn check_range(bookmark: &Bookmark) -> Result<(), QueryError> {
    let start = (bookmark.event, bookmark.ticks_after);
    match bookmark.end {
        Some(end) if (end.event, end.ticks_after) < start => Err(QueryError::OutOfRange {
            parameter: "the end of a bookmarked range",
            value: format!("event {}", end.event),
            expected: format!("not before its start at event {}", bookmark.event),
        }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(event: u64, note: &str) -> Bookmark {
        Bookmark {
            event,
            ticks_after: None,
            end: None,
            note: note.to_owned(),
        }
    }

    fn notes(bookmarks: &Bookmarks) -> Vec<(u64, &str)> {
        let all = bookmarks.as_slice().iter();
        all.map(|one| (one.event, one.note.as_str())).collect()
    }

    #[test]
    fn clients_lose_no_notes_of_others() {
        let mut all = Bookmarks::default();
        all.put(at(9, "a"), None).unwrap();
        all.put(at(3, "b"), None).unwrap();
        assert_eq!(notes(&all), [(3, "b"), (9, "a")]);
        all.put(at(9, "a2"), Some("a")).unwrap();
        // This client knows neither that note nor its change.
        all.put(at(9, "c"), None).unwrap();
        assert_eq!(notes(&all), [(3, "b"), (9, "a2\nc")]);
        assert_eq!(all.remove(&at(9, "a2")), Err(QueryError::BookmarkChanged));
        all.remove(&at(9, "a2\nc")).unwrap();
        all.remove(&at(9, "a2\nc")).unwrap();
        assert_eq!(notes(&all), [(3, "b")]);
        // The same note twice is one.
        all.put(at(3, "b"), None).unwrap();
        assert_eq!(notes(&all), [(3, "b")]);
    }

    #[test]
    fn invalid_bookmarks_change_nothing() {
        let range = |ticks, end, after| Bookmark {
            ticks_after: NonZeroU64::new(ticks),
            end: Some(BookmarkEnd {
                event: end,
                ticks_after: NonZeroU64::new(after),
            }),
            ..at(3, "range")
        };
        let mut all = Bookmarks::default();
        for wrong in [range(0, 2, 0), range(5, 3, 4), at(3, &"x".repeat(4097))] {
            all.put(wrong, None).unwrap_err();
        }
        assert_eq!(notes(&all), []);
        for right in [range(0, 3, 0), range(5, 3, 5), at(3, &"x".repeat(4096))] {
            all.put(right, None).unwrap();
        }
        // Joined, they are too long.
        all.put(at(3, "y"), None).unwrap_err();
        assert_eq!(all.as_slice().len(), 3);
        let many = (0..10_000).map(|event| at(event, "")).collect();
        let mut full = Bookmarks::new(many).unwrap();
        full.put(at(10_000, ""), None).unwrap_err();
        full.put(at(9_999, "z"), None).unwrap();
    }
}
