//! Serves the viewer: an HTTP API for [sessions](rtoscope_session), and the embedded
//! web app.
//!
//! Bind a [`Server`], add traces, and run it until it is asked to shut down:
//!
//! ```no_run
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let server = rtoscope_server::Server::bind(rtoscope_server::ServerOptions::default())?;
//! server.run(|url| println!("{url}"))?;
//! # Ok(())
//! # }
//! ```
//!
//! No request names a file: traces are added by the program, uploaded, or of the list of
//! recordings that were opened last; the files of the web app are an embedded table.

#![forbid(unsafe_code)]

mod api;
mod assets;
mod body;
mod complete_trace;
mod connection;
mod error;
mod guard;
mod headers;
mod live;
mod notes;
mod recent;
mod recent_file;
mod server;
mod sql;
mod state;
mod traces;
mod work;

pub use complete_trace::TraceOpener;
pub use guard::{HostName, InvalidToken, Token};
pub use live::{LiveFeed, LiveTraceOptions, OlderEventsError};
pub use notes::{NotesError, NotesFile};
pub use recent::{RecentRecording, RecentRecordings};
pub use recent_file::RecentFile;
pub use server::{DEFAULT_MAX_UPLOAD, Server, ServerError, ServerOptions, StopHandle};
pub use sql::{ProcessKey, ProcessPool, RecordingFile, SqlOptions};
pub use traces::{MAX_TRACES, TooManyTraces};
