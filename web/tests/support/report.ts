/** Reports of the command line. */

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { ReportDocument } from "../../src/session/documents";
import { program } from "./server";

const execute = promisify(execFile);

/** All reports; tests ask for those that the recording has. */
export type Reports = Required<ReportDocument>;

/** Reports by file and options. The files of tests do not change. */
const known = new Map<string, Promise<Reports>>();

/** All reports, as `rtoscope report --format json` writes them. */
export function reported(file: string, options: readonly string[] = []): Promise<Reports> {
  const key = JSON.stringify([file, options]);
  const report = known.get(key) ?? run(file, options);
  known.set(key, report);
  return report;
}

async function run(file: string, options: readonly string[]): Promise<Reports> {
  const { stdout } = await execute(program(), ["report", "--format", "json", ...options, file], {
    maxBuffer: 64 << 20,
  });
  return JSON.parse(stdout) as Reports;
}
