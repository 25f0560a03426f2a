/** Files for a page without a server: recordings, and `rtoscope.toml` instead of options. */

import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { copied, type Source } from "./pool";

/** Recordings and the files that help to decode them, in a folder of their own. */
export class GivenFiles {
  private constructor(
    readonly folder: string,
    readonly recordings: readonly string[],
    readonly companions: readonly string[],
  ) {}

  static async create(sources: readonly Source[], options: readonly string[]): Promise<GivenFiles> {
    const folder = await mkdtemp(join(tmpdir(), "rtoscope-page-"));
    const recordings = await Promise.all(sources.map((source) => copied(folder, source)));
    const companions = options.length === 0 ? [] : await project(join(folder, "given"), options);
    return new GivenFiles(folder, recordings, companions);
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true });
  }
}

/** Writes the project's file that says the same as options; returns it and the files it names. */
async function project(folder: string, options: readonly string[]): Promise<string[]> {
  // Not beside the recording, where the command would find it, too.
  await mkdir(folder);
  const { values } = parseArgs({
    args: [...options],
    options: {
      clock: { type: "string" },
      config: { type: "string" },
      elf: { type: "string" },
      "input-format": { type: "string" },
      interval: { type: "string" },
      setting: { type: "string", short: "O", multiple: true, default: [] },
      "text-log": { type: "string" },
    },
  });
  const { clock, config, elf, interval } = values;
  const log = values["text-log"];
  const named = [elf, log].filter((path) => path !== undefined);
  const settings = values.setting.flatMap((setting) => {
    const [key = "", ...value] = setting.split("=");
    return line(key, value.join("="));
  });
  const text = [
    "[recording]",
    ...line("clock", clock),
    ...line("input-format", values["input-format"]),
    ...line("symbols", elf && basename(elf)),
    ...line("text-log", log && basename(log)),
    "[settings]",
    ...settings,
    ...(interval === undefined ? [] : intervalTable(interval)),
    config === undefined ? "" : await readFile(config, "utf8"),
  ].join("\n");
  const file = join(folder, "rtoscope.toml");
  await writeFile(file, text);
  const copies = named.map(async (path) => {
    const copy = join(folder, basename(path));
    await copyFile(path, copy);
    return copy;
  });
  return [file, ...(await Promise.all(copies))];
}

function line(key: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`${key} = ${JSON.stringify(value)}`];
}

/** The table of `FROM -> TO [by WHAT]`. */
function intervalTable(declaration: string): string[] {
  const [, from, to, by] = /^(.*) -> (.*?)(?: \[by (.*)\])?$/.exec(declaration) ?? [];
  const lines = Object.entries({ name: declaration, from, to, by });
  return ["[[interval]]", ...lines.flatMap(([key, value]) => line(key, value))];
}
