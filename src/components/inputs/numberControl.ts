import { element } from "../page/element.js";

/**
 * A box for any number beside a slider over good ones. `changed` hears of finished changes: Enter, leaving the box, or
 * a slider that came to rest.
 */
export class NumberControl {
  readonly box: HTMLInputElement;
  readonly node: HTMLElement;
  readonly #slider: HTMLInputElement;
  readonly #stops: number[];

  constructor(label: string, stops: number[], changed: () => void) {
    this.#stops = stops;
    this.box = element("input", {
      type: "text",
      inputmode: "decimal",
      autocomplete: "off",
      spellcheck: "false",
      onchange: changed,
    });
    this.#slider = element("input", {
      type: "range",
      min: 0,
      max: stops.length - 1,
      step: 1,
      "aria-label": `${label}, slider`,
    });
    let timer = 0;
    this.#slider.addEventListener("input", () => {
      this.box.value = String(stops[this.#slider.valueAsNumber]);
      this.#slider.ariaValueText = this.box.value;
      clearTimeout(timer);
      timer = window.setTimeout(changed, 120);
    });
    this.node = element("div", { class: "number-control" }, this.box, this.#slider);
  }

  /** The number in the box; the text itself where it is none. */
  get value(): number | string {
    const text = this.box.value.replaceAll(",", "").trim();
    return text === "" || Number.isNaN(Number(text)) ? this.box.value : Number(text);
  }

  set value(value: number) {
    this.box.value = String(value);
    const distance = (stop: number) => Math.abs(Math.log(stop / value));
    const nearest = this.#stops.reduce((best, stop) => (distance(stop) < distance(best) ? stop : best));
    this.#slider.valueAsNumber = this.#stops.indexOf(nearest);
    this.#slider.ariaValueText = String(value);
  }
}
