//! Formatted events: see [`record_format!`](crate::record_format).

use crate::port::{Clock, Mask};
use crate::rkh::{EncodedArguments, FIRST_USER_ID, RkhRecorder, StreamSetup};
use crate::threadx::{LAST_USER_EVENT, ThreadXRecorder, WordWidth};
use rtoscope_wire::rkh::user::ItemFormat;

/// The user event of ThreadX with the address of a text and up to three values.
pub const THREADX_FORMAT_EVENT: u32 = LAST_USER_EVENT;

/// The application's event of RKH with the address of a text and its values.
pub const RKH_FORMAT_EVENT: u32 = 31;

/// Maximum number of values of an event in an RKH stream.
pub const MAX_FORMAT_VALUES: usize = 8;

/// Room for a text and its values, each with its format, and the word after them.
const MAX_FORMAT_WORDS: usize = (5 * (1 + MAX_FORMAT_VALUES) + 3) / 4 + 1;

/// A recorder of formatted events.
pub trait FormatRecorder {
    /// Maximum number of values of an event.
    const MAX_VALUES: usize;

    /// Records the address of a text in the section `.rtoscope`, and its values. Further
    /// values than [`MAX_VALUES`](Self::MAX_VALUES) are not recorded.
    fn record_format(&self, text: u32, values: &[u32]);
}

impl<S: StreamSetup, M: Mask, C: Clock> FormatRecorder for RkhRecorder<S, M, C> {
    const MAX_VALUES: usize = MAX_FORMAT_VALUES;

    fn record_format(&self, text: u32, values: &[u32]) {
        const ID: u8 = FIRST_USER_ID | RKH_FORMAT_EVENT as u8;

        if self.passes(ID, None, None) {
            let mut encoded = EncodedArguments::<MAX_FORMAT_WORDS>::new();
            encoded.push_number(ItemFormat::X32 as u32, 1);
            encoded.push_number(text, 4);
            for value in values.iter().take(MAX_FORMAT_VALUES) {
                encoded.push_number(ItemFormat::U32 as u32, 1);
                encoded.push_number(*value, 4);
            }
            self.record_encoded(ID, &mut encoded);
        }
    }
}

impl<M: Mask, C: Clock, W: WordWidth> FormatRecorder for ThreadXRecorder<M, C, W> {
    const MAX_VALUES: usize = 3;

    fn record_format(&self, text: u32, values: &[u32]) {
        let value = |index: usize| W::from(values.get(index).copied().unwrap_or_default());
        let info = [W::from(text), value(0), value(1), value(2)];
        // The number is valid.
        let _ = self.try_user_event(THREADX_FORMAT_EVENT, info);
    }
}

impl<R: FormatRecorder> FormatRecorder for &R {
    const MAX_VALUES: usize = R::MAX_VALUES;

    fn record_format(&self, text: u32, values: &[u32]) {
        (**self).record_format(text, values);
    }
}

/// A value of a formatted event: a number of up to 32 bits, a character, a boolean, or the
/// address of a text with a NUL in constant memory (`%s`).
pub trait FormatValue {
    /// The value as recorded.
    fn word(self) -> u32;
}

macro_rules! values {
    ($($type:ty)*) => {
        $(impl FormatValue for $type {
            #[inline(always)]
            #[allow(clippy::cast_lossless)]
            fn word(self) -> u32 {
                self as u32
            }
        })*
    };
}

values!(u8 u16 u32 usize i8 i16 i32 isize bool char);

impl<T> FormatValue for *const T {
    #[inline(always)]
    fn word(self) -> u32 {
        self as usize as u32
    }
}

/// Number of values that a format string takes.
///
/// # Panics
/// At compile time, if a conversion does not take a number of 32 bits.
#[doc(hidden)]
pub const fn conversions(format: &str) -> usize {
    let bytes = format.as_bytes();
    let (mut at, mut count) = (0, 0);
    while at < bytes.len() {
        let percent = byte_at(bytes, at) == b'%';
        at += 1;
        if !percent {
            continue;
        }
        if byte_at(bytes, at) == b'%' {
            at += 1;
            continue;
        }
        while matches!(
            byte_at(bytes, at),
            b'-' | b'+' | b' ' | b'#' | b'.' | b'0'..=b'9'
        ) {
            at += 1;
        }
        let is_number = matches!(
            byte_at(bytes, at),
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'c' | b's' | b'p'
        );
        assert!(is_number, "a conversion that takes no number of 32 bits");
        at += 1;
        count += 1;
    }
    count
}

/// A byte; NUL after the end.
#[allow(clippy::indexing_slicing)]
const fn byte_at(bytes: &[u8], at: usize) -> u8 {
    if at < bytes.len() { bytes[at] } else { 0 }
}

/// The bytes of a text of `N` bytes.
#[doc(hidden)]
#[allow(clippy::indexing_slicing)]
pub const fn text_bytes<const N: usize>(text: &str) -> [u8; N] {
    let mut bytes = [0; N];
    let mut at = 0;
    while at < N {
        bytes[at] = byte_at(text.as_bytes(), at);
        at += 1;
    }
    bytes
}

/// Records a formatted event with a [`FormatRecorder`]: only the address of the text and the
/// values are recorded. `rtoscope --elf` reads the text from the firmware's ELF file.
///
/// The format is C's, for numbers of 32 bits: `%d %i %u %x %X %o %c %p`, `%s` with the
/// address of a text with a NUL in constant memory, and `%%`. The number of values is
/// checked at compile time.
///
/// ```
/// use rtoscope_record::port::{NullClock, SpinLock};
/// use rtoscope_record::threadx::ThreadXRecorder;
/// use rtoscope_record::record_format;
///
/// static TRACE: ThreadXRecorder<SpinLock, NullClock> =
///     ThreadXRecorder::new(SpinLock::new(), NullClock);
/// record_format!(TRACE, "queue %u of %u", 3_u8, 4_u32);
/// ```
///
/// ```compile_fail
/// # use rtoscope_record::port::{NullClock, SpinLock};
/// # use rtoscope_record::threadx::ThreadXRecorder;
/// # static TRACE: ThreadXRecorder<SpinLock, NullClock> =
/// #     ThreadXRecorder::new(SpinLock::new(), NullClock);
/// rtoscope_record::record_format!(TRACE, "queue %u of %u", 3_u8);
/// ```
///
/// Link with `rtoscope.x`, or the texts take memory on the target.
#[macro_export]
macro_rules! record_format {
    ($recorder:expr, $format:literal $(, $value:expr)* $(,)?) => {{
        const FORMAT: &str = concat!($format, "\0");
        #[cfg_attr(not(target_vendor = "apple"), link_section = ".rtoscope")]
        static TEXT: [u8; FORMAT.len()] = $crate::format_string::text_bytes(FORMAT);
        const COUNT: usize = <[&str]>::len(&[$(stringify!($value)),*]);
        const _: () = assert!(
            $crate::format_string::conversions($format) == COUNT,
            "the values do not fit the format"
        );
        $crate::format_string::record(
            &$recorder,
            &TEXT,
            [$($crate::format_string::FormatValue::word($value)),*],
        );
    }};
}

struct ValueCount<R, const N: usize>(core::marker::PhantomData<R>);

impl<R: FormatRecorder, const N: usize> ValueCount<R, N> {
    const CHECKED: () = assert!(N <= R::MAX_VALUES, "more values than an event has");
}

#[doc(hidden)]
#[inline(always)]
pub fn record<R: FormatRecorder, const N: usize>(recorder: &R, text: &[u8], values: [u32; N]) {
    #[allow(clippy::let_unit_value)]
    let () = ValueCount::<R, N>::CHECKED;
    recorder.record_format(text.as_ptr() as usize as u32, &values);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    struct Words(Mutex<Vec<(u32, Vec<u32>)>>);

    impl FormatRecorder for Words {
        const MAX_VALUES: usize = 3;

        fn record_format(&self, text: u32, values: &[u32]) {
            self.0.lock().unwrap().push((text, values.to_vec()));
        }
    }

    #[test]
    fn only_the_address_and_the_values_are_recorded() {
        let words = Words(Mutex::default());
        record_format!(words, "plain");
        record_format!(words, "%d of %u: %c%%", -1_i8, 300_u16, 'x');
        let found = words.0.into_inner().unwrap();
        let (texts, values): (Vec<_>, Vec<_>) = found.into_iter().unzip();
        assert_eq!(values, [vec![], vec![u32::MAX, 300, 0x78]]);
        assert_ne!(texts.first(), texts.last());
    }

    #[test]
    fn conversions_are_counted() {
        assert_eq!(conversions("100 %%"), 0);
        assert_eq!(conversions("%08x %-5u|% d%+i %.3u"), 5);
        assert_eq!(text_bytes::<4>("ab"), *b"ab\0\0");
    }
}
