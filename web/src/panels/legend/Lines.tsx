/** What lines and shades of the timeline mean. */

const LINES: readonly { property: string; shape: "line" | "arrow" | "shade" | "hatch"; text: string }[] = [
  { property: "--lane-switch", shape: "line", text: "Context switch, from lane to lane" },
  { property: "--lane-wake", shape: "arrow", text: "Wake-up: from the event that made a thread ready to its execution" },
  { property: "--lane-bounded", shape: "shade", text: "Priority inversion, as long as the owner holds the mutex" },
  { property: "--lane-unbounded", shape: "shade", text: "Unbounded priority inversion, prolonged by threads that have nothing to do with the mutex" },
  { property: "--lane-unknown", shape: "hatch", text: "The trace does not say what happened" },
  { property: "--lane-gap", shape: "line", text: "Events are missing" },
  { property: "--lane-selected", shape: "line", text: "The selected event" },
  { property: "--hit", shape: "line", text: "Search hits, on the overview" },
];

function Sample({ property, shape }: (typeof LINES)[number]) {
  const colour = `var(${property})`;
  return (
    <svg class="sample" viewBox="0 0 26 14" width="26" height="14" aria-hidden="true">
      {shape === "shade" && <rect width="26" height="14" style={{ fill: colour }} />}
      {shape === "line" && <path d="M13 0v14" style={{ stroke: colour, strokeWidth: "2" }} />}
      {shape === "arrow" && <path d="M4 1v8l16 0m-4-3 4 3-4 3" fill="none" style={{ stroke: colour, strokeWidth: "1.5" }} />}
      {shape === "hatch" && (
        <path d="M2 14 14 0M8 14 20 0M14 14 26 0" style={{ stroke: colour, strokeWidth: "1.5" }} />
      )}
    </svg>
  );
}

export function Lines() {
  return (
    <section>
      <h3>Lines and shades</h3>
      <ul class="plain-list lines">
        {LINES.map((line) => <li key={line.property}><Sample {...line} />{line.text}</li>)}
      </ul>
    </section>
  );
}
