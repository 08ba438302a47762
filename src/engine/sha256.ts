/** Returns whether SHA-256 is available; it is not in a page from another machine without HTTPS. */
export const hasSha256 = () => crypto.subtle !== undefined;

/** Returns the SHA-256 of some bytes, in hexadecimal. */
export async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
