import { inFrames } from "../../lab/inFrames.js";
import type { Lab } from "../../lab/lab.js";
import type { LabRun } from "../../lab/labRun.js";
import { decodeScene, type Scene } from "../../lab/scene.js";
import { type TileList, tileList } from "../../lab/tileList.js";
import { type PixelStack, pixelStack } from "./pixelStack.js";

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
 * A pixel of a lab's run and the moment at which it is looked at. It follows the run until it is held; what is held
 * stays as it is, whatever the run does.
 */
export class PixelChoice {
  /** Undefined until the run has shown all of its blobs once. */
  pixel: ChosenPixel | undefined;
  #isFollowing = true;
  #at: { x: number; y: number } | undefined;
  #scene: Scene | undefined;
  #run: LabRun | undefined;
  #isWorking = false;
  #isStale = false;
  readonly #listeners = new Set<(choice: PixelChoice) => void>();

  constructor(readonly lab: Lab) {
    lab.observe(() => {
      // Another run has another picture, and nothing of the one before is left to look at.
      if (this.#isFollowing || this.#run !== lab.run) this.#refresh();
    });
    this.#refresh();
  }

  get isFollowing(): boolean {
    return this.#isFollowing;
  }

  /** Whether the run has gone on since. */
  get hasNewer(): boolean {
    const { run } = this.lab;
    return run?.view !== undefined && run.view !== this.#scene?.view;
  }

  /** Follows the run, or holds the moment. */
  follow(isFollowing: boolean): void {
    if (isFollowing === this.#isFollowing) return;
    this.#isFollowing = isFollowing;
    if (isFollowing) this.#refresh();
    this.#tell();
  }

  /** Takes the newest moment, whether it follows or not. */
  takeNewest(): void {
    this.#refresh();
  }

  /** Looks at another pixel; its moment is held. */
  choose(x: number, y: number): void {
    const { target } = this.#scene ?? {};
    if (!target) return;
    const clamp = (value: number, size: number) => Math.min(Math.max(Math.floor(value), 0), size - 1);
    this.#at = { x: clamp(x, target.width), y: clamp(y, target.height) };
    this.#isFollowing = false;
    this.#place();
    this.#tell();
  }

  /** Calls a listener now, where there is a pixel, and after each change, until its element has left the page. */
  observe(node: Element, listener: (choice: PixelChoice) => void): void {
    let wasConnected = false;
    const call = (choice: PixelChoice) => {
      wasConnected ||= node.isConnected;
      if (wasConnected && !node.isConnected) this.#listeners.delete(call);
      else listener(choice);
    };
    this.#listeners.add(call);
    if (this.pixel) listener(this);
  }

  #refresh(): void {
    if (this.#isWorking) {
      this.#isStale = true;
      return;
    }
    const { run } = this.lab;
    const view = run?.view;
    if (!run || !view || view === this.#scene?.view) return;
    this.#isWorking = true;
    void inFrames(decodeScene(run, view)).then((scene) => {
      this.#isWorking = false;
      const before = this.#scene?.target;
      this.#scene = scene;
      this.#run = run;
      if (!this.#at || before?.width !== scene.target.width || before.height !== scene.target.height) {
        this.#at = places.darkest.find(scene);
      }
      this.#place();
      this.#tell();
      if (this.#isStale && this.#isFollowing) this.#refresh();
      this.#isStale = false;
    });
  }

  #place(): void {
    const scene = this.#scene!;
    const { x, y } = this.#at!;
    const { size, across } = scene.view.tiles;
    const tile = Math.floor(y / size[1]) * across + Math.floor(x / size[0]);
    const list =
      this.pixel?.scene === scene && this.pixel.list.tile === tile ? this.pixel.list : atOnce(tileList(scene, tile));
    this.pixel = { scene, list, stack: pixelStack(scene, list, x, y) };
  }

  #tell(): void {
    for (const listener of this.#listeners) listener(this);
  }
}

function atOnce<T>(work: Generator<void, T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** Pixels that are worth a look, found in the picture of a moment. */
export const places = {
  darkest: { name: "least light left", find: (scene: Scene) => best(scene, (data, at) => -data[at + 3]) },
  clearest: { name: "most light left", find: (scene: Scene) => best(scene, (data, at) => data[at + 3]) },
  wrongest: { name: "largest error", find: (scene: Scene) => best(scene, (data, at) => errorAt(scene, data, at)) },
};

function best({ view }: Scene, score: (data: Float32Array, at: number) => number): { x: number; y: number } {
  const { width, data } = view.picture;
  let [found, highest] = [0, Number.NEGATIVE_INFINITY];
  for (let at = 0; at < data.length; at += 4) {
    const value = score(data, at);
    if (value > highest) [found, highest] = [at / 4, value];
  }
  return { x: found % width, y: Math.floor(found / width) };
}

function errorAt({ target }: Scene, data: Float32Array, at: number): number {
  let sum = 0;
  for (let channel = 0; channel < 3; channel++) sum += (data[at + channel] - target.data[at + channel] / 255) ** 2;
  return sum;
}
