/** A line that resizes the element beside it, by dragging or arrow keys. */

import type { Signal } from "@preact/signals";
import { whileDragged } from "./dragging";
import "./splitter.css";

interface SplitterProps {
  label: string;
  size: Signal<number>;
  /**
   * Orientation of the line: vertical between left and right, horizontal between top and bottom.
   */
  orientation: "vertical" | "horizontal";
  min: number;
  max: () => number;
  /** Whether it resizes the element after it (to the right or below) or before it. */
  sizes?: "after" | "before";
}

const STEP = 16;

export function Splitter({ label, size, orientation, min, max, sizes = "after" }: SplitterProps) {
  const sign = sizes === "after" ? -1 : 1;
  const set = (wanted: number) => {
    size.value = Math.round(Math.max(min, Math.min(wanted, max())));
  };
  const along = (event: PointerEvent) =>
    orientation === "vertical" ? event.clientX : event.clientY;
  const onPointerDown = (event: PointerEvent) => {
    if (!(event.currentTarget instanceof HTMLElement)) return;
    const line = event.currentTarget;
    const [start, before] = [along(event), size.peek()];
    whileDragged(line, event, (moved) => set(before + sign * (along(moved) - start)));
    event.preventDefault();
    line.focus();
  };
  const [backward, forward] =
    orientation === "vertical" ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === forward) set(size.peek() + sign * STEP);
    else if (event.key === backward) set(size.peek() - sign * STEP);
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a focusable separator has a value, an hr has none
    <div
      class={`splitter ${orientation}`}
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={orientation}
      aria-valuenow={size.value}
      aria-valuemin={min}
      aria-valuemax={max()}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
    />
  );
}
