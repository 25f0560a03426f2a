//! Serves the viewer: HTTP around [sessions](rtoscope_session), and the web app
//! inside.
//!
//! A [`Server`] is bound first, gets its traces, and then runs until it is told
//! to end:
//!
//! ```no_run
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let server = rtoscope_server::Server::bind(rtoscope_server::Settings::default())?;
//! server.run(|url| println!("{url}"))?;
//! # Ok(())
//! # }
//! ```
//!
//! No request names a file: traces are added by the program or uploaded, and
//! the files of the web app are a table.

#![forbid(unsafe_code)]

mod api;
mod assets;
mod body;
mod connection;
mod error;
mod guard;
mod headers;
mod live;
mod notes;
mod server;
mod state;
mod traces;
mod work;

pub use guard::{HostName, InvalidToken, Token};
pub use live::{LiveFeed, LiveTraceOptions, OlderEventsError};
pub use notes::{NotesError, NotesFile};
pub use server::{DEFAULT_MAX_UPLOAD, Server, ServerError, ServerOptions};
pub use traces::{MAX_TRACES, TooManyTraces};
