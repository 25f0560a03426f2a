//! Fields of events.

use super::field_type::FieldType;
use super::tsdl_text::IdentifierScope;

/// A field of an event or a context.
#[derive(Debug)]
pub(super) struct CtfField {
    /// Its name in TSDL.
    pub(super) name: String,
    /// How its values are written.
    pub(super) field_type: FieldType,
    /// Of bytes, the name of the field before it that says how many there are.
    pub(super) length_field: Option<String>,
}

/// Fields by names of any kind, which they get as unlike as they need to be.
pub(super) fn unique_fields<'n>(
    fields: impl IntoIterator<Item = (&'n str, FieldType)>,
) -> Vec<CtfField> {
    let mut identifiers = IdentifierScope::default();
    let fields = fields.into_iter().map(|(name, form)| {
        let name = identifiers.unique(name);
        let length = (form == FieldType::Bytes).then(|| {
            let stem = name.strip_prefix('_').unwrap_or(&name);
            identifiers.unique(&format!("{stem}_length"))
        });
        CtfField {
            name,
            field_type: form,
            length_field: length,
        }
    });
    fields.collect()
}
