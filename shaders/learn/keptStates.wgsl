// In the place of shared/undo.wgsl: what automatic differentiation keeps of a blend, the pixel's state before each blob,
// in an array of the thread's own. WGSL gives a thread at most 8,192 bytes of such variables: 512 states. Those that it
// has no room for are undone.
#import shared/blend.wgsl

const KEPT_STATES = 512u;

// By the number of the blobs that were applied before.
var<private> keptStates: array<vec4f, KEPT_STATES>;

fn keepState(before: PixelState) {
  if (before.finalCount < KEPT_STATES) {
    keptStates[before.finalCount] = before.value; //@ undo.keep
  }
}

fn stateBefore(after: PixelState, index: u32, blob: vec4f) -> PixelState {
  if (index > after.finalCount || index > KEPT_STATES) {
    return undoPixelState(after, index, blob);
  }
  return PixelState(keptStates[index - 1u], index - 1u); //@ undo.before
}
