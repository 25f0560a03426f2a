//! Which post a take takes: a model of an active object's queue, trusted while
//! the recorded counts confirm it.
//!
//! A filter on the target can suppress the posts and takes of a signal. The
//! counts then exceed the model, but the visible events still keep their order.
//! A filter can also suppress all posts of one kind, at the front or at the
//! back, and keep the takes: then the order is wrong, which shows at the latest
//! when a step takes an event that the model does not have. Pairs are therefore
//! provisional until the counts agree again.

use super::super::{ActiveObjects, Post, PostId, StepId};
use rtoscope_trace::{Endpoint, Signal};
use std::collections::VecDeque;

#[derive(Debug, Clone, Default)]
pub(super) struct QueueTracker {
    /// Whether the waiting posts are all that are visible.
    contents_known: bool,
    /// Whether an event from before the queue was known may still have to be
    /// taken.
    may_have_stray: bool,
    /// The post that the queue has handed out without a record of it yet: an
    /// interrupt can post between the two.
    handed_out: Option<PostId>,
    waiting: VecDeque<PostId>,
    /// Whether another context has posted at the front since the last take:
    /// that may have been between a take and its record.
    front_post_since_take: bool,
    /// Pairs that a contradiction would revoke.
    provisional: Vec<(PostId, StepId)>,
}

impl QueueTracker {
    /// Resets the model, to an empty queue or to an unknown one.
    pub(super) fn invalidate(&mut self, active: &mut ActiveObjects, empty: bool) {
        self.revoke(active);
        self.reset(empty);
    }

    /// Puts an event into the queue.
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

    /// A step takes an event. `left` is the number of events that remain, if
    /// recorded.
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

    /// Ends the trace: provisional pairs are not certain.
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
