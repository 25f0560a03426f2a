/** The edge of a column header that resizes the column. */

import { whileDragged } from "../../shell/dragging";
import { MAX_COLUMN_WIDTH, MIN_COLUMN_WIDTH } from "./column-layout";
import { chooseWidth } from "./stored-widths";
import "./column-grip.css";

interface ColumnGripProps {
  /** Name under which the widths of the table are stored. */
  table: string;
  title: string;
  /** Width that the user chose, if any, in pixels. */
  chosen: number | undefined;
  /** Width at which no cell is cut, in pixels. */
  fitting: (grip: HTMLElement) => number;
}

const STEP = 16;

const shownWidth = (grip: HTMLElement) =>
  Math.round(grip.parentElement?.getBoundingClientRect().width ?? 0);

export function ColumnGrip({ table, title, chosen, fitting }: ColumnGripProps) {
  const onPointerDown = (down: PointerEvent) => {
    const grip = down.currentTarget;
    if (!(grip instanceof HTMLElement) || down.button !== 0) return;
    const [start, before] = [down.clientX, shownWidth(grip)];
    whileDragged(grip, down, (moved) => chooseWidth(table, title, before + moved.clientX - start));
    down.preventDefault();
    grip.focus({ preventScroll: true });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const grip = event.currentTarget;
    if (!(grip instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "ArrowLeft") chooseWidth(table, title, shownWidth(grip) - STEP);
    else if (event.key === "ArrowRight") chooseWidth(table, title, shownWidth(grip) + STEP);
    else if (event.key === "Enter") chooseWidth(table, title, fitting(grip));
    else if (event.key === "Delete") chooseWidth(table, title, null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a focusable separator has a value, an hr has none
    <span
      class="column-grip"
      role="separator"
      tabIndex={0}
      title="Drag to resize; double-click to fit"
      aria-label={`Width of ${title}`}
      aria-orientation="vertical"
      aria-valuenow={chosen ?? MIN_COLUMN_WIDTH}
      aria-valuetext={chosen === undefined ? "automatic" : `${chosen} pixels`}
      aria-valuemin={MIN_COLUMN_WIDTH}
      aria-valuemax={MAX_COLUMN_WIDTH}
      onPointerDown={onPointerDown}
      onDblClick={({ currentTarget }) => chooseWidth(table, title, fitting(currentTarget))}
      onKeyDown={onKeyDown}
    />
  );
}
