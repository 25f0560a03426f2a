import { effect, untracked } from "@preact/signals";
import { render } from "preact";
import { App } from "./shell/App";
import { followAddress } from "./shell/address";
import { press, runQueued } from "./shell/commands";
import { followPrinting } from "./shell/printing";
import { followServer } from "./shell/reconnect";
import { followTheme } from "./shell/theme";
import { active, connect, followVisibility, openings, showError } from "./state/viewer";

followTheme();
followPrinting();
followVisibility();
window.addEventListener("keydown", press);
effect(() => {
  const name = active.value?.overview.name ?? openings.value[0]?.value.name ?? "";
  document.title = name === "" ? "rtoscope" : `${name} – rtoscope`;
});

const root = document.getElementById("app");
if (root) render(<App />, root);

try {
  await connect();
} catch (error) {
  showError(error);
}
followAddress();
followServer();
effect(() => {
  if (active.value !== null && openings.value.length === 0) untracked(runQueued);
});
