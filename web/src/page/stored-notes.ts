/** Notes of recordings in the storage of this browser, by their content. */

const keyOf = (fingerprint: string) => `rtoscope.notes.${fingerprint}`;

/** The text of a notes file, if notes are kept. */
export function keptNotes(fingerprint: string): string | null {
  try {
    return localStorage.getItem(keyOf(fingerprint));
  } catch {
    // Storage is disabled.
    return null;
  }
}

/** Keeps the text of a notes file. */
export function keepNotes(fingerprint: string, text: string): void {
  try {
    localStorage.setItem(keyOf(fingerprint), text);
  } catch {
    throw new Error("This browser stores no notes: save them as a file.");
  }
}
