/** Style sheets for the shadow trees of diagrams. */

/** The fonts for text that Graphviz lays out in Helvetica. */
export const GRAPH_FONT = 'Helvetica, Arial, "Liberation Sans", sans-serif';

const GRAPH = `
svg { display: block; margin: 0 auto; }
text { fill: var(--text); font-family: ${GRAPH_FONT}; }
.graph > polygon { fill: none; stroke: none; }
.edge path { stroke: var(--text-muted); }
.edge polygon { fill: var(--text-muted); stroke: var(--text-muted); }
.edge text { paint-order: stroke; stroke: var(--surface); stroke-width: 3px; stroke-linejoin: round; }
`;

/** Creates a style sheet on first use. */
export function styleSheet(text: string): () => CSSStyleSheet {
  let sheet: CSSStyleSheet | null = null;
  return () => {
    if (sheet === null) {
      sheet = new CSSStyleSheet();
      sheet.replaceSync(text);
    }
    return sheet;
  };
}

/** The same for a graph that Graphviz draws: its own styles follow those of all graphs. */
export const graphStyles = (own: string) => styleSheet(GRAPH + own);
