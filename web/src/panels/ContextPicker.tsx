/** A choice of some contexts; all if none is chosen. */

import type { Context } from "../session/wire";
import { Button, Check } from "../shell/controls";
import type { TraceState } from "../state/trace";

/** Maximum number of contexts that can be chosen. */
const MAX_LISTED = 500;

interface ContextPickerProps {
  trace: TraceState;
  /** Contexts that can be chosen, and what they are. */
  of: (context: Context) => boolean;
  noun: string;
  chosen: readonly number[];
  choose: (chosen: readonly number[]) => void;
}

export function ContextPicker({ trace, of, noun, chosen, choose }: ContextPickerProps) {
  const all = trace.overview.contexts.map((context, number) => ({ ...context, number })).filter(of);
  const toggle = (number: number, isWanted: boolean) => {
    const others = chosen.filter((one) => one !== number);
    choose(isWanted ? [...others, number] : others);
  };
  return (
    <details class="context-picker">
      <summary>
        {chosen.length === 0 ? `All ${noun}` : `${chosen.length} of ${all.length} ${noun}`}
      </summary>
      <div class="context-list">
        {chosen.length > 0 && (
          <Button class="link" onClick={() => choose([])}>
            all
          </Button>
        )}
        {all.slice(0, MAX_LISTED).map(({ name, number }) => (
          <Check
            key={number}
            checked={chosen.includes(number)}
            change={(isWanted) => toggle(number, isWanted)}
          >
            {name}
          </Check>
        ))}
      </div>
    </details>
  );
}
