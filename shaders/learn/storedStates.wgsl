// Replaces shared/undo.wgsl: stores what automatic differentiation would, the pixel's state before each blob, in a
// private array. WGSL limits a thread's private variables to 8,192 bytes: 512 states. Further blobs are undone.
#import shared/blend.wgsl

const STORED_STATES = 512u;

// Indexed by the number of blobs applied before.
var<private> storedStates: array<vec4f, STORED_STATES>;

fn storeState(before: PixelState) {
  if (before.finalCount < STORED_STATES) {
    storedStates[before.finalCount] = before.value; //@ undo.store
  }
}

fn stateBefore(after: PixelState, index: u32, blob: vec4f) -> PixelState {
  if (index > after.finalCount || index > STORED_STATES) {
    return undoPixelState(after, index, blob);
  }
  return PixelState(storedStates[index - 1u], index - 1u); //@ undo.before
}
