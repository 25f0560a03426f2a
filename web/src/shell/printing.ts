/**
 * Scales the page to the paper, for printing by the command as well as by the browser's menu and
 * keys.
 */

/** Printable area in CSS pixels: common to A4 and Letter in landscape with margins of 10 mm. */
const PAPER = { width: 979, height: 714 };

/** Elements hidden on paper, see print.css. */
const HIDDEN_WIDTHS =
  ".workspace > .splitter.vertical, .side-place[data-empty], .panel-rail.upright";
const HIDDEN_HEIGHTS = ".toolbar, .trace-tabs, .middle > .splitter, .panel-rail:not(.upright)";

const totalSize = (selector: string, side: "width" | "height") =>
  [...document.querySelectorAll(selector)].reduce(
    (all, one) => all + one.getBoundingClientRect()[side],
    0,
  );

/** Size of the page without hidden elements, and its zoom factor on paper. */
export function fitToPaper(
  width: number,
  height: number,
): { width: number; height: number; zoom: number } {
  return { width, height, zoom: Math.min(PAPER.width / width, PAPER.height / height) };
}

/**
 * Keeps the page as wide as on screen, so that canvases keep their size, and scales it as a whole.
 */
export function followPrinting(): void {
  const { style } = document.documentElement;
  window.addEventListener("beforeprint", () => {
    const { width, height, zoom } = fitToPaper(
      window.innerWidth - totalSize(HIDDEN_WIDTHS, "width"),
      window.innerHeight - totalSize(HIDDEN_HEIGHTS, "height"),
    );
    style.setProperty("--paper-width", `${width}px`);
    style.setProperty("--paper-height", `${height}px`);
    style.setProperty("--paper-zoom", String(zoom));
  });
  window.addEventListener("afterprint", () => {
    for (const name of ["width", "height", "zoom"]) style.removeProperty(`--paper-${name}`);
  });
}
