use crate::rkh::setup::StreamSetup;
use core::marker::PhantomData;
use rtoscope_wire::rkh::{ArgumentKind, ObjectClass};

/// Sizes of the argument kinds in bytes, at compile time.
pub(super) struct Widths<S>(PhantomData<S>);

impl<S: StreamSetup> Widths<S> {
    /// The number on the wire of an argument's value.
    #[inline(always)]
    pub(super) const fn wire_number(kind: ArgumentKind, value: u32) -> u32 {
        kind.wire_number(value, &S::CONFIGURATION)
    }
}

macro_rules! widths {
    ($($kind:ident $(($class:ident))?)*) => {
        #[allow(non_upper_case_globals)]
        impl<S: StreamSetup> Widths<S> {
            $(pub(super) const $kind: usize =
                match ArgumentKind::$kind$((ObjectClass::$class))?.width(&S::CONFIGURATION) {
                    Some(bytes) => bytes,
                    None => 0,
                };)*
        }
    };
}

widths! {
    Object(Any)
    Sender(Any)
    Function
    FunctionSymbol
    Signal
    Blocks
    BlocksMinimum
    BlockSize
    Elements
    ElementsMinimum
    Ticks
    EventSize
    EventPool0
    EventPool1
    References
    Priority
    QueueSize
    Count
    Role
    UserEvent
    EventId
    FullEventId
    GroupId
    ArgumentIndex
    StorageSize
    Line32
}
