/** Objects of the recording by class, or the history of one of them. */

import { useSignal } from "@preact/signals";
import { Button, set, textOf } from "../../shell/controls";
import { countText, parameterText } from "../../state/format";
import type { TraceState } from "../../state/trace";
import { ObjectHistory } from "./ObjectHistory";
import { selectedObject } from "./selected-object";
import "../panel.css";
import "./objects.css";

/** Maximum number of listed objects per class; others are found by the filter. */
const MAX_LISTED = 300;

export function ObjectsPanel({ trace }: { trace: TraceState }) {
  const text = useSignal("");
  const chosen = selectedObject(trace);
  if (chosen.value !== null) {
    return (
      <ObjectHistory
        key={chosen.value}
        trace={trace}
        object={chosen.value}
        close={set(chosen, null)}
      />
    );
  }
  const wanted = text.value.trim().toLowerCase();
  const all = trace.overview.objects.map((object, number) => ({ ...object, number }));
  const objects = all.filter(
    ({ name, address, class: what }) =>
      name.toLowerCase().includes(wanted) || address.includes(wanted) || what === wanted,
  );
  const classes = [...new Set(objects.map((object) => object.class))];
  return (
    <div class="panel objects">
      <input
        type="search"
        aria-label="Find an object"
        placeholder="Find an object by name, address or class"
        {...textOf(text)}
      />
      {all.length === 0 && <p class="nothing">The recording names no objects.</p>}
      {all.length > 0 && objects.length === 0 && <p class="nothing">No matching object.</p>}
      {classes.map((what) => {
        const members = objects.filter((object) => object.class === what);
        return (
          <section key={what}>
            <h3>
              {what.replaceAll("-", " ")} ({countText(members.length)})
            </h3>
            <ul class="plain-list">
              {members
                .slice(0, MAX_LISTED)
                .map(({ number, name, address, parameters, deleted }) => (
                  <li key={number}>
                    <Button class="link" onClick={set(chosen, number)}>
                      {name}
                    </Button>
                    {deleted && <span class="muted"> deleted</span>}
                    <span class="mono muted">{address}</span>
                    <span class="parameters muted">
                      {parameters
                        .map(([key, value]) => `${key} ${parameterText(key, value)}`)
                        .join(", ")}
                    </span>
                  </li>
                ))}
            </ul>
            {members.length > MAX_LISTED && (
              <p class="muted">
                and {countText(members.length - MAX_LISTED)} more: use the filter above
              </p>
            )}
          </section>
        );
      })}
    </div>
  );
}
