// Fetches the image named by a parameter of this worker's URL. The page's policy sees this URL and asks the reader.
import { fetchFile } from "./fetchFile.js";

postMessage(await fetchFile(new URL(location.href).searchParams.get("image")!));
