/** Styles of state machines on the page. */

import { GRAPH_FONT } from "../diagrams/graph-font";
import { styleSheet } from "../diagrams/style-sheet";

const STYLES = `
svg { display: block; margin: 0 auto; }
text { fill: var(--text); font-family: ${GRAPH_FONT}; }
.graph > polygon { fill: none; stroke: none; }
.node path, .node polygon, .node ellipse { fill: var(--surface-sunken); stroke: var(--line-strong); }
.node:not(:has(text)) ellipse { fill: var(--text-muted); stroke: var(--text-muted); }
.cluster path, .cluster polygon { fill: none; stroke: var(--line-strong); }
.node[data-state] { cursor: pointer; }
.node[data-state] path, .node[data-state] polygon {
  fill: color-mix(in srgb, var(--own) 34%, var(--surface)); stroke: var(--own); stroke-width: 1.5;
}
.cluster[data-state] > path { stroke: var(--own); stroke-width: 1.5; }
[data-state]:hover > text { text-decoration: underline; }
[data-now] > path, [data-now] > g > path, [data-now] > polygon { stroke: var(--lane-selected) !important; stroke-width: 3 !important; }
.edge path { stroke: var(--text-muted); }
.edge polygon { fill: var(--text-muted); stroke: var(--text-muted); }
.edge text { paint-order: stroke; stroke: var(--surface); stroke-width: 3px; stroke-linejoin: round; }
`;

/** Style sheet of the diagram. */
export const machineStyles = styleSheet(STYLES);
