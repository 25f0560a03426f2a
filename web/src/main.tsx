import { effect } from "@preact/signals";
import { render } from "preact";
import { followAddress } from "./shell/address";
import { App } from "./shell/App";
import { press } from "./shell/commands";
import { followTheme } from "./shell/theme";
import { active, connect, followAttention, report } from "./state/viewer";

followTheme();
followAttention();
window.addEventListener("keydown", press);
effect(() => {
  const name = active.value?.overview.name;
  document.title = name === undefined ? "rtoscope" : `${name} – rtoscope`;
});

const root = document.getElementById("app");
if (root) render(<App />, root);

try {
  await connect();
} catch (error) {
  report(error);
}
followAddress();
