/** Queries after a pause. */

import { showError } from "../state/viewer";

/** Finds something after a pause in milliseconds, and takes it; returns a function that stops this. */
export function later<T>(
  pause: number,
  find: (signal: AbortSignal) => Promise<T>,
  take: (found: T) => void,
): () => void {
  const stop = new AbortController();
  const timer = setTimeout(() => {
    find(stop.signal).then(
      (found) => {
        if (!stop.signal.aborted) take(found);
      },
      (error: unknown) => {
        if (!stop.signal.aborted) showError(error);
      },
    );
  }, pause);
  return () => {
    clearTimeout(timer);
    stop.abort();
  };
}
