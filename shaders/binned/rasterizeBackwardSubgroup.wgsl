// Stage 6: what each pair of a tile and a blob adds to the blob's gradient. A subgroup a segment: a lane holds two blobs,
// and the pixels pass through the lanes one after the other, so that nothing is summed across lanes.
enable subgroups;
#import binned/segments.wgsl
#import binned/backward.wgsl

@group(0) @binding(19) var<storage, read> segmentStates: array<vec4u>;

override LANES: u32 = 32;
// The pixels on their way: as many come in at a time as there are lanes, while those before leave.
override PLACES: u32 = 2u * LANES;

// Of each pixel: dL/dC and x, then y.
var<workgroup> sh_gradients: array<vec4f, PLACES>;
var<workgroup> sh_y: array<f32, PLACES>;
// Transmittance and the rest still to come.
var<workgroup> sh_states: array<vec2f, PLACES>;

// Where a subgroup is too small for a segment, the states of all pixels as the blobs so far leave them.
override IN_PARTS: bool = 2u * LANES < SEGMENT_LENGTH;
override KEPT: u32 = select(1u, TILE_PIXELS, IN_PARTS);
var<workgroup> sh_kept: array<vec2f, KEPT>;

// Whether a subtile takes a blob of the segment.
fn isOpen(s: u32, subtile: u32) -> bool {
  return segmentStates[s * SEGMENT_STRIDE + TILE_PIXELS + subtile / 4u][subtile % 4u] != 0u;
}

@compute @workgroup_size(LANES)
fn main(
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let s = linearWorkgroup(workgroup, workgroups);
  if (s >= min(segmentCount(), dispatch.endWorkgroup)) {
    return;
  }
  let segment = segments[s];
  var open = false;
  for (var subtile = 0u; subtile < SUBTILES; subtile++) {
    open = open || isOpen(s, subtile);
  }
  for (var part = 0u; part < select(1u, segment.count, IN_PARTS); part += 2u * LANES) {
    let k = part + 2u * lane;
    let one = entryOf(segment, k);
    let other = entryOf(segment, k + 1u);
    let oneClampable = clampBlob(one.index);
    let otherClampable = clampBlob(other.index);
    var oneSum = Slot();
    var otherSum = Slot();
    var state = vec2f();
    // The last pixel's way through the lanes that hold blobs.
    let lanes = (min(segment.count - part, 2u * LANES) + 1u) / 2u;
    let steps = select(0u, TILE_PIXELS + lanes - 1u, open);
    for (var first = 0u; first < steps; first += LANES) {
      let p = first + lane;
      let place = p % PLACES;
      workgroupBarrier();
      // Behind the last pixel, opaque ones.
      sh_states[place] = vec2f();
      if (p < TILE_PIXELS) {
        let gradient = pixelGradients[segment.tile * TILE_PIXELS + p];
        let pixel = vec2f(pixelOfTile(segment.tile, p));
        sh_gradients[place] = vec4f(gradient.rgb, pixel.x);
        sh_y[place] = pixel.y;
        if (IN_PARTS && part > 0u) {
          sh_states[place] = sh_kept[p];
        } else if (isOpen(s, p / SUBTILE_PIXELS)) {
          sh_states[place] = beginning(gradient, bitcast<vec4f>(segmentStates[s * SEGMENT_STRIDE + p]));
        }
      }
      workgroupBarrier();
      for (var t = first; t < min(first + LANES, steps); t++) {
        // The pixel comes from the lane before. A lane that has none yet goes along with an opaque one.
        state = subgroupShuffleUp(state, 1u);
        let at = (t - lane) % PLACES;
        if (lane == 0u) {
          state = sh_states[at];
        }
        let d = sh_gradients[at];
        let pixel = vec2f(d.w, sh_y[at]);
        let passedOne = passPixel(one.blob, pixel - one.blob.center, d.rgb, state);
        addPixel(&oneSum, oneClampable, passedOne.dPower, pixel - one.blob.center, passedOne.weight * d.rgb);
        let passedOther = passPixel(other.blob, pixel - other.blob.center, d.rgb, passedOne.state);
        addPixel(&otherSum, otherClampable, passedOther.dPower, pixel - other.blob.center, passedOther.weight * d.rgb);
        state = passedOther.state;
        if (IN_PARTS && lane == LANES - 1u && t >= lane) {
          sh_kept[t - lane] = state;
        }
      }
    }
    if (k < segment.count) {
      keep(one.pair, oneSum);
    }
    if (k + 1u < segment.count) {
      keep(other.pair, otherSum);
    }
  }
}
