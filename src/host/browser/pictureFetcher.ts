// Fetches the picture whose address stands in this worker's own, so that whoever starts it has to show it.
import { fetchFile } from "./fetchFile.js";

postMessage(await fetchFile(new URL(location.href).searchParams.get("picture")!));
