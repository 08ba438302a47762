/** Bytes of the structs of the kernels that the host encodes, decodes or allocates, with WGSL's padding. */
export const structBytes = {
  // shaders/shared/config.wgsl
  Job: 64,
  Dispatch: 40,
  // shaders/shared/tileStatistics.wgsl
  TileStatistics: 12,
  // shaders/shared/summarize.wgsl
  Summary: 56,
  // shaders/binned/lists.wgsl
  PackedBlob: 48,
  Intersection: 12,
  TileList: 16,
  Entry: 12,
  Segment: 12,
  // Without the array at its end.
  Status: 32,
  // shaders/binned/slots.wgsl
  Slot: 48,
} as const;
