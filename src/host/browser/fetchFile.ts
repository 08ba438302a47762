/** What lies behind an address, or the status with which its host refuses it; neither where nobody answers. */
export interface FetchedFile {
  file?: Blob;
  status?: number;
}

/** Fetches a file, and tells its host nothing of the reader or the page. */
export async function fetchFile(address: string): Promise<FetchedFile> {
  try {
    const response = await fetch(address, { credentials: "omit", referrerPolicy: "no-referrer" });
    return response.ok ? { file: await response.blob() } : { status: response.status };
  } catch {
    return {};
  }
}
