/** Keeps a value of two sides the same. */

import { batch, effect, type ReadonlySignal, untracked } from "@preact/signals";

/** The baseline, or the recording that is compared with it. */
export type Side = 0 | 1;

interface MirrorOptions<T> {
  read: (side: Side) => T;
  write: (side: Side, value: T) => void;
  /** The value of the other side for that of a side; `undefined` leaves it as it is. */
  map: (value: T, from: Side) => T | undefined;
  /** Whether a side is as it was; the same object by default. */
  same?: (one: T, other: T) => boolean;
  /** The side that counts if both changed, or the link. */
  leader: () => Side;
  /** A new value means that the sides are to be aligned again. */
  link: ReadonlySignal<unknown>;
}

/** Copies each change of a side to the other; returns a function that stops this. */
export function mirror<T>({
  read,
  write,
  map,
  same = Object.is,
  leader,
  link,
}: MirrorOptions<T>): () => void {
  let known: [T, T] | null = null;
  let by: unknown;
  return effect(() => {
    const now: [T, T] = [read(0), read(1)];
    const linkedBy = link.value;
    untracked(() => {
      const isFirst = known === null || !same(now[0], known[0]);
      const isSecond = known === null || !same(now[1], known[1]);
      if (!isFirst && !isSecond && linkedBy === by) return;
      const from: Side = isFirst === isSecond ? leader() : isFirst ? 0 : 1;
      const to: Side = from === 0 ? 1 : 0;
      const mapped = map(now[from], from);
      by = linkedBy;
      if (mapped === undefined) {
        known = now;
        return;
      }
      known = from === 0 ? [now[0], mapped] : [mapped, now[1]];
      batch(() => write(to, mapped));
    });
  });
}
