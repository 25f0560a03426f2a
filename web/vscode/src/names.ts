/** Names of files and arguments in texts. */

/** Maximum number of texts in a project's file that may name files. */
const MAX_NAMES = 200;

/**
 * The texts in a project's file that may be paths below its folder. Those that are no files do no
 * harm: the module reads the file, and opens what it names.
 */
export function namesIn(text: string): string[] {
  const texts = [...text.matchAll(/"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'/g)];
  const names = texts.map(([, basic, literal]) => literal ?? basic?.replaceAll("\\\\", "\\") ?? "");
  const isBelow = (name: string) =>
    name !== "" && !/^([/\\]|[a-z]:)/i.test(name) && !name.split(/[/\\]/).includes("..");
  return [...new Set(names.filter(isBelow))].slice(0, MAX_NAMES);
}

/** The parts of a path of any system, without `.` and `..`. */
export function partsOf(path: string): string[] {
  const parts: string[] = [];
  for (const part of path.split(/[/\\]+/)) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts;
}

/** Number of equal parts at the ends of two paths. */
export function commonEnd(one: readonly string[], other: readonly string[]): number {
  let length = 0;
  while (length < one.length && one.at(-1 - length) === other.at(-1 - length)) length += 1;
  return length;
}

/** The arguments in a line. */
export function split(line: string): string[] {
  const words = [...line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)];
  return words.map(([word]) => word.replace(/"([^"]*)"|'([^']*)'/g, "$1$2"));
}
