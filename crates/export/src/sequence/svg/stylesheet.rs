//! The stylesheet, with a light and a dark theme.

use std::fmt::Write as _;

/// The colours of active objects, in turn: ink and tint, light and dark.
const OBJECT_COLOURS: [[&str; 4]; 7] = [
    ["#2f67b1", "#e6effb", "#8ab6f5", "#1a2a42"],
    ["#b4551a", "#fcefe3", "#f0a56b", "#3a2617"],
    ["#2b8455", "#e4f5eb", "#74cf9d", "#17301f"],
    ["#7d4bb8", "#f2eafb", "#c3a0f0", "#2c2040"],
    ["#b0336a", "#fce8f0", "#f08fb6", "#3d1a2a"],
    ["#0b7f88", "#e0f4f5", "#62c9d0", "#10302f"],
    ["#7d6c0f", "#f6f1d8", "#d6c25a", "#302b12"],
];

/// The colours of other lifelines.
const PLAIN_COLOURS: [&str; 4] = ["#5a6472", "#eef0f3", "#a9b3c0", "#262c35"];

/// The number of colours for active objects.
pub(super) const OBJECT_COLOUR_COUNT: usize = OBJECT_COLOURS.len();

/// The rules common to both themes.
const SHAPE_RULES: &str = "\
.rtoscope-sequence text{font:12px 'Helvetica Neue',Arial,'Liberation Sans','DejaVu Sans',sans-serif}
.rtoscope-sequence .head text{font-size:13px;font-weight:bold;text-anchor:middle}
.rtoscope-sequence .band text{font-size:11px;text-anchor:middle}
.rtoscope-sequence .time{font-size:11px;text-anchor:end;font-variant-numeric:tabular-nums}
.rtoscope-sequence .state text,.rtoscope-sequence .divider text,.rtoscope-sequence .note{text-anchor:middle}
.rtoscope-sequence .left{text-anchor:end}
.rtoscope-sequence .label{paint-order:stroke;stroke-width:4px;stroke-linejoin:round}
.rtoscope-sequence .lifeline line{stroke-width:1;stroke-dasharray:5 4}
.rtoscope-sequence .hit{stroke:transparent;stroke-width:11;fill:none;pointer-events:stroke}
.rtoscope-sequence .wire,.rtoscope-sequence .sign{fill:none;stroke-width:1.4;stroke-linejoin:round;stroke-linecap:round}
.rtoscope-sequence .front .wire{stroke-width:2.6}
.rtoscope-sequence .tint{stroke-width:1.2}
.rtoscope-sequence .open .tint{stroke-dasharray:4 3}
.rtoscope-sequence .actor .tint{stroke-dasharray:3 2}
.rtoscope-sequence .divider line{stroke-width:1.2;stroke-dasharray:7 5}
.rtoscope-sequence .rule{stroke-width:1}
.rtoscope-sequence .action .label,.rtoscope-sequence .timer-start .label,.rtoscope-sequence .timer-stop .label{font-size:11px}
";

/// Unnamed colours: paper, text, faint text, rules, warning, alarm.
const LIGHT_COLOURS: [&str; 6] = [
    "#ffffff", "#1c2128", "#68727f", "#dde1e6", "#9a6700", "#c02b30",
];
const DARK_COLOURS: [&str; 6] = [
    "#14171c", "#e4e8ee", "#929dab", "#323943", "#e0b050", "#ff8a8a",
];

pub(super) fn stylesheet() -> String {
    let mut sheet = SHAPE_RULES.to_owned();
    colours(&mut sheet, &LIGHT_COLOURS, |[ink, tint, _, _]| [ink, tint]);
    sheet.push_str("@media (prefers-color-scheme:dark){\n");
    colours(&mut sheet, &DARK_COLOURS, |[_, _, ink, tint]| [ink, tint]);
    sheet.push_str("}\n");
    sheet
}

fn colours(
    sheet: &mut String,
    [paper, text, faint, rule, warning, alarm]: &[&str; 6],
    of_time: impl Fn([&'static str; 4]) -> [&'static str; 2],
) {
    let _ = write!(
        sheet,
        "\
.rtoscope-sequence .paper{{fill:{paper}}}
.rtoscope-sequence text{{fill:{text}}}
.rtoscope-sequence .label{{stroke:{paper}}}
.rtoscope-sequence .time,.rtoscope-sequence .band text,.rtoscope-sequence .note,.rtoscope-sequence .faint .label{{fill:{faint}}}
.rtoscope-sequence .rule{{stroke:{rule}}}
.rtoscope-sequence .divider line{{stroke:{warning}}}
.rtoscope-sequence .divider text{{fill:{warning}}}
.rtoscope-sequence .restart line{{stroke:{text}}}
.rtoscope-sequence .restart text{{fill:{text}}}
"
    );
    let hues = OBJECT_COLOURS.iter().enumerate();
    let hues = hues.map(|(number, hue)| (format!(".hue-{number}"), *hue));
    for (class, hue) in hues.chain([(".plain".to_owned(), PLAIN_COLOURS)]) {
        let [ink, tint] = of_time(hue);
        let _ = write!(
            sheet,
            "\
.rtoscope-sequence {class} .wire,.rtoscope-sequence {class} .sign,.rtoscope-sequence {class} line{{stroke:{ink}}}
.rtoscope-sequence {class} .tint{{fill:{tint};stroke:{ink}}}
.rtoscope-sequence {class} .solid{{fill:{ink};stroke:{ink}}}
"
        );
    }
    let _ = write!(
        sheet,
        "\
.rtoscope-sequence .refused .sign{{stroke:{alarm}}}
.rtoscope-sequence .refused .label{{fill:{alarm}}}
"
    );
}
