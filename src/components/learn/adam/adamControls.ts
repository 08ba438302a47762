import { rawNames } from "../../../engine/blobs.js";
import { element } from "../../element.js";
import { Field } from "../../field.js";
import { NumberControl } from "../../numberControl.js";
import type { AdamDesk, AdamSettings } from "./adamDesk.js";
import { syntheticInputs } from "./synthetic.js";
import { remarkable } from "./training.js";

/** Chooses what is fed into the rules: a parameter of the recorded run, or a synthetic sequence. */
export function inputControls(desk: AdamDesk): HTMLElement {
  const source = element(
    "select",
    { onchange: () => desk.set({ source: source.value }) },
    element("option", { value: "recorded" }, "recorded"),
    element(
      "optgroup",
      { label: "synthetic: no picture gave them" },
      ...syntheticInputs.map(({ name }) => element("option", { value: name }, name)),
    ),
  );
  const blob = element("input", { type: "text", inputmode: "numeric", autocomplete: "off", onchange: () => choose() });
  const names = rawNames(desk.config?.parameterization ?? "smoothstep");
  const field = element(
    "select",
    { onchange: () => desk.set({ field: Number(field.value), source: "recorded" }) },
    ...names.map((name, at) => element("option", { value: at }, name.replaceAll("_", " "))),
  );
  const finds = element("select", {
    onchange: () => {
      const found = desk.run && remarkable(desk.run)[Number(finds.value)];
      if (found) desk.set({ kept: found.kept, field: found.field, source: "recorded" });
    },
  });
  const sourceField = new Field("Gradients", "What the rules are fed with.", source);
  const blobField = new Field("Blob", "Or click one in the picture.", blob);
  const parameterField = new Field("Raw parameter", "One of the blob’s nine.", field);
  const findField = new Field("Or find", "In the recorded run.", finds);
  const choose = () => {
    const kept = desk.run?.kept ?? [];
    const at = kept.indexOf(Number(blob.value.replaceAll(",", "") || "none"));
    if (at < 0) {
      const stride = kept.length > 1 ? kept[1] : 1;
      const every = stride > 1 ? `, a multiple of ${stride}` : "";
      blobField.setError(kept.length > 0 ? `A whole number from 0 to ${kept.at(-1)}${every}.` : "Nothing is recorded.");
      return;
    }
    blobField.setError(undefined);
    desk.set({ kept: at, source: "recorded" });
  };
  const show = () => {
    const { run } = desk;
    source.value = desk.source;
    sourceField.setError(undefined);
    field.value = String(desk.field);
    for (const one of [blobField, parameterField, findField]) one.isDisabled = !run;
    if (!run) return;
    blobField.setError(undefined);
    blob.value = String(run.kept[desk.kept]);
    const found = remarkable(run);
    finds.replaceChildren(
      element("option", { value: -1 }, "a parameter that …"),
      ...found.map(({ name }, at) => element("option", { value: at }, name)),
    );
    finds.value = String(
      desk.source === "recorded" ? found.findIndex((one) => one.kept === desk.kept && one.field === desk.field) : -1,
    );
  };
  desk.observe(source, show);
  show();
  const fields = [sourceField, findField, blobField, parameterField];
  return element("div", { class: "knobs adam-knobs" }, ...fields.map(({ node }) => node));
}

/** A setting's control: its label, stops, hint, and what it may be. */
interface Knob {
  key: keyof AdamSettings;
  label: string;
  stops: number[];
  hint: string;
  isAllowed: (value: number) => boolean;
  allowed: string;
}

const steps = [1, 2, 5];
const logStops = (first: number, last: number) =>
  Array.from({ length: last - first }, (_, k) => steps.map((s) => Number(`${s}e${first + k}`))).flat();

const knobs: Knob[] = [
  {
    key: "rate",
    label: "Adam’s η",
    stops: logStops(-4, 0),
    hint: "Raw units a step.",
    isAllowed: (value) => value > 0 && value <= 10,
    allowed: "A number above 0, at most 10.",
  },
  {
    key: "plainRate",
    label: "η of the other two",
    stops: logStops(-3, 3),
    hint: "For a gradient of 1.",
    isAllowed: (value) => value > 0 && value <= 1e6,
    allowed: "A number above 0, at most 1,000,000.",
  },
  {
    key: "beta1",
    label: "β₁",
    stops: [0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99],
    hint: "Memory of m.",
    isAllowed: (value) => value >= 0 && value < 1,
    allowed: "A number from 0, below 1.",
  },
  {
    key: "beta2",
    label: "β₂",
    stops: [0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 0.9999],
    hint: "Memory of v.",
    isAllowed: (value) => value > 0 && value < 1,
    allowed: "A number above 0, below 1.",
  },
  {
    key: "epsilon",
    label: "ε",
    stops: [1e-12, 1e-10, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2],
    hint: "Added to √v̂.",
    isAllowed: (value) => value > 0 && value <= 1,
    allowed: "A number above 0, at most 1.",
  },
];

/** The settings of the rules. */
export function ruleControls(desk: AdamDesk): HTMLElement {
  const made = knobs.map(({ key, label, stops, hint, isAllowed, allowed }) => {
    const control = new NumberControl(label, stops, () => {
      const { value } = control;
      if (typeof value !== "number" || !isAllowed(value)) return field.setError(allowed);
      field.setError(undefined);
      desk.set({ settings: { ...desk.settings, [key]: value } });
    });
    const field = new Field(label, hint, control.box, control.node);
    const show = () => {
      if (field.node.classList.contains("wrong")) return;
      if (control.value !== desk.settings[key]) control.value = desk.settings[key];
    };
    desk.observe(field.node, show);
    show();
    return field.node;
  });
  return element("div", { class: "knobs adam-knobs" }, ...made);
}
