import { html } from "htl";
import { completeConfig, type TrainConfig } from "../../engine/config.js";
import { setText, uniqueId } from "../page/element.js";
import type { Settings } from "../training/settings.js";
import { presetStart } from "../training/startingJob.js";
import { blobsFor } from "./labStart.js";

type Fields = Partial<TrainConfig>;

/** A choice of all settings, from the page's initial job and the number of blobs that suits the image. */
interface LabPreset {
  name: string;
  about: string;
  fieldsOf(start: Fields, blobs: number): Fields;
}

const quality = (start: Fields, others: Fields): Fields => ({ ...presetStart(start, "quality"), ...others });

export const labPresets: LabPreset[] = [
  {
    name: "Original",
    about: "the original Slang algorithm",
    fieldsOf: (start, blobs) => ({ ...start, blobs }),
  },
  {
    name: "Best quality",
    about: "density control, tuned rates",
    fieldsOf: (start, blobs) => quality(start, { blobs }),
  },
  {
    name: "Few blobs",
    about: "400 blobs, each one visible",
    fieldsOf: (start) => quality(start, { blobs: 400 }),
  },
  {
    name: "Real time",
    about: "half as many blobs, 500 steps",
    fieldsOf: (start, blobs) => quality(start, { blobs: blobs / 2, steps: 500, tile: [16, 16] }),
  },
];

/** Returns the preset that gives a configuration, or undefined if none does. */
export function presetOf(config: TrainConfig, start: Fields, longest: number): LabPreset | undefined {
  const isSame = (fields: Fields) => JSON.stringify(completeConfig(fields)) === JSON.stringify(config);
  return labPresets.find(({ fieldsOf }) => isSame(fieldsOf(start, blobsFor(longest))));
}

/**
 * Returns one choice of the presets, which sets all settings of the page. It shows "Custom" for other settings.
 * @param start the initial configuration of the page
 * @param image has the pixels of the image's longer side, at most
 */
export function presetChoice(settings: Settings, start: Fields, image: { longest: number }) {
  const group = uniqueId("presets");
  const inputs = labPresets.map(({ name, fieldsOf }, index) => {
    const choose = () => settings.load(fieldsOf(start, blobsFor(image.longest)));
    return html<HTMLInputElement>`<input
      type="radio" name=${group} aria-label=${name} aria-describedby="${group}-${index}" onchange=${choose}
    >`;
  });
  const items = labPresets.map(
    ({ name, about }, index) => html`<label>
      ${inputs[index]}<strong>${name}</strong><span class="quiet" id="${group}-${index}">${about}</span>
    </label>`,
  );
  const chosen = html`<output class="visually-hidden"></output>`;
  const node = html`<fieldset class="presets"><legend>Presets</legend>${items}${chosen}</fieldset>`;
  return Object.assign(node, {
    /** Marks the preset of a configuration. */
    show(config: TrainConfig) {
      const preset = presetOf(config, start, image.longest);
      for (const [index, input] of inputs.entries()) input.checked = labPresets[index] === preset;
      setText(chosen, preset ? "" : "Custom: your own settings");
    },
  });
}
