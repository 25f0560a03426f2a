/** Reports of the command line. */

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { ReportDocument } from "../../src/session/reports";
import { program } from "./server";

const run = promisify(execFile);

/** All reports, as `rtoscope report --format json` writes them. */
export async function reported(
  file: string,
  options: readonly string[] = [],
): Promise<Required<ReportDocument>> {
  const { stdout } = await run(program(), ["report", "--format", "json", ...options, file], {
    maxBuffer: 64 << 20,
  });
  return JSON.parse(stdout) as Required<ReportDocument>;
}
