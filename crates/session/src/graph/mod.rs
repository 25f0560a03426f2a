//! Values over a window: loads of cores, levels of objects.

mod builder;
mod level;
mod load;

use crate::error::QueryError;
use crate::query::{GraphSource, Window};
use crate::response::Graph;
use crate::session::Session;

impl Session {
    /// A value over a window of `width` pixels.
    pub(crate) fn graph(
        &self,
        of: GraphSource,
        window: &Window,
        width: u32,
    ) -> Result<Graph, QueryError> {
        let mut graph = match of {
            GraphSource::Load { core } => self.load_graph(core, window, width)?,
            GraphSource::Level { resource } => {
                self.level_graph(self.level_resource(resource)?, window, width)?
            }
        };
        let origin = self.axis_origin(window.axis);
        graph.positions.iter_mut().for_each(|at| *at += origin);
        Ok(graph)
    }
}
