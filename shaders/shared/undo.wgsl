// The backward pass reconstructs the pixel's state before a blob by undoing the blend, so the forward pass stores none.
// Figures replace this file with learn/storedStates.wgsl, which stores all states. CPU reference: undoPixelState in
// src/engine/model/blend.ts.
#import shared/blend.wgsl

// Called in the forward pass before each blob.
fn storeState(_before: PixelState) {} //@ undo.store

// Returns the state before blob `index`, counted from 1: `after` if it was not applied.
fn stateBefore(after: PixelState, index: u32, blob: vec4f) -> PixelState {
  return undoPixelState(after, index, blob); //@ undo.before
}
