/** Makes the whole picture fit on paper, whoever asks for it: the command, the browser's menu, its keys. */

/**
 * The part of a page that is printed, in CSS pixels: what A4 and Letter have in common in landscape
 * within margins of 10 mm.
 */
const PAPER = { width: 979, height: 714 };

/** What paper does not show, see print.css. */
const WIDE = ".workspace > .splitter, .side-place[data-empty], .panel-rail.upright";
const HIGH = ".toolbar, .trace-tabs, .middle > .splitter, .panel-rail:not(.upright)";

const sum = (selector: string, side: "width" | "height") =>
  [...document.querySelectorAll(selector)].reduce(
    (all, one) => all + one.getBoundingClientRect()[side],
    0,
  );

/** The size of the page without what paper does not show, and how much smaller paper has to show it. */
export function fitted(
  width: number,
  height: number,
): { width: number; height: number; zoom: number } {
  return { width, height, zoom: Math.min(PAPER.width / width, PAPER.height / height) };
}

/** Keeps the page as wide as it is on the screen, so that canvases stay whole, and smaller as a whole. */
export function followPrinting(): void {
  const { style } = document.documentElement;
  window.addEventListener("beforeprint", () => {
    const { width, height, zoom } = fitted(
      window.innerWidth - sum(WIDE, "width"),
      window.innerHeight - sum(HIGH, "height"),
    );
    style.setProperty("--paper-width", `${width}px`);
    style.setProperty("--paper-height", `${height}px`);
    style.setProperty("--paper-zoom", String(zoom));
  });
  window.addEventListener("afterprint", () => {
    for (const name of ["width", "height", "zoom"]) style.removeProperty(`--paper-${name}`);
  });
}
