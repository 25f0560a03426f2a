/** Styles of communication graphs on the page. */

import { GRAPH_FONT } from "../diagrams/graph-font";
import { styleSheet } from "../diagrams/style-sheet";

const STYLES = `
svg { display: block; margin: 0 auto; }
text { fill: var(--text); font-family: ${GRAPH_FONT}; }
.graph > polygon { fill: none; stroke: none; }
.node path, .node polygon, .node polyline, .node ellipse { fill: var(--surface-sunken); stroke: var(--line-strong); }
.node.context path, .node.context polygon { fill: var(--surface); stroke: var(--accent); stroke-width: 1.5; }
.edge path { stroke: var(--text-muted); }
.edge polygon { fill: var(--text-muted); stroke: var(--text-muted); }
.edge text { paint-order: stroke; stroke: var(--surface); stroke-width: 3px; stroke-linejoin: round; }
[data-goal] { cursor: pointer; }
[data-goal]:hover text { text-decoration: underline; }
[data-goal]:hover > path { stroke: var(--accent); }
`;

/** Style sheet of the graph. */
export const communicationStyles = styleSheet(STYLES);
