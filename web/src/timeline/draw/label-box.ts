/** Places of labels that do not cover each other. */

/** A rectangle in pixels. */
export interface LabelBox {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Whether a box touches none of the others. */
export function isFree(box: LabelBox, others: readonly LabelBox[]): boolean {
  return others.every(
    (other) =>
      box.right < other.left ||
      box.left > other.right ||
      box.bottom < other.top ||
      box.top > other.bottom,
  );
}
