/** Answers the requests of a page without a server: each recording is in a worker. */

import type { Backend, Sample, Standalone } from "../session/backend";
import { Folder } from "../session/folder";
import { notice } from "../state/viewer";
import { companionsOf } from "./companions";
import { OpenRecording } from "./open-recording";
import type { OpenMessage } from "./session.worker";
import { unpack } from "./unpack";

/** How to open a recording that was not dropped on the page. */
export interface GivenRecording {
  name: string;
  files: () => Promise<OpenMessage["files"]>;
  options: readonly string[] | Promise<readonly string[]>;
  /** Its address, if that opens it again. */
  address?: string;
  /** Keeps the text of a notes file, if the browser does not. */
  keepNotes?: (text: string) => void;
}

const json = (value: unknown) => new Response(JSON.stringify(value));
const refusal = (status: number, error: string) =>
  new Response(JSON.stringify({ error }), { status });

export class WorkerBackend implements Backend {
  readonly standalone: Standalone;
  private readonly open = new Map<number, OpenRecording>();
  /** Files that help to decode recordings, by name: given alone, and those of a recording. */
  private readonly companions = new Map<string, File>();
  private readonly ownCompanions = new WeakMap<File, readonly File[]>();
  private opened = 0;
  private readonly module: Promise<WebAssembly.Module>;

  /** `code`: the module, packed or not. */
  constructor(
    code: () => Promise<Blob>,
    samples: readonly Sample[] = [],
    showSource?: Standalone["showSource"],
  ) {
    this.module = code().then(async (packed) =>
      WebAssembly.compile(await (await unpack(packed)).arrayBuffer()),
    );
    // Whoever opens a recording reports it.
    this.module.catch(() => undefined);
    this.standalone = {
      samples,
      recordingsOf: (files) => this.recordingsOf(files),
      addressOf: (id) => this.open.get(id)?.address,
      showSource,
    };
  }

  /** Opens a recording before the page asks which are open. */
  give({ name, files, options, address, keepNotes }: GivenRecording): void {
    const content = async () => ({ files: await files(), options: await options });
    this.start(name, address, content, keepNotes);
  }

  async upload(file: File): Promise<Response> {
    const own = file instanceof Folder ? file.files : [[file.name, file] as const];
    const files = new Map(this.companions);
    for (const one of this.ownCompanions.get(file) ?? []) files.set(one.name, one);
    const { id, name } = this.start(file.name, undefined, async () => ({
      files: [...own, ...files],
      options: [],
    }));
    return json({ id, name });
  }

  async request(at: string, init: RequestInit = {}): Promise<Response> {
    const [path = ""] = at.split("?");
    const [, list, number, what] = path.split("/");
    if (list === "recent") return json([]);
    if (list !== "traces") return new Response("ok");
    if (number === undefined) {
      const all = [...this.open.values()];
      return json(all.map(({ id, name }) => ({ id, name })));
    }
    const recording = this.open.get(Number(number));
    if (recording === undefined) return refusal(404, `there is no open trace ${number}`);
    const text = typeof init.body === "string" ? init.body : "";
    switch (what) {
      case "progress":
        return json(recording.progress);
      case "query":
        return recording.ask("answer_query", text, init.signal);
      case "command":
        return recording.ask("apply_command", text);
      case "notes":
        return recording.ask("read_notes", "");
      case "sql":
        return json({ unavailable: `it runs in the command: rtoscope view ${recording.name}` });
      case undefined:
        recording.close();
        this.open.delete(recording.id);
        return json(null);
      default:
        return refusal(404, "a page without a server has no live traces");
    }
  }

  private start(
    name: string,
    address: string | undefined,
    content: () => Promise<Pick<OpenMessage, "files" | "options">>,
    keepNotes?: (text: string) => void,
  ): OpenRecording {
    this.opened += 1;
    const message = async () => ({ ...(await content()), name, module: await this.module });
    const recording = new OpenRecording(this.opened, name, address, message(), keepNotes);
    this.open.set(recording.id, recording);
    void recording.opened.then((refused) => {
      // Its answers are the reason, also for a page that asks later.
      if (refused !== null) recording.close();
    });
    return recording;
  }

  private async recordingsOf(files: readonly File[]): Promise<File[]> {
    const companions = await companionsOf(files);
    const recordings = files.filter((file) => !companions.includes(file));
    for (const recording of recordings) this.ownCompanions.set(recording, companions);
    if (recordings.length === 0 && files.length > 0) {
      for (const file of companions) this.companions.set(file.name, file);
      const names = files.map(({ name }) => name).join(", ");
      notice.value = `${names}: used for recordings that are opened from now on.`;
    }
    return recordings;
  }
}
