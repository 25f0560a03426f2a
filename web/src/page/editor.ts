/** The page in an editor of Visual Studio Code: the extension gives it the recording. */

import sessionCode from "virtual:session";
import type { FromPage, ToPage } from "../../vscode/src/messages";
import { setBackend } from "../session/backend";
import { hostIsDark } from "../shell/theme";
import { WorkerBackend } from "./worker-backend";

declare const acquireVsCodeApi: () => { postMessage(message: FromPage): void };

const editor = acquireVsCodeApi();

/** The editor marks its theme on the body, such as `vscode-dark` or `vscode-high-contrast`. */
function followEditorTheme(): void {
  const { classList } = document.body;
  const isDark = () => /vscode-(dark|high-contrast)( |$)/.test(classList.value);
  const apply = () => {
    hostIsDark.value = isDark();
  };
  new MutationObserver(apply).observe(document.body, { attributeFilter: ["class"] });
  apply();
}

const received = new Promise<ToPage>((resolve) => {
  window.addEventListener("message", ({ data }: MessageEvent<ToPage>) => {
    if ("recording" in data || "error" in data) resolve(data);
  });
}).then((message) => {
  if ("error" in message) throw new Error(message.error);
  return message.recording;
});

followEditorTheme();
const backend = new WorkerBackend(
  async () => (await fetch(sessionCode)).blob(),
  [],
  (source) => editor.postMessage({ source }),
);
setBackend(backend);
backend.give({
  name: document.body.dataset.recording ?? "recording",
  files: async () => {
    const { files } = await received;
    return files.map(([name, content]) => [name, new Blob([content])] as const);
  },
  options: received.then(({ options }) => options),
  keepNotes: (notes) => editor.postMessage({ notes }),
});
editor.postMessage({ loaded: true });
await import("../main");
