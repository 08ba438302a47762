import { ConfigError, completeConfig, type TrainConfig } from "../../engine/config.js";
import type { BrowserEngine } from "../../host/browser/engine.js";

/** Fields of a config, not yet checked. */
export type FieldValues = Partial<Record<string, unknown>>;

/**
 * Completes and checks a config.
 * @throws ConfigError if an engine cannot train it, whatever the picture
 */
export function checkValues(engine: BrowserEngine, values: FieldValues): TrainConfig {
  const config = completeConfig(values);
  // Whether the picture fits is for who chooses it.
  engine.backend(config.pipeline).check(config, { width: 1, height: 1 });
  return config;
}

/**
 * Returns a config of those given fields that can be used, and why each of the others cannot.
 * @param fallback values that replace refused ones
 * @param check makes a config of the values, or throws a ConfigError
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
      // Where the last good value of one field no longer goes with the rest, the rest goes back too.
      const { [name]: _, ...rest } = values;
      values = isRepeated ? fallback : { ...rest, ...(Object.hasOwn(fallback, name) && { [name]: fallback[name] }) };
    }
  }
}
