/** A file that was picked or dropped, and its path in a folder, such as "runs/cup/metrics.arrow". */
export interface PickedFile {
  path: string;
  file: File;
}

/** Returns the files that were picked. */
export function pickedFiles(input: HTMLInputElement): PickedFile[] {
  return [...(input.files ?? [])].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}

/** Returns the files that were dropped, including those in folders. */
export async function droppedFiles(data: DataTransfer): Promise<PickedFile[]> {
  // All entries must be requested during the event.
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
    // `readEntries` returns batches until the folder is read.
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (batch.length === 0) return found;
    for (const inner of batch) found.push(...(await filesIn(inner)));
  }
}
