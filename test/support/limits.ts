import type { AdapterLimits } from "../../src/engine/config.js";

/** WebGPU's default limits. */
export const limits: AdapterLimits = {
  maxStorageBufferBindingSize: 2 ** 27,
  maxBufferSize: 2 ** 28,
  maxComputeWorkgroupStorageSize: 16384,
  maxComputeInvocationsPerWorkgroup: 256,
  maxComputeWorkgroupSizeX: 256,
  maxComputeWorkgroupSizeY: 256,
};

/** Returns the limits of an adapter with buffers of at most so many bytes. */
export const limitsOf = (bytes: number): AdapterLimits => ({
  ...limits,
  maxBufferSize: bytes,
  maxStorageBufferBindingSize: bytes,
});
