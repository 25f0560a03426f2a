/** The font of graphs, and its width. */

/** The fonts for text that Graphviz lays out in Helvetica. */
export const GRAPH_FONT = 'Helvetica, Arial, "Liberation Sans", sans-serif';

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
/**
 * Width of these letters in Helvetica, in thousandths of the font size, from Adobe's font metrics.
 */
const HELVETICA = 12_726;

let wider: number | null = null;

/** Width of the available font relative to the one that Graphviz assumes. */
export function widthRelativeToHelvetica(): number {
  if (wider === null) {
    const context = document.createElement("canvas").getContext("2d");
    if (context === null) return 1;
    context.font = `100px ${GRAPH_FONT}`;
    wider = context.measureText(LETTERS).width / (HELVETICA / 10);
  }
  return wider;
}
