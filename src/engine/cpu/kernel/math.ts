// Exponentials from additions and multiplications only, so that every machine computes the same bits.

const log2E: f64 = 1.4426950408889634;
/** ln 2 in two parts; the product of the first with an integer is exact. */
const ln2High: f64 = 0.6931471803691238;
const ln2Low: f64 = 1.9082149292705877e-10;

/** Returns e^x to within a few roundings of float64. */
export function exp(x: f64): f64 {
  if (isNaN(x)) return x;
  const n = nearest<f64>(min<f64>(max<f64>(x, -740), 709) * log2E);
  const r = min<f64>(max<f64>(x, -740), 709) - n * ln2High - n * ln2Low;
  let sum: f64 = 1;
  // The Taylor polynomial of degree 13, for |r| <= ln 2 / 2.
  for (let k = 13; k > 0; k--) sum = 1 + (sum * r) / <f64>k;
  // In two factors, since 2^n alone can be denormal.
  const half = <i64>n >> 1;
  return sum * power2(half) * power2(<i64>n - half);
}

/** Returns 2^n for -1023 < n < 1024. */
function power2(n: i64): f64 {
  return reinterpret<f64>((n + 1023) << 52);
}

/** 1.5 · 2²³: adding it to a small float32 rounds that to an integer, in the lowest bits of the sum. */
const rounder: f32 = 12582912;

/** Returns 2^-x of four numbers from 0 to 126, within 2e-7 of each: a polynomial of degree 5 on -1/2..1/2. */
export function exp2OfMinus(x: v128): v128 {
  const power = f32x4.neg(x);
  const whole = f32x4.add(power, f32x4.splat(rounder));
  const fraction = f32x4.sub(power, f32x4.sub(whole, f32x4.splat(rounder)));
  let y = f32x4.splat(0.0013390863);
  y = f32x4.add(f32x4.mul(y, fraction), f32x4.splat(0.0096760318));
  y = f32x4.add(f32x4.mul(y, fraction), f32x4.splat(0.05550357));
  y = f32x4.add(f32x4.mul(y, fraction), f32x4.splat(0.24022107));
  y = f32x4.add(f32x4.mul(y, fraction), f32x4.splat(0.69314718));
  y = f32x4.add(f32x4.mul(y, fraction), f32x4.splat(1));
  return i32x4.add(y, i32x4.shl(whole, 23));
}

/** Returns the sum of four lanes, always in the same order. */
export function sumOfLanes(x: v128): f32 {
  const low = f32x4.extract_lane(x, 0) + f32x4.extract_lane(x, 1);
  return low + (f32x4.extract_lane(x, 2) + f32x4.extract_lane(x, 3));
}
