/** Style sheets for the shadow trees of diagrams. */

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
