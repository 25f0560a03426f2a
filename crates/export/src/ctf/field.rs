//! Fields of events.

use super::field_type::FieldType;
use super::tsdl_text::IdentifierScope;

/// A field of an event or a context.
#[derive(Debug)]
pub(super) struct CtfField {
    /// The TSDL name.
    pub(super) name: String,
    /// The type of its values.
    pub(super) field_type: FieldType,
    /// For bytes, the name of the preceding field with their length.
    pub(super) length_field: Option<String>,
}

/// Creates fields from arbitrary names, which become valid and unique identifiers.
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
