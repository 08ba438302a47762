import { ConfigError, completeConfig, type TrainConfig } from "../../engine/config.js";
import type { BrowserEngine } from "../../host/browser/engine.js";

/** Fields of a configuration, not checked. */
export type FieldValues = Partial<Record<string, unknown>>;

/**
 * Completes and checks a configuration.
 * @throws ConfigError if the engine cannot train it with any image
 */
export function checkValues(engine: BrowserEngine, values: FieldValues): TrainConfig {
  const config = completeConfig(values);
  // The image picker checks the size of the image.
  engine.backend(config.pipeline).check(config, { width: 1, height: 1 });
  return config;
}

/**
 * Returns a configuration of the valid fields, and an error message for each of the others.
 * @param fallback values for the fields that are not valid
 * @param check returns the configuration of some values, or throws a ConfigError
 */
export function acceptFields(
  requested: FieldValues,
  fallback: FieldValues,
  check: (values: FieldValues) => TrainConfig,
) {
  const errors = new Map<string, string>();
  let values = requested;
  for (;;) {
    try {
      return { config: check(values), errors };
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      const name = error.field === "config" ? String(error.value) : error.field;
      const isRepeated = errors.has(name);
      errors.set(name, error.message);
      // If a field's fallback is not valid together with the other values, all fields fall back.
      const { [name]: _, ...rest } = values;
      values = isRepeated ? fallback : { ...rest, ...(Object.hasOwn(fallback, name) && { [name]: fallback[name] }) };
    }
  }
}
