import { evenChoice } from "../../../engine/evenChoice.js";
import { inFrames } from "../../lab/inFrames.js";
import type { Lab } from "../../lab/lab.js";
import { decodeScene, type Scene } from "../../lab/scene.js";
import { type TileList, tileList } from "../../lab/tileList.js";
import type { Look, Run } from "../../training/run.js";
import { whileShown } from "../whileShown.js";
import { blendSteps, type PixelStack, pixelStack } from "./pixelStack.js";

/** A pixel of a moment of a run. */
export interface ChosenPixel {
  scene: Scene;
  /** Of its tile. */
  list: TileList;
  stack: PixelStack;
}

const choices = new WeakMap<Lab, PixelChoice>();

/** The pixel that the figures of a lab look at: one for all of them. */
export function pixelChoice(lab: Lab): PixelChoice {
  const known = choices.get(lab);
  if (known) return known;
  const choice = new PixelChoice(lab);
  choices.set(lab, choice);
  return choice;
}

/**
 * A pixel of a lab's run and the moment at which it is looked at. Until the reader touches it, a moment is taken whenever
 * the run has come twice as far as at the last one; from then on it stays as it is, whatever the run does, unless it is
 * to follow.
 */
export class PixelChoice {
  /** Undefined until the run has shown all of its blobs once. */
  pixel: ChosenPixel | undefined;
  #isFollowing = false;
  #isTouched = false;
  /** Whether the reader wants another moment. */
  #isAsked = false;
  #at: { x: number; y: number } | undefined;
  #scene: Scene | undefined;
  #run: Run | undefined;
  #toldNewer = false;
  #isWorking = false;
  #isStale = false;
  /** What is looked for, until it is found or the reader chooses otherwise. */
  #search: Place | undefined;
  readonly #listeners = new Set<(choice: PixelChoice) => void>();

  constructor(readonly lab: Lab) {
    lab.observe(() => {
      // For nobody, nothing is taken.
      if (this.#listeners.size === 0) return;
      if (this.hasNewer !== this.#toldNewer) this.#tell();
      if (this.#listeners.size > 0 && this.#isDue) this.#refresh();
    });
  }

  get isFollowing(): boolean {
    return this.#isFollowing;
  }

  /** Whether a pixel is being looked for. */
  get isSearching(): boolean {
    return this.#search !== undefined;
  }

  /** Whether the run has gone on since. */
  get hasNewer(): boolean {
    const { run } = this.lab;
    return run?.look !== undefined && run.look !== this.#scene?.look;
  }

  /** Follows the run, or holds the moment. */
  follow(isFollowing: boolean): void {
    this.#isTouched = true;
    if (isFollowing === this.#isFollowing) return;
    this.#isFollowing = isFollowing;
    if (isFollowing) {
      this.#search = undefined;
      this.#refresh();
    }
    this.#tell();
  }

  /** Holds the moment, because the reader is looking into it. */
  hold(): void {
    this.follow(false);
  }

  /** Takes the newest moment, whether it follows or not. */
  takeNewest(): void {
    this.#isTouched = true;
    this.#isAsked = true;
    this.#refresh();
  }

  /** Looks at another pixel; its moment is held. */
  choose(x: number, y: number): void {
    const { target } = this.#scene ?? {};
    if (!target) return;
    const clamp = (value: number, size: number) => Math.min(Math.max(Math.floor(value), 0), size - 1);
    this.#at = { x: clamp(x, target.width), y: clamp(y, target.height) };
    this.#search = undefined;
    this.#isFollowing = false;
    this.#isTouched = true;
    this.#place();
    this.#tell();
  }

  /** Looks for another pixel in the moment that is shown, and looks at it unless the reader has chosen otherwise since. */
  async goTo(place: Place): Promise<void> {
    const scene = this.#scene;
    if (!scene) return;
    this.#search = place;
    this.hold();
    this.#tell();
    const { x, y } = await inFrames(place.find(scene));
    if (this.#search === place && this.#scene === scene) this.choose(x, y);
  }

  /** Calls a listener now, where there is a pixel, and after each change, until its element has left the page. */
  observe(node: Element, listener: (choice: PixelChoice) => void): void {
    const call = whileShown(node, listener, () => this.#listeners.delete(call));
    this.#listeners.add(call);
    if (this.pixel) listener(this);
    if (this.#isDue) this.#refresh();
  }

  /** Whether it is time for another moment. */
  get #isDue(): boolean {
    const { run } = this.lab;
    // Another run has another picture, and nothing of the one before is left to look at.
    if (this.#isFollowing || this.#isAsked || this.#run !== run) return true;
    if (this.#isTouched || !run?.look) return false;
    return run.status === "done" || run.look.state.step >= 2 * (this.#scene?.look.state.step ?? 0);
  }

  #refresh(): void {
    if (this.#isWorking) {
      this.#isStale = true;
      return;
    }
    const { run } = this.lab;
    const look = run?.look;
    if (!run || !look || look === this.#scene?.look) return;
    this.#isWorking = true;
    void this.#take(run, look).then(() => {
      this.#isWorking = false;
      if (this.#isStale && this.#isDue) this.#refresh();
      this.#isStale = false;
    });
  }

  async #take(run: Run, look: Look): Promise<void> {
    const scene = await inFrames(decodeScene(run, look));
    // The reader may have begun to look into the moment before.
    if (this.#scene && !this.#isDue) return;
    this.#isAsked = false;
    const before = this.#scene?.target;
    const isOther = before?.width !== scene.target.width || before.height !== scene.target.height;
    if (!this.#at || !this.#isTouched || isOther) {
      this.#at = await inFrames(places.layered.find(scene));
    }
    this.#scene = scene;
    this.#run = run;
    this.#search = undefined;
    this.#place();
    this.#tell();
  }

  #place(): void {
    const scene = this.#scene!;
    const { x, y } = this.#at!;
    const { size, across } = scene.look.tiles;
    const tile = Math.floor(y / size[1]) * across + Math.floor(x / size[0]);
    const list =
      this.pixel?.scene === scene && this.pixel.list.tile === tile ? this.pixel.list : atOnce(tileList(scene, tile));
    this.pixel = { scene, list, stack: pixelStack(scene, list, x, y) };
  }

  #tell(): void {
    this.#toldNewer = this.hasNewer;
    for (const listener of this.#listeners) listener(this);
  }
}

function atOnce<T>(work: Generator<void, T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** A pixel that is worth a look, and how it is found: some of the work at a time. */
export interface Place {
  name: string;
  find: (scene: Scene) => Generator<void, { x: number; y: number }>;
}

export const places = {
  layered: { name: "most layers", find: mostLayered },
  darkest: { name: "least light left", find: (scene) => best(scene, (data, at) => -data[at + 3]) },
  clearest: { name: "most light left", find: (scene) => best(scene, (data, at) => data[at + 3]) },
  wrongest: { name: "largest error", find: (scene) => best(scene, (data, at) => errorAt(scene, data, at)) },
} satisfies Record<string, Place>;

/** Tiles whose middle is looked at for its layers. */
const mostTiles = 64;

/** The middle of a tile that shows the most blobs, each counted by its share: e to the entropy of the shares. */
function* mostLayered(scene: Scene): Generator<void, { x: number; y: number }> {
  const { size, across, down } = scene.look.tiles;
  const { width, height } = scene.target;
  let found = { x: 0, y: 0 };
  let highest = Number.NEGATIVE_INFINITY;
  for (const tile of evenChoice(across * down, mostTiles)) {
    const list = yield* tileList(scene, tile);
    const x = Math.min(list.x + (size[0] >> 1), width - 1);
    const y = Math.min(list.y + (size[1] >> 1), height - 1);
    const steps = blendSteps(pixelStack(scene, list, x, y).blobs, scene.config.blend);
    const entropy = steps.reduce((sum, { weight }) => (weight > 0 ? sum - weight * Math.log(weight) : sum), 0);
    if (entropy > highest) [found, highest] = [{ x, y }, entropy];
    yield;
  }
  return found;
}

function* best(
  { look }: Scene,
  score: (data: Float32Array, at: number) => number,
): Generator<void, { x: number; y: number }> {
  const { width, data } = look.picture;
  let [found, highest] = [0, Number.NEGATIVE_INFINITY];
  for (let at = 0; at < data.length; at += 4) {
    const value = score(data, at);
    if (value > highest) [found, highest] = [at / 4, value];
    if (at % 65_536 === 0) yield;
  }
  return { x: found % width, y: Math.floor(found / width) };
}

function errorAt({ target }: Scene, data: Float32Array, at: number): number {
  let sum = 0;
  for (let channel = 0; channel < 3; channel++) sum += (data[at + channel] - target.data[at + channel] / 255) ** 2;
  return sum;
}
