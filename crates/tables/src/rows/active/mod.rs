//! Active objects and their state machines.

pub(crate) mod posts;
pub(crate) mod stays;
pub(crate) mod steps;
pub(crate) mod timers;
pub(crate) mod transitions;

use super::Content;
use super::field::columns;
use super::key::Key;
use super::list::{Flat, Nested, listed};
use crate::scene::Scene;
use rtoscope_analysis::active::{Post, PostId, Step, StepId};

fn step<'a>(scene: &Scene<'a>, step: Option<StepId>) -> Option<&'a Step> {
    scene.source.view.active.steps.get(step?.index())
}

fn post<'a>(scene: &Scene<'a>, post: Option<PostId>) -> Option<&'a Post> {
    scene.source.view.active.posts.get(post?.index())
}
