//! The functions that record the events of ThreadX's services.

/// Number of the event ISR_ENTER.
pub const ISR_ENTER: u32 = 3;
/// Number of the event ISR_EXIT.
pub const ISR_EXIT: u32 = 4;
/// Number of the event RUNNING.
pub const RUNNING: u32 = 6;

/// An unused field.
pub(super) const NOTHING: u32 = 0;

/// The functions of events: number, name, group, arguments and the content of the four fields.
macro_rules! events {
    ($($number:literal $name:ident $group:ident ($($argument:ident: $type:ty),*)
        [$first:expr, $second:expr, $third:expr, $fourth:expr] $doc:literal)*) => {
        /// Events of ThreadX's services. Record them where another kernel performs the
        /// same service: at the call, before its result is known. Objects are addresses,
        /// times are in ticks; the recorder inserts the stack pointer.
        impl<M: Mask, C: Clock, W: WordWidth> ThreadXRecorder<M, C, W> {
            $(
                #[doc = $doc]
                #[inline(always)]
                pub fn $name(&self, $($argument: $type),*) {
                    let info = [
                        $first.word(),
                        $second.word(),
                        $third.word(),
                        $fourth.word(),
                    ];
                    self.insert(EventGroups::$group, $number, info);
                }
            )*
        }

        #[cfg(all(test, not(loom)))]
        impl<M: Mask, C: Clock, W: WordWidth> ThreadXRecorder<M, C, W> {
            /// Records every event with arguments that `sample` derives from their names.
            /// Returns number, name and fields of each.
            pub(super) fn every_event(
                &self,
                sample: impl Fn(&str) -> u8,
            ) -> std::vec::Vec<(u32, &'static str, [&'static str; 4])> {
                std::vec![$({
                    self.$name($(super::tests::Sample::sample(sample(stringify!($argument)))),*);
                    let fields = [
                        stringify!($first),
                        stringify!($second),
                        stringify!($third),
                        stringify!($fourth),
                    ];
                    ($number, stringify!($name), fields)
                }),*]
            }
        }
    };
}

pub(super) use events;
