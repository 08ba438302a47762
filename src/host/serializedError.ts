import { ConfigError } from "../engine/config.js";
import { EndlessLoopError } from "../engine/gpu/boundLoops.js";
import { DeviceLostError } from "../engine/pipeline.js";
import { ShaderError } from "../engine/shaders.js";

/** An error as a message: its name, text and own fields. */
export type SerializedError = { name: string; message: string } & Record<string, unknown>;

/** Errors that are restored with their class. */
const constructors: Record<string, (serialized: never) => Error> = {
  ConfigError: ({ field, value, allowed, suggestion }: ConfigError) =>
    new ConfigError(field, value, allowed, suggestion),
  EndlessLoopError: ({ loops, maxIterations }: EndlessLoopError) => new EndlessLoopError(loops, maxIterations),
  DeviceLostError: ({ message }: DeviceLostError) => new DeviceLostError(message),
  ShaderError: ({ messages }: ShaderError) => new ShaderError(messages),
};

/** Returns an error as a message. */
export function serializeError(error: unknown): SerializedError {
  if (!(error instanceof Error)) return { name: "Error", message: String(error) };
  // Fields of other errors may not be cloneable.
  const fields = error.name in constructors ? error : {};
  return { ...fields, name: error.name, message: error.message };
}

/** Returns the error of a message, with its class. */
export function deserializeError(serialized: SerializedError): Error {
  return constructors[serialized.name]?.(serialized as never) ?? new Error(serialized.message);
}
