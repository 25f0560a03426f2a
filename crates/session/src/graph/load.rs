//! Graphs of core loads.

use super::builder::GraphBuilder;
use crate::axis::Pixels;
use crate::error::QueryError;
use crate::index::core_loads::{CoreLoads, LoadAtTime, LoadShare};
use crate::query::Window;
use crate::response::Graph;
use crate::session::Session;
use rtoscope_analysis::report::ReportKind;
use rtoscope_analysis::schedule::CoreSlices;

impl Session {
    fn core_loads(&self) -> &CoreLoads {
        self.caches
            .core_loads
            .get_or_init(|| CoreLoads::of(&self.recording.schedule.cores))
    }

    /// The share of time in which threads and interrupts run on a core, or on all
    /// cores, in percent; `None` if unknown.
    pub(super) fn load_graph(
        &self,
        core: Option<u8>,
        window: &Window,
        width: u32,
    ) -> Result<Graph, QueryError> {
        let cores = self
            .recording
            .schedule
            .cores
            .iter()
            .zip(self.core_loads().iter());
        let wanted = |slices: &CoreSlices| core.is_none_or(|core| core == slices.core);
        let cores: Vec<_> = cores.filter(|(slices, _)| wanted(slices)).collect();
        if let Some(core) = core.filter(|_| cores.is_empty()) {
            return Err(self.unknown_core(core));
        }
        let is_measured = ReportKind::Load
            .missing_time(&self.recording.trace.clock)
            .is_none();
        let extent = self.extent(window.axis);
        let mut line = GraphBuilder::default();
        let mut before: Option<(f64, f64, Vec<LoadAtTime>)> = None;
        for edge in Pixels::new(window, width).edges() {
            let at = edge.clamp(extent.start, extent.end);
            let moment = self.time_at(window.axis, at);
            let cores = cores.iter();
            let now: Vec<_> = cores
                .map(|(slices, load)| load.at_time(slices, moment))
                .collect();
            if let Some((start, first, before)) = &before {
                let mut share = LoadShare::default();
                if *first < at {
                    for (before, now) in before.iter().zip(&now) {
                        now.add_interval_since(before, &mut share);
                    }
                }
                let is_known = is_measured && share.known > 0.0;
                let percent =
                    is_known.then(|| round_to_thousandths(100.0 * share.busy / share.total));
                line.push(*start, percent.map(|percent| (percent, percent)));
            }
            before = Some((edge, at, now));
        }
        Ok(line.finish(None, Some(100.0)))
    }
}

/// Rounds a percentage to three decimals.
fn round_to_thousandths(percent: f64) -> f64 {
    (percent.clamp(0.0, 100.0) * 1000.0).round() / 1000.0
}
