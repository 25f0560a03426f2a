/** Worker that holds one recording. */

import type { OpeningProgress } from "../session/wire";
import { type Answer, OutOfMemory, type Question, SessionModule } from "./module";

/** Opens a recording. */
export interface OpenMessage {
  module: WebAssembly.Module;
  /** The recording and the files that help to decode it. */
  files: readonly (readonly [name: string, content: Blob])[];
  name: string;
  options: readonly string[];
}

export type WorkerRequest = OpenMessage | { question: Question; text: string };
export type WorkerReply = { progress: OpeningProgress } | { answer: Answer };

let session: SessionModule | null = null;
let name = "";

function refusal(error: unknown): Answer {
  const [status, text] =
    error instanceof OutOfMemory
      ? [413, `${name} needs more memory than this browser gives a page; use rtoscope view`]
      : [500, `${name}: internal error: ${error instanceof Error ? error.message : error}`];
  const body = new TextEncoder().encode(JSON.stringify({ error: text }));
  return { status, body: body.buffer };
}

async function open({ module, files, ...request }: OpenMessage): Promise<Answer> {
  name = request.name;
  const opened = await SessionModule.start(module, (progress) =>
    self.postMessage({ progress } satisfies WorkerReply),
  );
  for (const [other, content] of files) await opened.addFile(other, content);
  const answer = opened.ask("open_recording", JSON.stringify(request));
  if (answer.status === 200) session = opened;
  return answer;
}

async function answer(request: WorkerRequest): Promise<Answer> {
  try {
    if ("module" in request) return await open(request);
    if (session === null) throw new Error("no recording is open");
    return session.ask(request.question, request.text);
  } catch (error) {
    // A module that has stopped answers nothing anymore.
    session = null;
    return refusal(error);
  }
}

self.addEventListener("message", async ({ data }: MessageEvent<WorkerRequest>) => {
  const reply = await answer(data);
  self.postMessage({ answer: reply } satisfies WorkerReply, { transfer: [reply.body] });
});
