import { deflateRaw } from "pako";
import { inflateAtMost } from "../../engine/files/inflate.js";
import { limits, linkKey, type PageEdits, readEdits, writeEdits } from "./pageEdits.js";

/**
 * Returns the hash of a link that contains edits. Browsers send no hash to a server.
 * @throws Error of one sentence if they are too large to be opened
 */
export function editsToHash(edits: PageEdits): string {
  const bytes = deflateRaw(new TextEncoder().encode(writeEdits(edits)));
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return `${linkKey}${text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/**
 * Returns the edits that a hash contains, or undefined if it contains none.
 * @throws Error of one sentence if they are damaged or too large
 */
export function editsFromHash(hash: string): PageEdits | undefined {
  if (!hash.startsWith(linkKey)) return undefined;
  try {
    const text = hash.slice(linkKey.length).replaceAll("-", "+").replaceAll("_", "/");
    const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
    return readEdits(new TextDecoder().decode(inflateAtMost(bytes, limits.bytes)));
  } catch (cause) {
    const message = "The cells in this link are damaged, truncated or too large, so the page is shown without them.";
    throw new Error(message, { cause });
  }
}
