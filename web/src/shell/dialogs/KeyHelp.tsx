/** All keyboard shortcuts by group. */

import { commands, isApplicable } from "../commands";
import { displayKeys } from "../key-names";
import { Dialog } from "./Dialog";

/** Pointer input of the timeline. */
const POINTER: readonly [string, string][] = [
  ["Zoom around the pointer", "wheel or pinch"],
  ["Pan", "Shift + wheel, or drag the ruler"],
  ["Scroll the lanes", "Alt + wheel"],
  ["Select an event", "click"],
  ["Pin event details, zoom to a range", "double click"],
  ["Measure a range", "drag"],
  ["Move a pinned card", "Shift + arrow keys on it"],
];

/** Renders key names. */
export function Keys({ names }: { names: readonly string[] }) {
  return (
    <>
      {names.map((name, at) => (
        <span key={name}>
          {at > 0 && <span class="or">or</span>}
          {displayKeys(name).map((part) => (
            <kbd key={part}>{part}</kbd>
          ))}
        </span>
      ))}
    </>
  );
}

export function KeyHelp() {
  const withKeys = commands.filter((one) => one.keys.length > 0 && isApplicable(one));
  const groups = [...new Set(withKeys.map(({ group }) => group))];
  return (
    <Dialog title="Keyboard shortcuts" kind="wide">
      <div class="key-help">
        {groups.map((group) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {withKeys
                .filter((one) => one.group === group)
                .map(({ id, title, keys }) => (
                  <div key={id}>
                    <dt>{title}</dt>
                    <dd>
                      <Keys names={keys} />
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
        <section>
          <h3>In the timeline</h3>
          <dl>
            {POINTER.map(([what, how]) => (
              <div key={what}>
                <dt>{what}</dt>
                <dd class="muted">{how}</dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
    </Dialog>
  );
}
