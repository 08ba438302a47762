import { Inflate } from "pako";

/** Deflated data stand for more than was to come of them. */
export class TooLongError extends RangeError {
  override name = "TooLongError";
}

/**
 * Inflates raw deflate data, of which some bytes may stand for a thousand times as many.
 * @param maxBytes bytes that may come of it
 * @param dictionary the bytes before the first
 * @throws TooLongError as soon as there is more
 * @throws RangeError for data that are damaged or cut off
 */
export function inflateAtMost(bytes: Uint8Array, maxBytes: number, dictionary?: Uint8Array): Uint8Array {
  const inflate = new Inflate({ raw: true, ...(dictionary && { dictionary }) });
  const collect = inflate.onData;
  let length = 0;
  inflate.onData = function (piece) {
    length += piece.length;
    // What is thrown here ends the inflating.
    if (length > maxBytes) throw new TooLongError("There is more than fits.");
    collect.call(this, piece);
  };
  inflate.push(bytes, true);
  if (inflate.err || !inflate.result) throw new RangeError("The deflated bytes are damaged.");
  return inflate.result as Uint8Array;
}
