//! Tables about problems: diagnostics, findings and gaps.

pub(crate) mod diagnostics;
pub(crate) mod findings;
pub(crate) mod gaps;

use super::TableContent;
use super::field::columns;
use super::label::Label;
use super::row_list::{OwnedRows, list_content};
use crate::row_context::RowContext;
