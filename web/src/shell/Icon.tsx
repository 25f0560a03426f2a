/** Icons of the viewer, drawn in the text colour. */

const PATHS = {
  open: "M2 4.5h4.5L8 6h6v7.5H2zM2 6h6",
  previous: "M10 3.5 5.5 8l4.5 4.5",
  next: "M6 3.5 10.5 8 6 12.5",
  first: "M4 3.5v9M12 3.5 7.5 8l4.5 4.5",
  last: "M12 3.5v9M4 3.5 8.5 8 4 12.5",
  go: "M2.5 8h9M8 4.5 11.5 8 8 11.5M13.5 3v10",
  "zoom-in": "M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.3 10.3 14 14M5 7h4M7 5v4",
  "zoom-out": "M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.3 10.3 14 14M5 7h4",
  whole: "M2.5 3v10M13.5 3v10M4.5 8h7M6.5 6l-2 2 2 2M9.5 6l2 2-2 2",
  range: "M4 3v10M12 3v10M6 5.5h4M6 8h4M6 10.5h4",
  axis: "M2 12.5h12M2.5 10V5M4.5 10V5M9 10V5M13.5 10V5",
  arrow: "M3 3v4a3 3 0 0 0 3 3h6M9.5 7 13 10l-3.5 3",
  path: "M2.5 3.5h4v9h4v-5h3M11.5 5.5l2 2-2 2",
  search: "M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.3 10.3 14 14",
  bookmark: "M4.5 2.5h7v11L8 10.5l-3.5 3z",
  pin: "M6 2.5h4l-.5 4 2.5 2.5H4l2.5-2.5zM8 9v5",
  theme: "M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11",
  clock: "M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11zM8 5v3.5l2.2 1.5",
  palette: "M2.5 4h11M2.5 8h7M2.5 12h9",
  help: "M6 6a2 2 0 1 1 2.8 1.9c-.5.3-.8.6-.8 1.3M8 11.5v.5M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2z",
  pause: "M5.5 3.5v9M10.5 3.5v9",
  follow: "M3 3.5 8 8l-5 4.5M8 3.5 13 8l-5 4.5",
  older: "M13 3.5 8 8l5 4.5M8 3.5 3 8l5 4.5",
  picture: "M2.5 3.5h11v9h-11zM2.5 11l3.5-3.5 3 3 1.5-1.5 3 2.5M10.5 6v.2",
  close: "M4 4l8 8M12 4l-8 8",
  warning: "M8 2.5 14 13H2zM8 6.5V9.5M8 11v.5",
  copy: "M5.5 5.5h7v8h-7zM3.5 10.5v-8h7",
  trash: "M3 4.5h10M6.5 4.5v-1.5h3v1.5M4.5 4.5l.5 9h6l.5-9",
  edit: "M3 13l.8-3L11 2.8 13.2 5 6 12.2z",
  up: "M3.5 10 8 5.5l4.5 4.5",
  down: "M3.5 6 8 10.5 12.5 6",
} as const;

/** Icon names. */
export type IconName = keyof typeof PATHS;

/** An icon, hidden from screen readers. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      class="icon"
      viewBox="0 0 16 16"
      width="16"
      height="16"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      stroke-width="1.4"
      stroke-linecap="round"
      stroke-linejoin="round"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
