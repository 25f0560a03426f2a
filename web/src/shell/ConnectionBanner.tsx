/** Says that the server does not answer, for as long as that lasts. */

import { connection } from "../session/connection";
import { Icon } from "./Icon";
import "./connection-banner.css";

const TEXTS = {
  lost:
    "rtoscope has ended or does not answer. What is shown below is old and may be incomplete. " +
    "Start the command again: this page reconnects by itself.",
  refused: "rtoscope runs again but does not accept this page: open the address that it printed.",
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
