/** A file that a reader gave, and where it lay: "runs/cup/metrics.arrow", or its name alone. */
export interface PickedFile {
  path: string;
  file: File;
}

/** The files that were picked, of folders with their paths. */
export function pickedFiles(input: HTMLInputElement): PickedFile[] {
  return [...(input.files ?? [])].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}

/** The files that were dropped, those in folders too. */
export async function droppedFiles(data: DataTransfer): Promise<PickedFile[]> {
  // All entries are asked for at once: after the event they are gone.
  const items = [...data.items].filter(({ kind }) => kind === "file");
  const entries = items.map((item) => item.webkitGetAsEntry() ?? item.getAsFile());
  const found = await Promise.all(
    entries.map((entry) => (entry instanceof File ? [{ path: entry.name, file: entry }] : entry ? filesIn(entry) : [])),
  );
  return found.flat();
}

async function filesIn(entry: FileSystemEntry): Promise<PickedFile[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    return [{ path: entry.fullPath.replace(/^\//, ""), file }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: PickedFile[] = [];
  for (;;) {
    // Some at a time, until there are none.
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (batch.length === 0) return found;
    for (const inner of batch) found.push(...(await filesIn(inner)));
  }
}
