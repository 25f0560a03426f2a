/** A diagram with zoom and scrolling. */

import { type ReadonlySignal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { Button, IconButton, set } from "../../shell/controls";
import { shownTheme } from "../../shell/theme";
import type { SafeSvg } from "./safe-svg";
import "./diagrams.css";

interface DiagramViewProps {
  label: string;
  picture: SafeSvg;
  /** Page styles added to those of the diagram. */
  styles: CSSStyleSheet;
  /**
   * Whether the whole diagram is shown initially; otherwise it is read from top to bottom, and only
   * its width can be fitted.
   */
  fit?: boolean;
  /** Called with the clicked element. */
  pick: (target: Element) => void;
  onKeyDown?: (event: KeyboardEvent) => void;
  /** Marks the selection; returns the element to scroll into view. */
  mark?: ReadonlySignal<(svg: SVGSVGElement) => Element | null>;
  children?: ComponentChildren;
}

const STEP = 1.25;
const [MIN_ZOOM, MAX_ZOOM] = [0.1, 6];
/** Space around the diagram in pixels. */
const MARGIN = 8;

export function DiagramView(props: DiagramViewProps) {
  const { label, picture, styles, fit, pick, onKeyDown, mark, children } = props;
  const host = useRef<HTMLDivElement>(null);
  const place = useRef<HTMLDivElement>(null);
  /** Zoom factor; `null` fits the diagram. */
  const zoom = useSignal<number | null>(fit ? null : 1);
  const theme = shownTheme.value;

  useLayoutEffect(() => {
    const element = host.current;
    if (element === null) return;
    // A shadow tree isolates the styles of the page and the diagram.
    const shadow = element.shadowRoot ?? element.attachShadow({ mode: "open" });
    shadow.replaceChildren(picture.svg);
    shadow.adoptedStyleSheets = [sheetOf(picture.sheet, theme), styles];
  }, [picture, styles, theme]);

  const factor = (): number => {
    if (zoom.value !== null) return zoom.value;
    const room = place.current;
    if (room === null) return 1;
    const wide = (room.clientWidth - 2 * MARGIN) / picture.width;
    const high = fit ? (room.clientHeight - 2 * MARGIN) / picture.height : 1;
    return Math.max(MIN_ZOOM, Math.min(1, wide, high));
  };
  const size = () => {
    const part = factor();
    picture.svg.style.width = `${picture.width * part}px`;
    picture.svg.style.height = `${picture.height * part}px`;
  };
  useLayoutEffect(size, [picture, zoom.value]);
  useEffect(() => {
    if (place.current === null) return undefined;
    const observer = new ResizeObserver(size);
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [picture]);

  const marking = mark?.value;
  useLayoutEffect(() => {
    const found = marking?.(picture.svg);
    if (found) reveal(found, place.current);
  }, [picture, marking]);

  const zoomTo = (wanted: number) => {
    zoom.value = Math.min(Math.max(wanted, MIN_ZOOM), MAX_ZOOM);
  };
  const onWheel = (event: WheelEvent) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const room = place.current;
    if (room === null) return;
    const before = factor();
    zoomTo(before * 1.0015 ** -event.deltaY);
    size();
    // Keep the point under the pointer in place.
    const box = room.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left - MARGIN, event.clientY - box.top - MARGIN];
    const by = factor() / before;
    room.scrollLeft = (room.scrollLeft + x) * by - x;
    room.scrollTop = (room.scrollTop + y) * by - y;
  };
  return (
    <>
      <div class="row diagram-tools">
        {children}
        <fieldset class="diagram-zoom" aria-label="Diagram size">
          <IconButton
            icon="zoom-out"
            class="plain square"
            label="Zoom out"
            title="Zoom out"
            onClick={() => zoomTo(factor() / STEP)}
          />
          <IconButton
            icon="zoom-in"
            class="plain square"
            label="Zoom in"
            title="Zoom in"
            onClick={() => zoomTo(factor() * STEP)}
          />
          <Button
            class="plain"
            aria-pressed={zoom.value === 1}
            title="Actual size"
            onClick={set(zoom, 1)}
          >
            1:1
          </Button>
          <Button
            class="plain"
            aria-pressed={zoom.value === null}
            title="Fit to panel"
            onClick={set(zoom, null)}
          >
            Fit
          </Button>
        </fieldset>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset groups controls, and this is a diagram */}
      <div
        class="diagram-place"
        ref={place}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
        tabIndex={0}
        role="group"
        aria-label={label}
        onWheel={onWheel}
        onKeyDown={(event) => onKeyDown?.(event)}
        onClick={(event) => {
          const [target] = event.composedPath();
          if (target instanceof Element) pick(target);
        }}
      >
        <div class="diagram" ref={host} />
      </div>
    </>
  );
}

/** The diagram's own style sheet; the page's theme overrides the desktop's colour scheme. */
function sheetOf(text: string, theme: "light" | "dark"): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  for (const rule of sheet.cssRules) {
    if (!(rule instanceof CSSMediaRule)) continue;
    const wants = /prefers-color-scheme:\s*(dark|light)/.exec(rule.media.mediaText)?.[1];
    if (wants !== undefined) rule.media.mediaText = wants === theme ? "all" : "not all";
  }
  return sheet;
}

/** Scrolls an element of the diagram into view, unless it is visible. */
function reveal(element: Element, place: HTMLElement | null): void {
  if (place === null) return;
  const [own, around] = [element.getBoundingClientRect(), place.getBoundingClientRect()];
  const isIn =
    own.top >= around.top &&
    own.bottom <= around.bottom &&
    own.right > around.left &&
    own.left < around.right;
  if (isIn) return;
  place.scrollTop += own.top + own.height / 2 - around.top - around.height / 2;
  if (own.right <= around.left || own.left >= around.right) {
    place.scrollLeft += own.left + own.width / 2 - around.left - around.width / 2;
  }
}
