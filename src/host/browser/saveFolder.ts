interface DirectoryPicker {
  showDirectoryPicker?(options: { mode: "readwrite" }): Promise<FileSystemDirectoryHandle>;
}

/** Returns whether this browser can write to a folder that the reader picks. */
export function canSaveFolder(): boolean {
  return typeof (globalThis as DirectoryPicker).showDirectoryPicker === "function";
}

/**
 * Writes files to a new folder inside one that the reader picks.
 * @param files paths and contents
 * @returns the result as a sentence
 */
export async function saveFolder(name: string, files: readonly (readonly [string, Blob])[]): Promise<string> {
  let parent: FileSystemDirectoryHandle;
  try {
    parent = await (globalThis as DirectoryPicker).showDirectoryPicker!({ mode: "readwrite" });
  } catch (error) {
    if ((error as Error).name === "AbortError") return "No folder was chosen.";
    throw error;
  }
  const folder = name.replaceAll(/[^\p{L}\p{N} ,_-]/gu, " ").trim() || "run";
  const root = await parent.getDirectoryHandle(folder, { create: true });
  for (const [path, blob] of files) {
    const segments = path.split("/");
    let directory = root;
    for (const segment of segments.slice(0, -1))
      directory = await directory.getDirectoryHandle(segment, { create: true });
    const handle = await directory.getFileHandle(segments.at(-1)!, { create: true });
    const stream = await handle.createWritable();
    await stream.write(blob);
    await stream.close();
  }
  return `${files.length} files were saved in the folder ${folder}.`;
}
