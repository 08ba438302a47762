import { html } from "htl";
import { readConfigFile } from "../../engine/files/configFile.js";
import type { ImagePicker } from "../images/imagePicker.js";
import { Field } from "../inputs/field.js";

import type { Settings } from "../training/settings.js";

/** Returns a file field that loads a config.json, or the run.json of a run folder, into the page's inputs. */
export function configLoader(settings: Settings, picker: ImagePicker): HTMLElement {
  const load = async (file: File) => {
    try {
      const { config, image, isByRegions } = readConfigFile(await file.text(), file.name);
      settings.load(config);
      field.say();
      if (isByRegions) {
        field.say("Settings loaded. The lab trains the image without regions; Compare shows the run's folder.", true);
        return;
      }
      if (image?.inGallery && picker.chooseFromGallery(image.inGallery, Math.max(image.width, image.height))) return;
      if (image) field.say(`Settings loaded. ${image.name} is not in the gallery, so the image is unchanged.`, true);
    } catch (error) {
      field.say((error as Error).message, true, "A file or a run cannot be read");
    }
  };
  const onchange = () => {
    const file = input.files?.[0];
    if (file) void load(file);
    // Lets the reader pick the same file again.
    input.value = "";
  };
  const input = html<HTMLInputElement>`<input type="file" accept=".json,application/json" onchange=${onchange}>`;
  const field = new Field("Load a config", "A config.json saved here, or the run.json of a run folder.", input);
  field.node.classList.add("config-loader");
  return Object.assign(field.node, {
    ondragover: (event: DragEvent) => event.preventDefault(),
    ondrop: (event: DragEvent) => {
      event.preventDefault();
      const file = event.dataTransfer?.files[0];
      if (file) void load(file);
    },
  });
}
