//! Values over a window: how loaded cores are, how full objects are.

mod level;
mod line;
mod load;
mod pyramid;

pub(crate) use load::Loads;
pub(crate) use pyramid::Pyramid;

use crate::answer::Curve;
use crate::query::{CurveOf, Window};
use crate::session::{AskError, Session};

impl Session {
    /// A value over a window of so many pixels.
    pub(crate) fn curve(
        &self,
        of: CurveOf,
        window: &Window,
        width: u32,
    ) -> Result<Curve, AskError> {
        match of {
            CurveOf::Load { core } => self.load_curve(core, window, width),
            CurveOf::Level { resource } => self.level_curve(resource, window, width),
        }
    }
}
