/** A file with a recording and the viewer, written by `rtoscope export --to page`. */

import sessionCode from "virtual:session";
import { setBackend } from "../session/backend";
import { fromBase64, unpack } from "./unpack";
import { WorkerBackend } from "./worker-backend";

/** What crates/cli/src/commands/export_page.rs writes. */
interface SharedRecording {
  name: string;
  options: string[];
  /** Packed with gzip, in base64. */
  files: { name: string; content: string }[];
}

const backend = new WorkerBackend(async () => (await fetch(sessionCode)).blob());
setBackend(backend);
const text = document.getElementById("recordings")?.textContent ?? "[]";
for (const { name, options, files } of JSON.parse(text) as SharedRecording[]) {
  const unpacked = () =>
    Promise.all(
      files.map(
        async (file) => [file.name, await unpack(new Blob([fromBase64(file.content)]))] as const,
      ),
    );
  backend.give({ name, options, files: unpacked });
}
await import("../main");
