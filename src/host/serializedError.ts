import { ConfigError } from "../engine/config.js";
import { EndlessLoopError } from "../engine/gpu/boundLoops.js";
import { DeviceLostError } from "../engine/pipeline.js";
import { ShaderError } from "../engine/shaders.js";

/** An error on its way from a worker: its name, its message and its own fields. */
export type SerializedError = { name: string; message: string } & Record<string, unknown>;

/** Errors that who catches them tells apart. */
const constructors: Record<string, (serialized: never) => Error> = {
  ConfigError: ({ field, value, allowed }: ConfigError) => new ConfigError(field, value, allowed),
  EndlessLoopError: ({ loops, maxIterations: mostTurns }: EndlessLoopError) => new EndlessLoopError(loops, mostTurns),
  DeviceLostError: ({ message }: DeviceLostError) => new DeviceLostError(message),
  ShaderError: ({ messages }: ShaderError) => new ShaderError(messages),
};

/** What is sent of an error. */
export function serializeError(error: unknown): SerializedError {
  if (!(error instanceof Error)) return { name: "Error", message: String(error) };
  // Fields of other errors may be what cannot be sent.
  const fields = error.name in constructors ? error : {};
  return { ...fields, name: error.name, message: error.message };
}

/** The error that was told, of its own class. */
export function deserializeError(serialized: SerializedError): Error {
  return constructors[serialized.name]?.(serialized as never) ?? new Error(serialized.message);
}
