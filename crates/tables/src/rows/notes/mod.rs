//! What is wrong with a recording, or with what it shows.

pub(crate) mod diagnostics;
pub(crate) mod findings;
pub(crate) mod gaps;

use super::Content;
use super::field::columns;
use super::key::Key;
use super::list::{Made, listed};
use crate::scene::Scene;
