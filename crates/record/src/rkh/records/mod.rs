//! A method for each record of RKH 3.

mod by_id;
mod framework;
mod machines;
mod names;
mod objects;
mod widths;

#[cfg(test)]
mod tests;

/// Generates methods from a list of records. A line contains the id, the filter level
/// and, for each argument, its type here and its kind in the table of
/// `rtoscope_wire::rkh::record`. The tests compare the list with that table.
macro_rules! records {
    ($(
        $(#[$doc:meta])*
        $name:ident = $id:literal $filter:ident $(($($by:ident),+))?
        { $($argument:ident: $type:ty = $kind:ident $(($class:ident))?),* $(,)? }
    )*) => {
        impl<S: StreamSetup, M: Mask, C: Clock> RkhRecorder<S, M, C> {
            $(
                $(#[$doc])*
                #[inline]
                #[allow(clippy::too_many_arguments)]
                pub fn $name(&self, $($argument: $type),*) {
                    if passes!(self, $id, $filter $(($($by),+))?) {
                        let arguments = PackedArguments::new()
                            $(.with(
                                Widths::<S>::wire_number(
                                    rtoscope_wire::rkh::ArgumentKind::$kind
                                        $((rtoscope_wire::rkh::ObjectClass::$class))?,
                                    WireNumber::number($argument),
                                ),
                                Widths::<S>::$kind,
                            ))*;
                        self.record($id, arguments);
                    }
                }
            )*
        }

        #[cfg(test)]
        pub(super) const TABLE: &[super::tests::MethodSpec] = &[$(
            super::tests::MethodSpec {
                id: $id,
                name: stringify!($name),
                filter: rtoscope_wire::rkh::FilterLevel::$filter,
                arguments: &[$({
                    #[allow(unused_imports)]
                    use rtoscope_wire::rkh::{ArgumentKind, ObjectClass};
                    ArgumentKind::$kind $((ObjectClass::$class))?
                }),*],
            },
        )*];
    };
}

/// Whether a record passes the filter.
macro_rules! passes {
    ($self:ident, $id:literal, Never) => {
        $self.passing.always()
    };
    ($self:ident, $id:literal, Group) => {
        $self.passing.event($id)
    };
    ($self:ident, $id:literal, Object($object:ident)) => {
        $self.passing.event($id) && $self.passes_object($object)
    };
    ($self:ident, $id:literal, Signal($object:ident, $signal:ident)) => {
        passes!($self, $id, Object($object)) && $self.passes_signal($signal)
    };
}

use {passes, records};
