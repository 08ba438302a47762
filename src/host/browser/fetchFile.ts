/** A fetched file, or the HTTP status of an error; neither if the host cannot be reached. */
export interface FetchedFile {
  file?: Blob;
  status?: number;
}

/** Fetches a file without credentials or a referrer. */
export async function fetchFile(address: string): Promise<FetchedFile> {
  try {
    const response = await fetch(address, { credentials: "omit", referrerPolicy: "no-referrer" });
    return response.ok ? { file: await response.blob() } : { status: response.status };
  } catch {
    return {};
  }
}
