/** Legend: event kinds with their icons, and the meaning of colours and lines. */

import { useSignal } from "@preact/signals";
import { Button, Check, checkOf, textOf } from "../../shell/controls";
import { countText } from "../../state/format";
import { follow } from "../../state/navigation";
import type { TraceState } from "../../state/trace";
import { useAnswer } from "../useAnswer";
import { Classes } from "./Classes";
import { KindIcon } from "./KindIcon";
import { Lines } from "./Lines";
import { States } from "./States";
import "../panel.css";
import "./legend.css";

export function LegendPanel({ trace }: { trace: TraceState }) {
  const text = useSignal("");
  const onlyHere = useSignal(true);
  const { answer, error } = useAnswer(trace, onlyHere.value ? null : { query: "legend" });
  const all = onlyHere.value ? trace.overview.kinds : (answer ?? []);
  const wanted = text.value.trim().toLowerCase();
  const kinds = all.filter(
    ({ name, letters, id }) =>
      name.toLowerCase().includes(wanted) ||
      letters.toLowerCase() === wanted ||
      String(id) === wanted,
  );
  const components = [...new Set(kinds.map(({ component }) => component))];
  return (
    <div class="panel legend">
      <div class="row">
        <input
          type="search"
          aria-label="Find an event kind"
          placeholder="Find an event kind"
          {...textOf(text)}
        />
        <Check {...checkOf(onlyHere)}>in this trace</Check>
      </div>
      {error !== null && <p class="problem">{error}</p>}
      {wanted === "" && (
        <>
          <States trace={trace} />
          <Classes trace={trace} />
          <Lines trace={trace} />
        </>
      )}
      {components.map((component) => (
        <section key={component}>
          <h3>{component}</h3>
          <ul class="plain-list kinds">
            {kinds
              .filter((kind) => kind.component === component)
              .map((kind) => (
                <li key={kind.id}>
                  <KindIcon kind={kind} />
                  <Button
                    class="link"
                    disabled={kind.events === 0}
                    title={kind.arguments.filter((name) => name !== null).join(", ")}
                    onClick={() => follow(trace, { mode: "kind", kind: kind.id })}
                  >
                    {kind.name}
                  </Button>
                  <span class="muted number">{kind.id}</span>
                  <span class="number">{kind.events > 0 ? `${countText(kind.events)} ×` : ""}</span>
                </li>
              ))}
          </ul>
        </section>
      ))}
      {kinds.length === 0 && (onlyHere.value || answer !== null) && (
        <p class="nothing">No matching event kind.</p>
      )}
    </div>
  );
}
