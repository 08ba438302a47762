/** Composites straight RGBA over white, and converts it to 8 bits. Values of 8 bits are changed in place. */
export function overWhite(values: Uint8Array | Uint16Array, maxValue: number): Uint8ClampedArray {
  const isInPlace = values instanceof Uint8Array && values.byteLength === values.buffer.byteLength;
  const bytes = isInPlace ? new Uint8ClampedArray(values.buffer) : new Uint8ClampedArray(values.length);
  for (let i = 0; i < values.length; i += 4) {
    // Most images are opaque.
    if (isInPlace && values[i + 3] === 255) continue;
    const alpha = values[i + 3] / maxValue;
    for (let channel = 0; channel < 3; channel++)
      bytes[i + channel] = 255 * ((alpha * values[i + channel]) / maxValue + 1 - alpha);
    bytes[i + 3] = 255;
  }
  return bytes;
}
