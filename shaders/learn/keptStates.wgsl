// What automatic differentiation keeps of a blend: the pixel's state before each blob, in an array of the thread's own.
// WGSL gives a thread at most 8,192 bytes of such variables: 512 states.
#import shared/blend.wgsl

const KEPT_STATES = 512u;

var<private> keptStates: array<vec4f, KEPT_STATES>;

// Notes the state before blob i. One for which there is no room is not kept.
fn keepState(i: u32, state: PixelState) {
  if (i < KEPT_STATES) {
    keptStates[i] = state.value;
  }
}

// The state before blob i, which was applied and left `after`. One that was not kept is reconstructed.
fn stateBefore(i: u32, isKept: bool, after: PixelState, blob: vec4f) -> PixelState {
  if (isKept && i < KEPT_STATES) {
    return PixelState(keptStates[i], after.finalCount - 1u);
  }
  return PixelState(undoAlphaBlend(after.value, blob), after.finalCount - 1u);
}
