// The oriented 4-sigma box of a blob, and the separating-axis test. CPU reference: blobBounds in
// src/engine/model/bounds.ts.
#import shared/blob.wgsl

const DEVIATIONS = 4.0;

struct OrientedBox {
  center: vec2f,
  // Unit vector of the first axis; the second is perpendicular.
  axis: vec2f,
  half: vec2f,
}

fn blobBounds(blob: Blob) -> OrientedBox {
  let xx = blob.variance.x;
  let yy = blob.variance.y;
  let xy = blob.correlation * sqrt(xx * yy);
  let half = 0.5 * (xx - yy);
  let radius = sqrt(half * half + xy * xy);
  let largest = 0.5 * (xx + yy) + radius;
  // The determinant over the largest eigenvalue is the smallest, without cancellation.
  let smallest = xx * yy * (1.0 - blob.correlation * blob.correlation) / largest;
  var axis = select(vec2f(xy, radius - half), vec2f(half + radius, xy), half >= 0.0);
  // Relative to the covariance, so that small tilted blobs keep their tilt.
  if (abs(xy) <= 1e-6 * largest) {
    axis = select(vec2f(0.0, 1.0), vec2f(1.0, 0.0), half >= 0.0);
  }
  return OrientedBox(blob.center, axis * inverseSqrt(dot(axis, axis)), DEVIATIONS * sqrt(vec2f(largest, smallest)));
}

// Returns false if one of the four axes separates the boxes.
fn intersects(a: OrientedBox, b: OrientedBox) -> bool {
  return !(separates(a.axis, a, b) || separates(perpendicular(a.axis), a, b) //@ sat.axis{0,1}
    || separates(b.axis, a, b) || separates(perpendicular(b.axis), a, b)); //@ sat.axis{2,3}
}

fn separates(axis: vec2f, a: OrientedBox, b: OrientedBox) -> bool {
  return abs(dot(b.center - a.center, axis)) > reach(a, axis) + reach(b, axis); //@ sat.compare
}

// Returns half the extent of a box along an axis.
fn reach(box: OrientedBox, axis: vec2f) -> f32 {
  return box.half.x * abs(dot(box.axis, axis)) + box.half.y * abs(dot(perpendicular(box.axis), axis));
}

fn perpendicular(axis: vec2f) -> vec2f {
  return vec2f(-axis.y, axis.x);
}
