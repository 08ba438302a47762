import { element, setText } from "../../element.js";
import { learnFigure } from "../learnFigure.js";
import { standsFor } from "../marks.js";
import { numberText } from "../numberText.js";
import { stepper } from "../stepper.js";
import { bothWays, type Layer } from "./overModel.js";
import { colorOfState } from "./pixelStack.js";
import { colorText, cssColor, swatch } from "./swatch.js";

const startingLayers: Layer[] = [
  { color: [0.1, 0.42, 0.71], alpha: 0.5 },
  { color: [0.94, 0.69, 0.09], alpha: 0.6 },
  { color: [0.66, 0.23, 0.49], alpha: 0.4 },
  { color: [0, 0.47, 0.35], alpha: 0.7 },
];
const backgrounds = { white: [1, 1, 1], black: [0, 0, 0] };

/**
 * The same layers blended from the front, with the light that is left, and from the back, over what is there: one
 * colour.
 * @param options the layers with which it begins, front to back
 */
export function overFigure({ layers: given = startingLayers }: { layers?: Layer[] } = {}): HTMLElement {
  const layers = given.map((layer) => ({ ...layer }));
  let background: keyof typeof backgrounds = "white";
  const columns = {
    front: new Column("From the front", "C ← C + α T c, and T ← T (1 − α)"),
    back: new Column("From the back", "C ← α c + (1 − α) C"),
  };
  const verdict = element("p", { class: "over-verdict", "aria-live": "polite" });
  const show = (at: number) => {
    const { forward, backward, fromFront, fromBack } = bothWays(layers, backgrounds[background]);
    const state = forward[at];
    const order = layers.map((_, place) => place);
    columns.front.show(
      layers,
      order,
      at,
      colorOfState(state),
      state.transmittance,
      `T = ${state.transmittance.toFixed(4)}`,
    );
    columns.back.show(
      layers,
      order.toReversed(),
      at,
      backward[at],
      0,
      at === 0 ? `the ${background} behind` : "opaque",
    );
    const apart = Math.max(...fromFront.map((c, channel) => Math.abs(c - fromBack[channel])));
    const isEnd = at === layers.length;
    setText(
      verdict,
      isEnd
        ? `From the front C + T × ${background} = ${colorText(fromFront)}; from the back ${colorText(fromBack)}. They differ by ${numberText(apart, 3)}, the rounding of float64.`
        : "Step on to the last layer to compare.",
    );
  };
  const describe = (at: number) => {
    if (at === 0) return `Nothing blended yet: the front has all light, T = 1; the back has the ${background} behind.`;
    const behind = layers.length - at;
    return `From the front, layer ${at} is added behind the others; from the back, layer ${behind + 1} is put over what is there.`;
  };
  const steps = stepper("Layers blended", { count: layers.length + 1, show, describe });
  const sliders = layers.map((layer, place) => {
    const output = element("span", { class: "value" }, layer.alpha.toFixed(2));
    const slider = element("input", {
      type: "range",
      min: 0,
      max: 0.99,
      step: 0.01,
      value: layer.alpha,
      oninput: () => {
        layer.alpha = slider.valueAsNumber;
        setText(output, layer.alpha.toFixed(2));
        show(steps.index);
      },
    });
    const field = swatch();
    field.show(layer.color);
    return standsFor(
      element("label", {}, element("span", {}, field.node, ` Layer ${place + 1}: α `, output), slider),
      `layer:${place + 1}`,
    );
  });
  const behind = element(
    "select",
    {
      onchange: () => {
        background = behind.value as keyof typeof backgrounds;
        steps.goTo(steps.index);
      },
    },
    ...Object.keys(backgrounds).map((name) => element("option", { value: name }, name)),
  );
  return learnFigure(
    {
      title: "Front to back, and back to front",
      alt: "The same four layers blended in both orders, step by step; the colours at the end are equal.",
      note: "Layer 1 is in front. Change the layers while you step: the two columns always meet in one colour.",
    },
    element("div", { class: "learn-controls" }, ...sliders, element("label", {}, "Behind all", behind)),
    steps.node,
    element("div", { class: "over-columns" }, columns.front.node, columns.back.node),
    verdict,
  );
}

class Column {
  readonly node: HTMLElement;
  readonly #layers = element("div", { class: "over-layers", "aria-hidden": "true" });
  readonly #color = swatch("is-large");
  readonly #text = element("span", { class: "swatch-text" });
  readonly #note = element("span", { class: "swatch-text" });

  constructor(title: string, formula: string) {
    this.node = element(
      "div",
      { class: "over-column" },
      element("strong", {}, title),
      element("span", { class: "over-formula" }, formula),
      this.#layers,
      element(
        "div",
        { class: "state-color" },
        this.#color.node,
        element("div", {}, this.#text, element("br"), this.#note),
      ),
    );
  }

  /** @param order the places of the layers as they come */
  show(
    layers: readonly Layer[],
    order: readonly number[],
    done: number,
    color: number[],
    T: number,
    note: string,
  ): void {
    this.#layers.replaceChildren(
      ...layers.map(({ color, alpha }, place) => {
        const turn = order.indexOf(place);
        const style = `--color: ${cssColor(
          color.map((c) => c * alpha),
          1 - alpha,
        )}`;
        const name = turn < done ? "over-layer is-done" : "over-layer";
        const node = element(
          "span",
          { class: turn === done - 1 ? `${name} is-current` : name, style },
          String(place + 1),
        );
        return standsFor(node, `layer:${place + 1}`);
      }),
    );
    this.#color.show(color, T);
    setText(this.#text, colorText(color));
    setText(this.#note, note);
  }
}
