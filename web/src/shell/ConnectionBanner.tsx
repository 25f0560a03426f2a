/** Banner shown while the server is unreachable. */

import { connection } from "../session/connection";
import { Icon } from "./Icon";
import "./connection-banner.css";

const TEXTS = {
  lost:
    "rtoscope has exited or is not responding. The view below may be outdated or incomplete. " +
    "Run the command again: this page reconnects automatically.",
  refused: "rtoscope was restarted and rejects this page: open the address that it printed.",
};

export function ConnectionBanner() {
  const state = connection.value;
  if (state === "open") return null;
  return (
    <div class="connection-banner" role="alert" aria-label="Connection">
      <Icon name="warning" />
      <span>{TEXTS[state]}</span>
    </div>
  );
}
