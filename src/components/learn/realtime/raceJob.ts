import type { TrainConfig } from "../../../engine/config.js";
import type { BrowserEngine } from "../../../host/browser.js";

/** What the programs race at. */
export interface RaceJob extends Pick<TrainConfig, "blobs" | "tile" | "gaussiansPerBlock"> {
  /** Name of a gallery picture. */
  picture: string;
  /** Pixels of its longer side. */
  longest: number;
}

/** What a reader can choose from. */
export interface RaceChoices {
  blobs: number[];
  longest: number[];
  tile: [number, number][];
  gaussiansPerBlock: number[];
}

interface Offer {
  job: RaceJob;
  choices: RaceChoices;
}

const tile: [number, number][] = [
  [8, 4],
  [8, 8],
  [16, 16],
];
const picture = "astronaut";

/** The first article's job where there is a GPU, and one of seconds where a processor plays one. */
const offers: Record<"gpu" | "other", Offer> = {
  gpu: {
    job: { blobs: 200, tile: [8, 4], gaussiansPerBlock: 256, picture, longest: 512 },
    choices: {
      blobs: [50, 200, 512, 2000, 10_000, 40_960],
      longest: [64, 128, 256, 512],
      tile,
      gaussiansPerBlock: [64, 128, 256, 512],
    },
  },
  other: {
    job: { blobs: 24, tile: [8, 4], gaussiansPerBlock: 32, picture, longest: 24 },
    choices: { blobs: [8, 24, 60, 200, 600], longest: [16, 24, 32, 48], tile, gaussiansPerBlock: [16, 32, 64, 256] },
  },
};

/** The job to begin with, and what may stand in its place. */
export function offerOf(kind: BrowserEngine["kind"]): Offer {
  return offers[kind === "gpu" ? "gpu" : "other"];
}

/** Pairs of a pixel and a blob in a step beyond which a program that looks at all of them is left out at first. */
export const mostPairsAtFirst = 3e8;
