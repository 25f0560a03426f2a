//! Names of the options that the user set.

/// The options that are set.
pub(super) fn set_options<const N: usize>(
    options: [(&'static str, bool); N],
) -> impl Iterator<Item = &'static str> {
    let options = options.into_iter();
    options.filter_map(|(option, is_set)| is_set.then_some(option))
}
