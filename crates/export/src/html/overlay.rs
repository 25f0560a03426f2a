//! Charts of two sides: before as areas, after as hatched outlines, which no vision of colours
//! is needed for.

use super::cells::grouped;
use rtoscope_analysis::compare::OverlaidHistogram;
use std::fmt::Write as _;

const WIDTH: f64 = 320.0;
const HEIGHT: f64 = 90.0;

/// The hatch of the charts, once on the page.
pub(super) const HATCH: &str = "<svg class=\"hatch\" aria-hidden=\"true\"><defs><pattern id=\"hatch\" width=\"5\" height=\"5\" \
    patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\"><path class=\"after\" d=\"M0 0V5\"/>\
    </pattern></defs></svg>";

/// Two distributions in the same bins.
pub(super) fn histogram(of: &OverlaidHistogram) -> String {
    let share = |count: u64, all: u64| count as f64 / all.max(1) as f64;
    let shares: Vec<_> = of
        .bins
        .iter()
        .map(|bin| [share(bin.before, of.before), share(bin.after, of.after)])
        .collect();
    let highest = shares.iter().flatten().copied().fold(0.0, f64::max);
    let text = |value: u64| of.unit.text(value as f64);
    let ends = [
        of.bins.first().map(|bin| bin.min),
        of.bins.last().map(|bin| bin.max),
    ];
    let [first, last] = ends.map(|end| text(end.unwrap_or_default()));
    let mut svg = format!(
        "<svg class=\"overlay\" viewBox=\"0 0 {WIDTH} {}\" role=\"img\"><title>{} durations before, {} after, from {first} to {last}</title>",
        HEIGHT + 18.0,
        grouped(of.before),
        grouped(of.after),
    );
    let [before, after]: [Vec<f64>; 2] = [
        shares.iter().map(|[share, _]| *share).collect(),
        shares.iter().map(|[_, share]| *share).collect(),
    ];
    // A style sheet with this fill would be one that refers to something.
    let hatch = " fill=\"url(#hatch)\"";
    for (class, fill, shares) in [("before", "", before), ("after", hatch, after)] {
        let path = outline(&shares, highest);
        let _ = write!(svg, "<path class=\"{class}\"{fill} d=\"{path}\"/>");
    }
    let width = WIDTH / of.bins.len().max(1) as f64;
    for ((bin, shares), place) in of.bins.iter().zip(&shares).zip(0_u32..) {
        let [before, after] = shares.map(|share| share * 100.0);
        let _ = write!(
            svg,
            "<rect class=\"hint\" x=\"{:.1}\" width=\"{width:.1}\" height=\"{HEIGHT}\"><title>{} to {}\nbefore: {before:.1} % ({})\nafter: {after:.1} % ({})</title></rect>",
            f64::from(place) * width,
            text(bin.min),
            text(bin.max),
            grouped(bin.before),
            grouped(bin.after),
        );
    }
    let middle = if of.is_logarithmic { "logarithmic" } else { "" };
    let y = HEIGHT + 13.0;
    let _ = write!(
        svg,
        "<path class=\"grid\" d=\"M0 {HEIGHT}H{WIDTH}\"/><text y=\"{y}\">{first}</text>\
         <text x=\"160\" y=\"{y}\" text-anchor=\"middle\">{middle}</text>\
         <text x=\"{WIDTH}\" y=\"{y}\" text-anchor=\"end\">{last}</text></svg>"
    );
    svg
}

/// The step line around bars of these shares; rare values remain visible.
fn outline(shares: &[f64], highest: f64) -> String {
    let width = WIDTH / shares.len().max(1) as f64;
    let mut path = format!("M0 {HEIGHT}");
    for (share, place) in shares.iter().zip(1_u32..) {
        let height = match *share > 0.0 {
            true => (share / highest * (HEIGHT - 4.0)).max(1.5),
            false => 0.0,
        };
        let _ = write!(
            path,
            "V{:.1}H{:.1}",
            HEIGHT - height,
            f64::from(place) * width
        );
    }
    let _ = write!(path, "V{HEIGHT}z");
    path
}

/// A change as a bar from the middle, on a logarithmic scale that ends at 1000 %. A dashed mark is
/// the threshold, a red one the limit.
pub(super) fn change(percent: Option<f64>, threshold: f64, limit: Option<f64>) -> String {
    const HALF: f64 = 60.0;
    const END: f64 = 1000.0;
    let unit = threshold.max(0.1);
    let x = |percent: f64| {
        let length = (percent.abs() / unit).ln_1p() / (END / unit).ln_1p();
        HALF + length.min(1.0).copysign(percent) * HALF
    };
    let to = x(percent.unwrap_or(END));
    let mut svg = format!(
        "<svg class=\"change\" viewBox=\"0 0 120 14\" role=\"img\"><title>threshold {threshold} %</title>\
         <path class=\"grid\" d=\"M{HALF} 0V14\"/><rect x=\"{:.1}\" y=\"4\" width=\"{:.1}\" height=\"6\"/>",
        to.min(HALF),
        (to - HALF).abs(),
    );
    let marks = [("mark", Some(threshold)), ("limit", limit)];
    for (class, at) in marks
        .into_iter()
        .filter_map(|(class, at)| Some((class, at?)))
    {
        let (low, high) = (x(-at), x(at));
        let _ = write!(
            svg,
            "<path class=\"{class}\" d=\"M{low:.1} 1V13M{high:.1} 1V13\"/>"
        );
    }
    svg.push_str("</svg>");
    svg
}

#[cfg(test)]
mod tests {
    use super::*;
    use roxmltree::Document;
    use rtoscope_analysis::compare::{FigureUnit, OverlaidBin};

    #[test]
    fn sides_of_different_size_have_the_same_scale() {
        let bin = |min, before, after| OverlaidBin {
            min,
            max: min + 9,
            before,
            after,
        };
        let svg = histogram(&OverlaidHistogram {
            unit: FigureUnit::Nanoseconds,
            is_logarithmic: false,
            bins: vec![bin(0, 1, 100), bin(10, 3, 300)],
            before: 4,
            after: 400,
        });
        let page = Document::parse(&svg).unwrap();
        let path = |class| {
            let mut nodes = page.descendants();
            let node = nodes.find(|node| node.attribute("class") == Some(class));
            node.unwrap().attribute("d").unwrap().to_owned()
        };
        assert_eq!(path("before"), path("after"));
        assert!(svg.contains("before: 25.0 % (1)\nafter: 25.0 % (100)"));
    }

    #[test]
    fn a_bar_passes_the_threshold_that_its_change_exceeds() {
        let width = |percent| {
            let svg = change(percent, 5.0, None);
            let page = Document::parse(&svg).unwrap();
            let mut nodes = page.descendants();
            let bar = nodes.find(|node| node.has_tag_name("rect")).unwrap();
            bar.attribute("width").unwrap().parse::<f64>().unwrap()
        };
        assert!(width(Some(4.0)) < width(Some(-5.0)));
        assert!(width(Some(5.0)) < width(Some(900.0)));
        assert_eq!(width(None), 60.0);
    }
}
