// Shared by the variants of stage 7, which sum the slots of each blob, always in the same order, and apply Adam. Stage
// 1 of the next step follows in the same kernel. CPU references: updateBlobs in
// src/engine/model/binned/7-updateBlobs.ts, updateBlobs in src/engine/model/adam.ts.
#import binned/slots.wgsl
#import shared/adam.wgsl

// Whether to apply Adam and project, or only to compute gradients.
override STEP: bool = true;

@group(0) @binding(3) var<storage, read_write> gradients: array<f32>;
@group(0) @binding(15) var<storage, read> slots: array<Slot>;

fn addSlot(sum: Slot, at: u32) -> Slot {
  let slot = slots[at];
  if (slot.step != dispatch.step) {
    return sum;
  }
  return Slot(sum.a + slot.a, sum.b + slot.b, sum.c + slot.c, slot.step);
}

// Stores a gradient; the bands of an image add up, from its top.
fn storeGradient(at: u32, gradient: f32) {
  if (bandTop() > 0u) {
    gradients[at] += gradient;
  } else {
    gradients[at] = gradient;
  }
}

// In the order of the buffers.
fn valuesOf(d: Blob) -> array<f32, PARAMETER_COUNT> {
  return array(d.center.x, d.center.y, d.variance.x, d.variance.y, d.correlation, d.color.r, d.color.g, d.color.b,
    d.opacity);
}
