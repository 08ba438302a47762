import { avifBoxes, viewOf } from "../imageHeader.js";

/** What precedes the sequence header of AV1 pixels: a temporal delimiter, and the type of the header. */
const sequenceMark = Buffer.of(0x12, 0, 0x0a);

/**
 * Returns whether the grey or alpha of an AVIF has limited range: black is 16 and white is 235 of 8 bits. sharp expands
 * the range of colours only.
 */
export function hasLimitedGrey(avif: Uint8Array): boolean {
  const bytes = Buffer.from(avif.buffer, avif.byteOffset, avif.byteLength);
  const view = viewOf(avif);
  const properties = [...avifBoxes(view, "av1C")];
  const isGrey = properties.length > 0 && properties.every((at) => view.getUint8(at + 6) & 0x10);
  const [range] = [...avifBoxes(view, "nclx")].map((at) => view.getUint8(at + 10) >> 7);
  if (isGrey && range === 0) return true;
  // A header may also be in the properties.
  const headers = properties.filter((at) => bytes[at + 8] === sequenceMark[2]).map((at) => at + 10);
  for (let at = bytes.indexOf(sequenceMark); at >= 0; at = bytes.indexOf(sequenceMark, at + 1)) headers.push(at + 4);
  return headers.some((at) => isLimitedGrey(bytes.subarray(at)));
}

/** Returns whether the sequence header of a still image declares no colours and limited range (AV1, section 5.5). */
function isLimitedGrey(header: Uint8Array): boolean {
  let at = 0;
  const read = (count: number): number => {
    let value = 0;
    for (let i = 0; i < count; i++, at++) value = 2 * value + ((header[at >> 3] >> (7 - (at & 7))) & 1);
    return value;
  };
  const profile = read(3);
  // Others have more fields, and are used for sequences.
  const isReducedStill = read(2) === 3;
  if (profile === 1 || !isReducedStill) return false;
  read(5);
  const [widthBits, heightBits] = [read(4) + 1, read(4) + 1];
  read(widthBits + heightBits + 6);
  const isHigh = read(1);
  if (isHigh && profile === 2) read(1);
  const isGrey = read(1);
  if (read(1)) read(24);
  return isGrey === 1 && read(1) === 0;
}
