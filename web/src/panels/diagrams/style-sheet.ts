/** Style sheets for the shadow trees of diagrams. */

/** A style sheet of that text, made when first asked for. */
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
