//! Column names of results.

use arrow::datatypes::{Schema, SchemaRef};
use std::collections::HashSet;
use std::sync::Arc;

/// A schema with the same columns under distinct names: for `SELECT a.ticks,
/// b.ticks` the second one is `ticks_2`.
pub(crate) fn distinct_columns(schema: &SchemaRef) -> SchemaRef {
    let names: HashSet<_> = schema.fields().iter().map(|field| field.name()).collect();
    if names.len() == schema.fields().len() {
        return schema.clone();
    }
    let mut taken: HashSet<String> = HashSet::new();
    let fields = schema.fields().iter().map(|field| {
        let mut name = field.name().clone();
        let mut number = 1;
        while taken.contains(&name) || number > 1 && names.contains(&name) {
            number += 1;
            name = format!("{}_{number}", field.name());
        }
        taken.insert(name.clone());
        Arc::new(field.as_ref().clone().with_name(name))
    });
    let fields: Vec<_> = fields.collect();
    Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::datatypes::{DataType, Field};

    #[test]
    fn duplicate_column_names_get_numbers() {
        let schema = |names: &[&str]| {
            let field = |name: &&str| Field::new(*name, DataType::UInt64, false);
            SchemaRef::new(Schema::new(names.iter().map(field).collect::<Vec<_>>()))
        };
        let made = distinct_columns(&schema(&["a", "b", "a", "a_2", "a"]));
        assert_eq!(made, schema(&["a", "b", "a_3", "a_2", "a_4"]));
    }
}
