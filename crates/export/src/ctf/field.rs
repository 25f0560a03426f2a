//! Fields of events.

use super::form::Form;
use super::text::Identifiers;

/// A field of an event or a context.
#[derive(Debug)]
pub(super) struct Field {
    /// Its name in TSDL.
    pub(super) name: String,
    /// How its values are written.
    pub(super) form: Form,
    /// Of bytes, the name of the field before it that says how many there are.
    pub(super) length: Option<String>,
}

/// Fields by names of any kind, which they get as unlike as they need to be.
pub(super) fn named<'n>(fields: impl IntoIterator<Item = (&'n str, Form)>) -> Vec<Field> {
    let mut identifiers = Identifiers::default();
    let fields = fields.into_iter().map(|(name, form)| {
        let name = identifiers.give(name);
        let length = (form == Form::Bytes).then(|| {
            let stem = name.strip_prefix('_').unwrap_or(&name);
            identifiers.give(&format!("{stem}_length"))
        });
        Field { name, form, length }
    });
    fields.collect()
}
