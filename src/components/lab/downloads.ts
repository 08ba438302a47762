import type { ChosenPicture } from "../../host/pictures.js";
import { saveFile } from "../../host/saveFile.js";
import { backstage } from "../backstage/backstage.js";
import { element, setText } from "../page/element.js";
import { count, counted } from "../page/format.js";
import { whileFollowed } from "../training/follow.js";
import type { Look, Run } from "../training/run.js";
import { writeConfigFile } from "./configFile.js";
import { splat2dFile } from "./splat2dFile.js";

interface Download {
  file: string;
  /** What is in it now. */
  describe(run: Run, look: Look): string;
  contents(run: Run, look: Look): Blob | Promise<Blob>;
}

const blobOf = (pieces: Uint8Array[], type = "application/octet-stream") =>
  new Blob(pieces as Uint8Array<ArrayBuffer>[], { type });
const arrow = (...pieces: Uint8Array[]) => blobOf(pieces, "application/vnd.apache.arrow.file");

const sizeOf = ({ image: { width, height } }: ChosenPicture) => ({ width, height });

const downloads: Download[] = [
  {
    file: "parameters.arrow",
    describe: ({ config }, { state }) => `${counted(config.blobs, "row")}, step ${count(state.step)}`,
    contents: async ({ config, target }, { state: { step, parameters } }) =>
      arrow(...(await backstage("parametersPieces", config, sizeOf(target), { step, parameters }))),
  },
  {
    file: "gradients.arrow",
    describe: ({ config }, { state }) => `${counted(config.blobs, "row")}, at step ${count(state.step)}`,
    // Step t leads from the parameters after t − 1 steps to those after t.
    contents: async ({ config }, { state, gradients }) =>
      arrow(await backstage("gradientsFile", config, [{ step: state.step + 1, gradients }])),
  },
  {
    file: "metrics.arrow",
    describe: ({ measured }) => counted(measured.length, "row"),
    contents: async ({ config, measured }) => arrow(await backstage("metricsFile", config, measured)),
  },
  {
    file: "render.png",
    describe: (_, { picture, state }) => `${picture.width} × ${picture.height}, step ${count(state.step)}`,
    contents: (_, { picture }) => backstage("png", picture),
  },
  {
    file: "blobs.splat2d",
    describe: ({ config }) => `${counted(config.blobs, "blob")}, rounded`,
    contents: async (run, look) => blobOf([await splat2dFile(run, look)]),
  },
  {
    file: "blobs.svg",
    describe: ({ config }) => `${counted(config.blobs, "blob")} as gradients`,
    contents: async ({ config, target }, { state }) =>
      new Blob([(await backstage("toSvg", config, sizeOf(target), state.parameters)).text], { type: "image/svg+xml" }),
  },
  {
    file: "config.json",
    describe: () => "every setting",
    contents: ({ config, target }) => new Blob([writeConfigFile(config, target)], { type: "application/json" }),
  },
];

/** Buttons that save what the tables show at the moment of the click. */
export function downloadButtons(run: Run): HTMLElement {
  const buttons = downloads.map((download) => {
    const note = element("small", {}, "–");
    const onclick = async () => {
      if (run.look) saveFile(download.file, await download.contents(run, run.look));
    };
    const button = element(
      "button",
      { type: "button", class: "download", disabled: true, onclick },
      element("span", {}, download.file),
      note,
    );
    return { button, note, download };
  });
  const node = element("div", { class: "downloads" }, ...buttons.map(({ button }) => button));
  void whileFollowed(run, node, () => {
    for (const { button, note, download } of buttons) {
      button.disabled = !run.look;
      setText(note, run.look ? download.describe(run, run.look) : "–");
    }
  });
  return node;
}
