/** Reports of the command line. */

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { ReportDocument } from "../../src/session/reports";
import { program } from "./server";

const execute = promisify(execFile);

/** Reports by file and options. The files of tests do not change. */
const known = new Map<string, Promise<Required<ReportDocument>>>();

/** All reports, as `rtoscope report --format json` writes them. */
export function reported(
  file: string,
  options: readonly string[] = [],
): Promise<Required<ReportDocument>> {
  const key = JSON.stringify([file, options]);
  const report = known.get(key) ?? run(file, options);
  known.set(key, report);
  return report;
}

async function run(file: string, options: readonly string[]): Promise<Required<ReportDocument>> {
  const { stdout } = await execute(program(), ["report", "--format", "json", ...options, file], {
    maxBuffer: 64 << 20,
  });
  return JSON.parse(stdout) as Required<ReportDocument>;
}
