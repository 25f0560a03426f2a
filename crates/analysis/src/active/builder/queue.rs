//! Which post a take takes: a model of an active object's queue, believed as
//! far as the recorded counts bear it out.
//!
//! A filter on the target can leave out the posts and takes of a signal. Then
//! the counts exceed the model, and the events that are seen still keep their
//! order. But it can also leave out all posts of one kind, to the front or to
//! the back, and keep the takes: then the order is wrong, which shows at the
//! latest when an event is taken that the model does not have. Until the counts
//! agree again, pairs are therefore only provisional.

use super::super::{ActiveObjects, Post, PostId, StepId};
use rtoscope_trace::{Endpoint, Signal};
use std::collections::VecDeque;

#[derive(Debug, Default)]
pub(super) struct QueueTracker {
    /// Whether the posts that wait are all that can be seen to wait.
    contents_known: bool,
    /// Whether an event from before it was known may still be on its way out.
    may_have_stray: bool,
    /// What the queue has given away without a record of it yet: an interrupt
    /// can post between the two.
    handed_out: Option<PostId>,
    waiting: VecDeque<PostId>,
    /// Whether somebody else has posted at the front since the last take: that
    /// can have been between a take and its record.
    front_post_since_take: bool,
    /// Pairs that a contradiction would revoke.
    provisional: Vec<(PostId, StepId)>,
}

impl QueueTracker {
    /// What is known ends, with nothing in the queue or with nobody knows what.
    pub(super) fn invalidate(&mut self, active: &mut ActiveObjects, empty: bool) {
        self.revoke(active);
        self.reset(empty);
    }

    /// An event is put into it.
    pub(super) fn post(&mut self, active: &mut ActiveObjects, id: PostId, post: &Post) {
        let queued = post.queued;
        let before = queued.map(|queued| (queued as usize).saturating_sub(1));
        if self.contents_known
            && self.handed_out.is_none()
            && before.map(|count| count + 1) == Some(self.len())
        {
            self.handed_out = self.waiting.pop_front();
        }
        if before.is_some_and(|count| count < self.len()) {
            self.invalidate(active, false);
        }
        if !self.contents_known && before == Some(0) {
            self.contents_known = true;
            self.may_have_stray = true;
        }
        if self.contents_known {
            if post.front {
                self.waiting.push_front(id);
                self.front_post_since_take |= post.from != Endpoint::Object(post.to);
            } else {
                self.waiting.push_back(id);
            }
        }
    }

    /// A step takes an event from it. `left` are in it then, if that is told.
    pub(super) fn take(
        &mut self,
        active: &mut ActiveObjects,
        step: StepId,
        signal: Signal,
        left: Option<u32>,
    ) {
        let left = left.map(|left| left as usize);
        if !self.contents_known {
            self.contents_known = left == Some(0);
            return;
        }
        let overtaken = std::mem::take(&mut self.front_post_since_take);
        let taken = self.pop_taken(left);
        let agrees = match left {
            Some(left) if left > self.len() => !overtaken,
            Some(left) => left == self.len(),
            None => true,
        };
        let fits = |taken: &PostId| {
            let post = active.posts.get(taken.index());
            agrees && post.is_some_and(|post| post.signal == signal)
        };
        let Some(taken) = taken.filter(fits) else {
            self.invalidate(active, left == Some(0));
            return;
        };
        pair(active, taken, step);
        if left == Some(self.len()) {
            self.provisional.clear();
        } else if left.is_some() {
            self.provisional.push((taken, step));
        }
    }

    /// Nothing more will come: what is provisional is not certain.
    pub(super) fn finish(&mut self, active: &mut ActiveObjects) {
        self.revoke(active);
    }

    fn len(&self) -> usize {
        self.waiting.len()
    }

    /// The post that is taken; `None` if that is not certain.
    fn pop_taken(&mut self, left: Option<usize>) -> Option<PostId> {
        let unchanged = left.is_some_and(|left| left >= self.len());
        let stray = std::mem::take(&mut self.may_have_stray);
        match self.handed_out.take() {
            Some(leaving) if unchanged => Some(leaving),
            Some(_) if left.is_none() => None,
            _ if stray && unchanged => None,
            _ => self.waiting.pop_front(),
        }
    }

    fn revoke(&mut self, active: &mut ActiveObjects) {
        for (post, step) in self.provisional.drain(..) {
            if let Some(post) = active.posts.get_mut(post.index()) {
                post.step = None;
            }
            if let Some(step) = active.steps.get_mut(step.index()) {
                step.post = None;
            }
        }
    }

    fn reset(&mut self, empty: bool) {
        self.contents_known = empty;
        self.may_have_stray = false;
        self.handed_out = None;
        self.front_post_since_take = false;
        self.waiting.clear();
    }
}

fn pair(active: &mut ActiveObjects, post: PostId, step: StepId) {
    if let Some(post) = active.posts.get_mut(post.index()) {
        post.step = Some(step);
    }
    if let Some(step) = active.steps.get_mut(step.index()) {
        step.post = Some(post);
    }
}
