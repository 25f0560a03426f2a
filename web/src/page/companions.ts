/** Files that only help to decode recordings. */

/** Endings of the names of settings, notes, and definitions of events. */
const NAMES = /\.(toml|trxc|rtoscope\.json|h|cfg)$/i;

const ELF = [0x7f, 0x45, 0x4c, 0x46];
/** Offsets in the header of an ELF file. */
const BYTE_ORDER = 5;
const TYPE = 16;
const BIG_ENDIAN = 2;
/** The memory of a target, which may contain a trace. */
const CORE = 4;

/** The name of a project's file. */
const PROJECT = "rtoscope.toml";

/** The files that are no recordings but help to decode them, such as those that a project names. */
export async function companionsOf(files: readonly File[]): Promise<File[]> {
  const project = (await files.find(({ name }) => name === PROJECT)?.text()) ?? "";
  const isNamed = ({ name }: File) => ['"', "'"].some((quote) => project.includes(name + quote));
  const found = await Promise.all(
    files.map(async (file) => (isNamed(file) || (await isCompanion(file)) ? [file] : [])),
  );
  return found.flat();
}

/** Whether a file is no recording but helps to decode one. */
export async function isCompanion(file: File): Promise<boolean> {
  if (NAMES.test(file.name)) return true;
  const head = new Uint8Array(await file.slice(0, TYPE + 2).arrayBuffer());
  if (ELF.some((byte, at) => head[at] !== byte) || head.length < TYPE + 2) return false;
  const isLittle = head[BYTE_ORDER] !== BIG_ENDIAN;
  return new DataView(head.buffer).getUint16(TYPE, isLittle) !== CORE;
}
