/** Arguments of an event, decoded and as recorded. */

import type { EventDetails } from "../../session/wire";
import { groupedText } from "../../state/format";
import { settings } from "../../state/settings";
import type { TraceState } from "../../state/trace";
import { showObject } from "../objects/selected-object";

export function Arguments({ trace, details }: { trace: TraceState; details: EventDetails }) {
  if (details.arguments.length === 0) return null;
  const open = (object: number) => {
    showObject(trace, object);
    settings.sidePanel.value = "objects";
  };
  return (
    <table class="arguments" aria-label="Arguments">
      <tbody>
        {details.arguments.map(({ name, text, raw, object }, number) => (
          <tr key={number}>
            <th scope="row">{name}</th>
            <td>
              {object === null ? (
                groupedText(text)
              ) : (
                <button
                  type="button"
                  class="link"
                  title="Show object history"
                  onClick={() => open(object)}
                >
                  {text}
                </button>
              )}
            </td>
            <td class="mono muted">{raw}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
