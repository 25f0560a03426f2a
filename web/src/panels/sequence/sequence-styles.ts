/** Styles of sequence diagrams on the page. */

import { styleSheet } from "../diagrams/style-sheet";

const STYLES = `
svg { display: block; }
.paper { fill: none; }
[data-event] { cursor: pointer; }
[data-event]:hover .label, [data-event]:hover text { text-decoration: underline; }
[data-picked] .wire, [data-picked] .sign { stroke: var(--lane-selected) !important; stroke-width: 2.8; }
[data-picked] .solid { fill: var(--lane-selected) !important; stroke: var(--lane-selected) !important; }
[data-picked] .tint { stroke: var(--lane-selected) !important; stroke-width: 2; }
[data-picked] text { font-weight: bold; }
`;

/** Style sheet of the diagram. */
export const sequenceStyles = styleSheet(STYLES);
