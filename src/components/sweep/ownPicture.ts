import { encodePng } from "../../host/encodeBitmap.js";
import type { ChosenPicture } from "../../host/pictures.js";
import type { PicturePicker } from "../picturePicker.js";
import { pictureKey } from "./sweeper.js";
import type { SweepStore } from "./sweepStore.js";

/**
 * Keeps the reader's own picture, so that a reload finds it again.
 * @param key of the picture to begin with, where the address tells one
 */
export function ownPicture(store: SweepStore, picker: PicturePicker, key: string | undefined) {
  const kept = new Set<string>();
  if (key) {
    void store.picture(key).then((file) => {
      if (file) picker.chooseFile(file);
    });
  }
  return {
    /** What tells the picture, once it is kept; undefined if it is from the gallery. */
    async keyOf({ inGallery, image, name }: ChosenPicture): Promise<string | undefined> {
      if (inGallery) return undefined;
      const key = pictureKey(image);
      if (!kept.has(key)) await store.keepPicture(key, name, await encodePng(image));
      kept.add(key);
      return key;
    },
  };
}
