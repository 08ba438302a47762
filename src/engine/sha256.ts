/** Whether SHA-256 is at hand: not in a page that came without encryption from another machine. */
export const hasSha256 = () => crypto.subtle !== undefined;

/** SHA-256 of some bytes, in hexadecimal. */
export async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
