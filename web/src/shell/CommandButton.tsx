/** A button that runs a command. */

import { command, isEnabled } from "./commands";
import { Button } from "./controls";
import { Icon } from "./Icon";
import { displayKeys } from "./key-names";

export function CommandButton({ id, text }: { id: string; text?: string }) {
  const one = command(id);
  const { title, icon, run, pressed } = one;
  const [key] = one.keys;
  const hint = key === undefined ? title : `${title} (${displayKeys(key).join("+")})`;
  return (
    <Button
      class={text ? "" : "plain square"}
      aria-label={title}
      title={hint}
      disabled={!isEnabled(one)}
      onClick={run}
      {...(pressed ? { "aria-pressed": pressed() } : {})}
    >
      {icon && <Icon name={icon} />}
      {text && <span class="button-text">{text}</span>}
    </Button>
  );
}
