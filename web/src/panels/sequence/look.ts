/** What sequence diagrams look like on the page, besides what they say themselves. */

const LOOK = `
svg { display: block; }
.paper { fill: none; }
[data-event] { cursor: pointer; }
[data-event]:hover .label, [data-event]:hover text { text-decoration: underline; }
[data-picked] .wire, [data-picked] .sign { stroke: var(--lane-selected) !important; stroke-width: 2.8; }
[data-picked] .solid { fill: var(--lane-selected) !important; stroke: var(--lane-selected) !important; }
[data-picked] .tint { stroke: var(--lane-selected) !important; stroke-width: 2; }
[data-picked] text { font-weight: bold; }
`;

let sheet: CSSStyleSheet | null = null;

/** The style sheet. */
export function look(): CSSStyleSheet {
  if (sheet === null) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(LOOK);
  }
  return sheet;
}
