import { Inflate } from "pako";

/**
 * Returns inflated raw deflate data, with a limit because they can be a thousand times as long.
 * @param maxBytes most bytes of the result
 * @param dictionary preset dictionary
 * @throws RangeError as soon as the result is longer, and for damaged or truncated data
 */
export function inflateAtMost(bytes: Uint8Array, maxBytes: number, dictionary?: Uint8Array): Uint8Array {
  const inflate = new Inflate({ raw: true, ...(dictionary && { dictionary }) });
  const collect = inflate.onData;
  let length = 0;
  inflate.onData = function (piece) {
    length += piece.length;
    // An exception here ends the inflation.
    if (length > maxBytes) throw new RangeError("The inflated data are too long.");
    collect.call(this, piece);
  };
  inflate.push(bytes, true);
  if (inflate.err || !inflate.result) throw new RangeError("The deflated bytes are damaged.");
  return inflate.result as Uint8Array;
}
