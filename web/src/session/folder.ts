/** Folders that the user opens: captures of `rtoscope live`, and traces in CTF. */

/** A folder, which takes the place of the file of a recording. */
export class Folder extends File {
  constructor(
    name: string,
    /** Its files, by their paths from the folder's name on. */
    readonly files: readonly (readonly [path: string, file: File])[],
  ) {
    super([], name);
  }
}

/** Maximum number of files that are read of a folder. */
const MAX_FILES = 10_000;

/** The files and folders of a drop. The event has them only while it is handled. */
export function droppedFiles(transfer: DataTransfer): Promise<File[]> {
  const items = [...transfer.items].filter(({ kind }) => kind === "file");
  const dropped = items.map((item) => {
    const entry = item.webkitGetAsEntry();
    const file = item.getAsFile();
    return entry?.isDirectory ? readFolder(entry as FileSystemDirectoryEntry) : file;
  });
  return Promise.all(dropped.filter((one) => one !== null));
}

/** The folder of chosen files. */
export function chosenFolder(files: readonly File[]): Folder[] {
  const [first] = files;
  if (first === undefined) return [];
  const [name = ""] = first.webkitRelativePath.split("/");
  const paths = files.map((file) => [file.webkitRelativePath, file] as const);
  return [new Folder(name, limited(name, paths))];
}

async function readFolder(folder: FileSystemDirectoryEntry): Promise<Folder> {
  const files: (readonly [string, File])[] = [];
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    for (const entry of await entriesOf(next)) {
      if (entry.isDirectory) folders.push(entry as FileSystemDirectoryEntry);
      else {
        const file = await new Promise<File>((resolve, reject) =>
          (entry as FileSystemFileEntry).file(resolve, reject),
        );
        files.push([entry.fullPath.slice(1), file]);
      }
      limited(folder.name, files);
    }
  }
  return new Folder(folder.name, files);
}

async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    // It gives a part of them each time, and none at the end.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return all;
    all.push(...some);
  }
}

function limited<T>(name: string, files: readonly T[]): readonly T[] {
  if (files.length > MAX_FILES) throw new Error(`${name}: more than ${MAX_FILES} files`);
  return files;
}
