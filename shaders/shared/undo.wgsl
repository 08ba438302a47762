// How the way back comes to the state of a pixel before a blob: it is undone, and none is kept on the way forward. The
// figures put learn/keptStates.wgsl in the place of this file, which keeps them.
#import shared/blend.wgsl

// Told of each state before the next blob.
fn keepState(_before: PixelState) {} //@ undo.keep

// Before blob `index`, counted from 1: the same state if it was not applied.
fn stateBefore(after: PixelState, index: u32, blob: vec4f) -> PixelState {
  return undoPixelState(after, index, blob); //@ undo.before
}
