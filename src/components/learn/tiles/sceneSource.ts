import { type Image, toImage } from "../../../engine/image.js";
import { element, setText } from "../../element.js";
import { count } from "../../format.js";
import { inFrames } from "../../lab/inFrames.js";
import type { Lab } from "../../lab/lab.js";
import { paintLive } from "../../painter.js";
import type { Look, Run } from "../../training/run.js";
import { type TileScene, tileScene } from "./tileScene.js";

/** A run's blobs at one step, and the picture that they draw. */
export interface RunScene {
  scene: TileScene;
  picture: Image;
  look: Look;
  run: Run;
}

/**
 * Takes scenes out of a lab's run: each while the box is ticked, and others when the reader asks.
 * @param node the figure, which takes scenes only where it can be seen
 * @returns the controls
 */
export function sceneSource(node: HTMLElement, lab: Lab, taken: (scene: RunScene) => void): HTMLElement {
  let last: Look | undefined;
  let isTaking = false;
  const words = element("span", { class: "source-words" }, "Waiting for the run’s first step.");
  const button = element("button", { type: "button", disabled: true, onclick: () => take() }, "Take the newest step");
  const box = element("input", { type: "checkbox", checked: true, onchange: () => refresh() });
  const take = () => {
    const { run } = lab;
    if (isTaking || !run?.look || run.look === last) return;
    const { look, target, config } = run;
    isTaking = true;
    last = look;
    void inFrames(tileScene(config, target.image, look.state.parameters, config.tile)).then((scene) => {
      isTaking = false;
      const text = `Step ${count(look.state.step)} of the run, ${count(scene.blobs.length)} blobs on ${scene.size.width} × ${scene.size.height} pixels.`;
      setText(words, text);
      taken({ scene, picture: toImage(look.picture), look, run });
      refresh();
    });
  };
  const refresh = paintLive(node, lab, () => {
    const { run } = lab;
    button.disabled = !run?.look || run.look === last;
    if (!last || box.checked) take();
  });
  const follow = element("label", { class: "source-follow" }, box, "follow the run");
  return element("div", { class: "scene-source" }, button, follow, words);
}
