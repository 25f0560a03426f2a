//! Recordings decoded as they come.
//!
//! ```text
//! bytes ──push──▶ stream of a format ──advance──▶ what is new
//!                                    └──cut─────▶ the last of it, decoded elsewhere
//! ```
//!
//! A stream of RKH comes frame by frame; the others as whole buffers, one after
//! the other, which are stitched by their overlap. What goes missing on the way
//! is a [`Gap`](rtoscope_trace::Gap).

mod detect;
mod elapsed;
#[expect(clippy::module_inception, reason = "the subject of the folder")]
mod live;
mod marks;
mod moment;
mod stream;

pub use live::{Cut, Live, News, Settings};
pub use marks::Mark;
pub use moment::Moment;
pub use stream::Tally;

pub(crate) use elapsed::extra_wraps;
pub(crate) use stream::{Knowledge, Piece, Point, Stream};
