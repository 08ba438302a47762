import { html } from "htl";
import type { BrowserEngine } from "../../../host/browser/engine.js";
import { decodeImage } from "../../../host/browser/images.js";
import { storedReaderImage, storeReaderImage } from "../../../host/browser/readerImage.js";
import { imagePicker } from "../../images/imagePicker.js";
import { storeChoice, storedChoice } from "../../page/chapterQuery.js";
import { showError } from "../../page/help.js";
import { defaultImage, smallJob } from "../../training/smallRun.js";
import { storeSnapshot, trainSnapshot } from "../snapshot.js";

/** Returns the lab's picker for the image of all chapters, and trains on it. This browser stores the choice and the run. */
export async function readerImagePicker(engine: BrowserEngine): Promise<HTMLElement> {
  const query = new URLSearchParams(storedChoice().query);
  const picture = query.get("picture") ?? undefined;
  const { longest: defaultSize } = smallJob(engine.kind);
  const longest = Number(query.get("size")) || defaultSize;
  const stored = picture === undefined ? await storedReaderImage() : undefined;
  const decoded = stored && (await decodeImage(stored.file, stored.name, longest).catch(() => undefined));
  const picker = imagePicker(engine, decoded ? undefined : (picture ?? defaultImage), longest);
  if (decoded) picker.take({ ...decoded, name: stored!.name }, stored!.file);
  const note = html`<p class="image-status wrong" role="status"></p>`;
  const progress = html`<p class="image-status" role="status"></p>`;
  let shown = decoded && picker.value;
  picker.addEventListener("input", async () => {
    // The first image is not a choice.
    const isFirst = shown === undefined;
    shown = picker.value;
    if (!shown || isFirst) return;
    showError(note, "", "Runs or edits cannot be saved");
    progress.textContent = "Training for the chapters …";
    try {
      const { name, inGallery } = shown;
      const choice = storedChoice();
      const chosen = new URLSearchParams(choice.query);
      setOrDelete(chosen, "picture", inGallery === defaultImage ? undefined : inGallery);
      setOrDelete(chosen, "size", picker.longest === defaultSize ? undefined : String(picker.longest));
      storeChoice({ ...choice, query: String(chosen) });
      await storeReaderImage(inGallery ? undefined : { name, file: picker.file! });
      const chosenImage = shown;
      const snapshot = await trainSnapshot(engine, name, chosenImage.image);
      // The reader may have chosen another image meanwhile.
      if (chosenImage !== shown) return;
      storeSnapshot(snapshot);
      progress.textContent = `The chapters show ${name}.`;
    } catch (error) {
      progress.textContent = "";
      showError(note, (error as Error).message, "Runs or edits cannot be saved");
    }
  });
  return html`<div>${picker}${picker.missing}${progress}${note}</div>`;
}

function setOrDelete(query: URLSearchParams, name: string, value: string | undefined): void {
  if (value === undefined) query.delete(name);
  else query.set(name, value);
}
