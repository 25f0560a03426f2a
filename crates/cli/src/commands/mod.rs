//! One module per subcommand.

pub(crate) mod catalogue;
pub(crate) mod convert;
pub(crate) mod critical_path;
pub(crate) mod diagram;
pub(crate) mod doctor;
pub(crate) mod events;
pub(crate) mod expect;
pub(crate) mod export;
mod export_page;
pub(crate) mod info;
pub(crate) mod live;
pub(crate) mod objects;
pub(crate) mod replay;
pub(crate) mod report;
pub(crate) mod schema;
pub(crate) mod shell;
#[cfg(feature = "viewer")]
pub(crate) mod view;
