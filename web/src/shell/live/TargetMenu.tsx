/** Commands for the target of a live recording: start, stop, names, snapshot, filter. */

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { TargetCommands } from "../../session/live-client";
import type { LiveTrace } from "../../state/live/live-trace";
import { Button, textOf } from "../controls";
import { Icon } from "../Icon";

/** Element id of the menu. */
const TARGET_MENU_ID = "target-menu";

/** Opens the menu of the trace that is shown. */
export function openTargetMenu(): void {
  document.getElementById(TARGET_MENU_ID)?.showPopover();
}

const COMMANDS = [
  { name: "start", title: "Start recording" },
  { name: "stop", title: "Stop recording" },
  { name: "names", title: "Send names again" },
  { name: "snapshot", title: "Take a snapshot" },
];

export function TargetMenu({ live }: { live: LiveTrace }) {
  const isOpen = useSignal(false);
  const filter = useSignal("");
  const result = useSignal("");
  const isSending = useSignal(false);
  const first = useRef<HTMLButtonElement>(null);
  const send = async (commands: TargetCommands) => {
    isSending.value = true;
    const error = await live.commandTarget(commands);
    isSending.value = false;
    result.value = error ?? "Sent to the target.";
  };
  const settings = () => filter.value.split(",").map((one) => one.trim());
  return (
    <>
      <Button
        popoverTarget={TARGET_MENU_ID}
        aria-expanded={isOpen.value}
        title="Commands for the target (Shift+K)"
      >
        Target <Icon name="down" />
      </Button>
      <div
        id={TARGET_MENU_ID}
        class="target-menu"
        popover="auto"
        role="dialog"
        aria-label="Target"
        onToggle={({ newState }) => {
          isOpen.value = newState === "open";
          if (isOpen.value) first.current?.focus();
        }}
      >
        <div class="target-commands">
          {COMMANDS.map(({ name, title }, index) => (
            <button
              key={name}
              type="button"
              {...(index === 0 ? { ref: first } : {})}
              disabled={isSending.value}
              onClick={() => void send({ commands: [name] })}
            >
              {title}
            </button>
          ))}
        </div>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void send({ settings: settings() });
          }}
        >
          <label>
            Filter
            <input type="text" {...textOf(filter)} placeholder="markers=off,isr:15=off" />
          </label>
          <button type="submit" disabled={isSending.value || filter.value.trim() === ""}>
            Set
          </button>
        </form>
        <p role="status">{result.value}</p>
      </div>
    </>
  );
}
