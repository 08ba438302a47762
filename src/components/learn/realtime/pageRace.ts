import type { BrowserEngine } from "../../../host/browser.js";
import { decodePicture } from "../../../host/pictures.js";
import { backstage } from "../../backstage.js";
import { gallery } from "../../pictures.js";
import { Race, type RaceHost } from "./race.js";
import type { RaceJob } from "./raceJob.js";

const host: RaceHost = {
  async pictureOf({ picture, longest }) {
    const { name, file } = gallery.find(({ name }) => name === picture) ?? gallery[0];
    return (await decodePicture(await file.blob(), name, longest)).image;
  },
  async view(picture, target) {
    const [image, psnr] = await Promise.all([backstage("toImage", picture), backstage("psnr", picture, target)]);
    return { image, psnr };
  },
};

/**
 * A race of the programs on a page. Free it when its cell ends.
 * @param job in place of what it begins with
 */
export function pageRace(engine: BrowserEngine, job?: RaceJob): Race {
  return job ? new Race(engine, host, job) : new Race(engine, host);
}
