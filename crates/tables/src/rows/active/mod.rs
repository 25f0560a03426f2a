//! Tables about active objects and their state machines.

pub(crate) mod posts;
pub(crate) mod state_intervals;
pub(crate) mod steps;
pub(crate) mod timers;
pub(crate) mod transitions;

use super::TableContent;
use super::field::columns;
use super::label::Label;
use super::row_list::{NestedRows, SliceRows, list_content};
use crate::row_context::RowContext;
use rtoscope_analysis::active::{Post, PostId, RtcStep, StepId};

fn step<'a>(scene: &RowContext<'a>, step: Option<StepId>) -> Option<&'a RtcStep> {
    scene.source.view.active.steps.get(step?.index())
}

fn post<'a>(scene: &RowContext<'a>, post: Option<PostId>) -> Option<&'a Post> {
    scene.source.view.active.posts.get(post?.index())
}
