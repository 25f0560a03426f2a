//! Names for addresses and numbers. They are never filtered.

use super::widths::Widths;
use crate::port::{Clock, Mask};
use crate::rkh::packed::PackedArguments;
use crate::rkh::setup::SetupConstants;
use crate::rkh::value::WireNumber;
use crate::rkh::{Address, RkhRecorder, StreamSetup};

/// As `records`, for records that end with a text.
macro_rules! names {
    ($(
        $(#[$doc:meta])*
        $name:ident = $id:literal
        { $($argument:ident: $type:ty = $kind:ident $(($class:ident))?),* }
    )*) => {
        impl<S: StreamSetup, M: Mask, C: Clock> RkhRecorder<S, M, C> {
            $(
                $(#[$doc])*
                ///
                /// The name ends at its first NUL, if it has one.
                pub fn $name(&self, $($argument: $type,)* name: &[u8]) {
                    let arguments = PackedArguments::new()
                        $(.with(WireNumber::number($argument), Widths::<S>::$kind))*;
                    self.record_name($id, &arguments, name);
                }
            )*
        }

        #[cfg(test)]
        pub(super) const TABLE: &[super::tests::MethodSpec] = &[$(
            super::tests::MethodSpec {
                id: $id,
                name: stringify!($name),
                filter: rtoscope_wire::rkh::FilterLevel::Never,
                arguments: &[
                    $({
                        #[allow(unused_imports)]
                        use rtoscope_wire::rkh::{ArgumentKind, ObjectClass};
                        ArgumentKind::$kind $((ObjectClass::$class))?
                    },)*
                    rtoscope_wire::rkh::ArgumentKind::Text,
                ],
            },
        )*];
    };
}

names! {
    /// `RKH_TR_FWK_OBJ`: names an object of any kind.
    fwk_obj = 0xA6 { object: Address = Object(Any) }
    /// `RKH_TR_FWK_SIG`: names a signal.
    fwk_sig = 0xA7 { signal: u32 = Signal }
    /// `RKH_TR_FWK_FUN`: names a function.
    fwk_fun = 0xA8 { function: Address = FunctionSymbol }
    /// `RKH_TR_FWK_AO`: names an active object.
    fwk_ao = 0xAE { ao: Address = Object(ActiveObject) }
    /// `RKH_TR_FWK_STATE`: names a state and its active object.
    fwk_state = 0xAF { ao: Address = Object(ActiveObject), state: Address = Object(State) }
    /// `RKH_TR_FWK_PSTATE`: names a pseudostate and its active object.
    fwk_pstate = 0xB0 {
        ao: Address = Object(ActiveObject), pseudostate: Address = Object(Pseudostate)
    }
    /// `RKH_TR_FWK_TIMER`: names a timer.
    fwk_timer = 0xB1 { timer: Address = Object(Timer) }
    /// `RKH_TR_FWK_EPOOL`: names an event pool, counted from 0.
    fwk_epool = 0xB2 { pool: u8 = EventPool0 }
    /// `RKH_TR_FWK_QUEUE`: names a queue.
    fwk_queue = 0xB3 { queue: Address = Object(Queue) }
    /// `RKH_TR_FWK_ACTOR`: names an object that sends or allocates events.
    fwk_actor = 0xB4 { actor: Address = Object(Actor) }
}

/// `RKH_TE_FWK_TUSR` of RKH 3.
const FWK_TUSR: u8 = 0xAB;

impl<S: StreamSetup, M: Mask, C: Clock> RkhRecorder<S, M, C> {
    /// `RKH_TR_FWK_TUSR`: names an event of the application, with the numbers that
    /// [`user`](Self::user) accepts. Returns `false` and records nothing if the event does
    /// not exist.
    ///
    /// The name ends at its first NUL, if it has one.
    pub fn fwk_tusr(&self, event: u32, name: &[u8]) -> bool {
        let event = SetupConstants::<S>::user_event(event);
        if let Some(event) = event {
            let arguments = PackedArguments::new().with(event.into(), Widths::<S>::UserEvent);
            self.record_name(FWK_TUSR, &arguments, name);
        }
        event.is_some()
    }

    #[inline(never)]
    fn record_name(&self, id: u8, arguments: &PackedArguments, name: &[u8]) {
        if self.passing.always() {
            self.record_with(id, arguments.bytes.wrapping_add(1), |cursor| {
                arguments.write(cursor);
                cursor.text(name);
            });
        }
    }
}
