/** Commands that do on the command line what the page shows. */

import type { TraceState } from "../state/trace";

/** Options that only some commands have. */
const TEXT_LOG = /^--(text-log|setting=text-log)/;

/** Sources of a clock that a command does not know. */
const OF_VIEWER: readonly (string | null)[] = ["page", "notes"];

const quoted = (word: string): string =>
  /^[\w./:=+,@%-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** A command on the recording of a trace, with all options that decode it as it is shown. */
export function commandLine(
  trace: TraceState,
  command: "report" | "query",
  words: readonly string[],
): string {
  const { name, source } = trace.overview;
  // A dropped file has only a name.
  const { file, options } = source ?? { file: name, options: [] };
  const hz = trace.frequencyHz.value;
  const isOfViewer = OF_VIEWER.includes(trace.clockSource.value);
  const kept = options.filter(
    (option) =>
      !(isOfViewer && option.startsWith("--clock=")) &&
      (command === "query" || !TEXT_LOG.test(option)),
  );
  const clock = isOfViewer && hz !== null ? [`--clock=${hz}Hz`] : [];
  return ["rtoscope", command, file, ...words, ...kept, ...clock].map(quoted).join(" ");
}
