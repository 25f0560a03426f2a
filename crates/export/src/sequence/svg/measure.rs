//! Upper bounds for text widths.
//!
//! An SVG is laid out without the font that will render it. These widths are those
//! of DejaVu Sans, one of the widest common sans-serif fonts, so the text also fits
//! in other fonts.

/// Advance widths of the characters from blank to tilde, in hundredths of the font
/// size.
const CHAR_WIDTHS: [u8; 95] = [
    32, 41, 46, 84, 64, 96, 78, 28, 40, 40, 50, 84, 32, 37, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 54, 100, 69, 69, 70, 78, 64, 58, 78, 76, 30, 30, 66, 56, 87, 75,
    79, 61, 79, 70, 64, 62, 74, 69, 99, 69, 62, 69, 40, 34, 40, 84, 50, 50, 62, 64, 55, 64, 62, 36,
    64, 64, 28, 28, 58, 28, 98, 64, 62, 64, 64, 42, 53, 40, 64, 60, 82, 60, 60, 53, 64, 34, 64, 84,
];

/// The width of any other character: East Asian characters are square.
const DEFAULT_CHAR_WIDTH: u8 = 100;

/// Bold letters are at most two sevenths wider, such as `I`.
const BOLD_FACTOR: (u64, u64) = (9, 7);

/// The font of a text.
#[derive(Clone, Copy)]
pub(super) struct Font {
    /// In pixels.
    pub(super) size: u32,
    pub(super) bold: bool,
}

impl Font {
    pub(super) const LABEL: Self = Self::new(12, false);
    pub(super) const HEAD: Self = Self::new(13, true);
    pub(super) const SMALL: Self = Self::new(11, false);

    const fn new(size: u32, bold: bool) -> Self {
        Self { size, bold }
    }

    /// The width of a text in pixels, rounded up.
    pub(super) fn width(self, text: &str) -> i32 {
        let units = text.chars().map(char_units).fold(0, u32::saturating_add);
        self.pixels(units)
    }

    /// The text, shortened with an ellipsis if it is wider than `width`.
    pub(super) fn fit(self, text: &str, width: i32) -> String {
        if self.width(text) <= width {
            return text.to_owned();
        }
        let mut taken = u32::from(DEFAULT_CHAR_WIDTH);
        let fits = |letter: &char| {
            taken = taken.saturating_add(char_units(*letter));
            self.pixels(taken) <= width
        };
        let mut short: String = text.chars().take_while(fits).collect();
        short.truncate(short.trim_end().len());
        short.push('…');
        short
    }

    fn pixels(self, units: u32) -> i32 {
        let (more, than) = if self.bold { BOLD_FACTOR } else { (1, 1) };
        let hundredths = u64::from(units) * u64::from(self.size) * more / than;
        i32::try_from(hundredths.div_ceil(100)).unwrap_or(i32::MAX)
    }
}

fn char_units(letter: char) -> u32 {
    let place = u32::from(letter).wrapping_sub(u32::from(' '));
    let width = usize::try_from(place)
        .ok()
        .and_then(|place| CHAR_WIDTHS.get(place));
    u32::from(*width.unwrap_or(&DEFAULT_CHAR_WIDTH))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_shortened() {
        let font = Font::LABEL;
        assert_eq!(font.fit("short", 100), "short");
        let short = font.fit("a rather long name of a signal", 100);
        assert_eq!(short, "a rather long…");
        assert!(font.width(&short) <= 100);
        assert_eq!(font.fit("anything", 0), "…");
        assert!(Font::HEAD.width("日本") >= 26);
    }
}
