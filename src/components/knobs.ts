import { allowedNames, ConfigError, completeConfig, type TrainConfig } from "../engine/config.js";
import type { BrowserEngine } from "../host/browser.js";
import { element, showChoice } from "./element.js";
import { Field } from "./field.js";
import { NumberControl } from "./numberControl.js";
import { fieldsToKeep } from "./training/link.js";
import { startOf } from "./training/startingJob.js";

type Name = keyof TrainConfig;
type Values = Partial<Record<string, unknown>>;

interface Knob {
  field: Field;
  read(): unknown;
  write(value: never): void;
}

/** The config's controls: an element for `view`, whose value is the last config that can be trained. */
export type Knobs = HTMLElement & {
  value: TrainConfig;
  /** Takes a config over, field by field; throws a ConfigError and changes nothing if it cannot be trained. */
  load(given: Values): void;
  /** Takes these fields' controls away from the reader, and gives all others back. */
  disable(names: readonly string[]): void;
};

const words: Record<string, string> = {
  "composite seed": "seed: C(1−T) + T",
  "composite white": "white: C + T",
  "composite black": "black: C",
  "biasCorrection constant": "constant: 1 − β",
  "biasCorrection exact": "exact: 1 − βᵗ",
  "pipeline simple": "simple, no tiles",
  "pipeline tiled": "tiled, short-lists",
  "pipeline binned": "binned, the fast one",
  "pipeline cpu": "cpu, in workers",
};

/** Of a config everything that is no matter of the job's size or of who computes it. */
function learningOf(config: TrainConfig): Values {
  const { blobs: _b, steps: _s, tile: _t, gaussiansPerBlock: _g, pipeline: _p, seed: _r, ...learning } = config;
  const { covarianceScale } = fieldsToKeep(config);
  return { ...learning, covarianceScale };
}

/**
 * @param engine whose limits a config is checked against
 * @param start what the page begins with
 * @param given fields that stand instead, such as those of the page's address; what is wrong in them is told
 */
export function knobs(engine: BrowserEngine, start: Partial<TrainConfig>, given: Values): Knobs {
  /** What the controls said of learning when its preset was left, by the preset. */
  const left = new Map<unknown, Values>();
  const changed = () => {
    const values = read();
    const { preset } = values;
    if (preset === root.value.preset) return apply(values);
    left.set(root.value.preset, learningOf(root.value));
    const learning = left.get(preset) ?? learningOf(completeConfig({ ...startOf(start, preset), preset }));
    apply({ ...root.value, ...learning });
  };
  const number = (label: string, hint: string, stops: number[]): Knob => {
    const control = new NumberControl(label, stops, changed);
    return {
      field: new Field(label, hint, control.box, control.node),
      read: () => control.value,
      write: (value: number) => {
        control.value = value;
      },
    };
  };
  const choice = (
    label: string,
    hint: string,
    texts: Record<string, string>,
    parse: (text: string) => unknown,
  ): Knob => {
    const options = Object.entries(texts).map(([value, text]) => element("option", { value }, text));
    const select = element("select", { onchange: changed }, ...options);
    return {
      field: new Field(label, hint, select),
      read: () => parse(select.value),
      write: (value: unknown) => {
        const text = Array.isArray(value) ? value.join("x") : String(value);
        showChoice(select, text, text.replace("x", " × "));
      },
    };
  };
  const named = (
    label: string,
    hint: string,
    name: "preset" | "pipeline" | "blend" | "composite" | "biasCorrection",
    names = allowedNames(name),
  ) => choice(label, hint, Object.fromEntries(names.map((n) => [n, words[`${name} ${n}`] ?? n])), String);
  const powers = [32, 64, 128, 256, 512, 1024, 2048, 4096];
  const tiles = ["4x4", "8x4", "8x8", "16x8", "16x16", "32x32"];

  const all: Partial<Record<Name, Knob>> = {
    preset: named("Preset", "seed to learn from, quality for the picture.", "preset"),
    blobs: number(
      "Blobs",
      "How many learn the picture together.",
      [50, 100, 200, 400, 800, 1600, 3200, 8192, 20480, 40960, 81920],
    ),
    learningRate: number(
      "Learning rate",
      "Adam's η, in raw units a step.",
      [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2],
    ),
    steps: number("Steps", "After these the run ends.", [50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000]),
    pipeline: named("Pipeline", "Who computes; all compute the same.", "pipeline", engine.pipelines),
    tile: choice(
      "Tile",
      "In pixels; binned joins small ones.",
      Object.fromEntries(tiles.map((t) => [t, t.replace("x", " × ")])),
      String,
    ),
    gaussiansPerBlock: choice(
      "GAUSSIANS_PER_BLOCK",
      "In tiled: a longer short-list takes several passes.",
      Object.fromEntries(powers.map((n) => [n, String(n)])),
      Number,
    ),
    blend: named("Blend", "over: front to back; sum: in any order.", "blend"),
    composite: named("Composite", "Colour C and transmittance T to a pixel.", "composite"),
    biasCorrection: named("Bias correction", "Of Adam's moments, at step t.", "biasCorrection"),
    seed: number("Seed", "Of the blobs' beginning.", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
  };
  const shown = Object.entries(all) as [Name, Knob][];
  /** Fields that have no control, from a file or an address. */
  let others: Values = {};
  const otherNote = element("p", { class: "other-fields", "aria-live": "polite" });
  const root = element(
    "div",
    { class: "knobs" },
    ...shown.map(([, { field }]) => field.node),
    otherNote,
  ) as unknown as Knobs;

  const read = (): Values => ({ ...others, ...Object.fromEntries(shown.map(([name, knob]) => [name, knob.read()])) });
  const check = (values: Values): TrainConfig => {
    const config = completeConfig(values);
    // Whether the picture fits is for who chooses it.
    engine.backend(config.pipeline).check(config, { width: 1, height: 1 });
    return config;
  };
  const write = (config: TrainConfig, except: Set<string>) => {
    for (const [name, knob] of shown) if (!except.has(name)) knob.write(config[name] as never);
    others = Object.fromEntries(
      Object.entries(fieldsToKeep(config, completeConfig({ preset: config.preset }))).filter(
        ([name]) => !Object.hasOwn(all, name),
      ),
    );
    const texts = Object.entries(others).map(([name, value]) => `${name} ${value}`);
    otherNote.textContent = texts.length > 0 ? `From the file or address: ${texts.join(", ")}.` : "";
  };
  /** Takes what can be taken; a field that is wrong says so and keeps its last good value. */
  const apply = (given: Values, good: Values = fieldsToKeep(root.value)): void => {
    let values = given;
    const wrong = new Map<string, string>();
    let config: TrainConfig | undefined;
    while (!config) {
      try {
        config = check(values);
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        const name = error.field === "config" ? String(error.value) : error.field;
        const already = wrong.has(name);
        wrong.set(name, error.message);
        // Where the last good value of one field no longer goes with the rest, the rest goes back too.
        const { [name]: _, ...rest } = values;
        values = already ? good : { ...rest, ...(Object.hasOwn(good, name) && { [name]: good[name] }) };
      }
    }
    write(config, new Set(wrong.keys()));
    for (const [name, { field }] of shown) field.setError(wrong.get(name));
    const homeless = [...wrong].filter(([name]) => !Object.hasOwn(all, name)).map(([, message]) => message);
    if (homeless.length > 0) otherNote.textContent = homeless.join(" ");
    // Who observes this element is told of no other value where nothing has changed, and must not find one here.
    if (JSON.stringify(config) === JSON.stringify(root.value)) return;
    root.value = config;
    root.dispatchEvent(new Event("input", { bubbles: true }));
  };

  // What is typed is no change yet, so who observes this element must not hear of it.
  root.addEventListener("input", (event) => {
    if (event.target !== root) event.stopImmediatePropagation();
  });
  root.disable = (names) => {
    for (const [name, { field }] of shown) field.isDisabled = names.includes(name);
  };
  root.value = check(start);
  root.load = (values) => {
    const config = check(values);
    left.clear();
    apply(config as unknown as Values);
  };
  write(root.value, new Set());
  const first = startOf(start, given.preset);
  apply({ ...first, ...given }, first);
  return root;
}
