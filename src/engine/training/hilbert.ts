/** The latest curve, since an image needs it repeatedly. */
let cached: { width: number; height: number; curve: Uint32Array } | undefined;

/**
 * Returns the pixels of an image along a Hilbert curve, as x + y·width. Consecutive pixels are neighbours, and pixels
 * that are close on the curve are close in the image. J. Červený's generalised Hilbert curve, for any width and height.
 */
export function hilbertCurve(width: number, height: number): Uint32Array {
  if (cached?.width !== width || cached.height !== height) cached = { width, height, curve: drawCurve(width, height) };
  return cached.curve;
}

function drawCurve(width: number, height: number): Uint32Array {
  const pixels = new Uint32Array(width * height);
  let count = 0;
  // Fills the rectangle from (x, y) along the vector a and across along b.
  const fill = (x: number, y: number, ax: number, ay: number, bx: number, by: number): void => {
    const along = Math.abs(ax + ay);
    const across = Math.abs(bx + by);
    if (across === 1 || along === 1) {
      const step = across === 1 ? Math.sign(ax) + Math.sign(ay) * width : Math.sign(bx) + Math.sign(by) * width;
      const end = count + along * across;
      for (let pixel = x + y * width; count < end; pixel += step) pixels[count++] = pixel;
    } else if (2 * along > 3 * across) {
      const [hx, hy] = [evenHalf(ax), evenHalf(ay)];
      fill(x, y, hx, hy, bx, by);
      fill(x + hx, y + hy, ax - hx, ay - hy, bx, by);
    } else {
      const [ahx, ahy] = [Math.trunc(ax / 2), Math.trunc(ay / 2)];
      const [bhx, bhy] = [evenHalf(bx), evenHalf(by)];
      fill(x, y, bhx, bhy, ahx, ahy);
      fill(x + bhx, y + bhy, ax, ay, bx - bhx, by - bhy);
      const endX = x + ax - Math.sign(ax) + bhx - Math.sign(bx);
      const endY = y + ay - Math.sign(ay) + bhy - Math.sign(by);
      fill(endX, endY, -bhx, -bhy, ahx - ax, ahy - ay);
    }
  };
  if (width >= height) fill(0, 0, width, 0, 0, height);
  else fill(0, 0, 0, height, width, 0);
  return pixels;
}

/** Returns half of a side, even if possible, so that each part ends next to the start of the following one. */
function evenHalf(side: number): number {
  const half = Math.trunc(side / 2);
  return half % 2 !== 0 && Math.abs(side) > 2 ? half + Math.sign(side) : half;
}
