import { parameterCount, parameterNames, rawNames } from "../../../engine/blobs.js";
import type { PipelineName } from "../../../engine/config.js";
import type { BrowserEngine } from "../../../host/browser.js";
import { backstage } from "../../backstage.js";
import { element, setText } from "../../element.js";
import { count } from "../../format.js";
import type { Lab } from "../../lab/lab.js";
import { whenSeen } from "../../seen.js";
import { learnFigure } from "../learnFigure.js";
import { standsFor } from "../marks.js";
import { apartText, numberText, powerOfTen } from "../numberText.js";
import { checkTolerances, compareSlot } from "./checkModel.js";
import { sharedSample } from "./sharedSample.js";
import type { RunMoment } from "./stepSample.js";

/** Who computes the backward pass. */
type Checked = "oracle" | PipelineName;

const [leastPower, mostPower, firstPower] = [-11, -1, -6];

/** One blob's nine gradients of the whole picture's loss, against central differences of that loss. */
export function checkFigure(engine: BrowserEngine, lab: Lab): HTMLElement {
  const names: Record<Checked, string> = {
    oracle: "the twin in float64",
    cpu: "cpu, kept in float32",
    simple: "simple, on the GPU",
    tiled: "tiled, on the GPU",
    binned: "binned, on the GPU",
  };
  const offered: Checked[] = ["oracle", ...engine.pipelines];
  const who = element(
    "select",
    { onchange: () => void check() },
    ...offered.map((value) => element("option", { value }, names[value])),
  );
  const blobBox = element("input", {
    type: "text",
    inputmode: "numeric",
    class: "check-blob",
    autocomplete: "off",
    onchange: () => void check(),
  });
  const hWords = element("output", {}, `h = ${powerOfTen(firstPower)}`);
  const h = element("input", {
    type: "range",
    min: leastPower,
    max: mostPower,
    step: 1,
    value: firstPower,
    "aria-label": "Step of the difference, as a power of ten",
    oninput: () => setText(hWords, `h = ${powerOfTen(h.valueAsNumber)}`),
    onchange: () => void check(),
  });
  const again = element("button", { type: "button", onclick: () => void check(true) }, "Check the run as it is now");
  const wrong = element("p", { class: "wrong-input", role: "status" });
  const status = element("p", { class: "adjoint-verdict", "aria-live": "polite" });
  const body = element("tbody");
  const heads = ["Raw parameter", "Value", "Backward pass", "Difference of the loss", "Apart"];
  const table = element(
    "table",
    { class: "check-table" },
    element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { scope: "col" }, head)))),
    body,
  );
  let moment: RunMoment | undefined;
  let turn = 0;

  async function check(isFresh = false): Promise<void> {
    const run = lab.run;
    if (!run?.look) return setText(status, "The run’s first steps are on their way.");
    if (isFresh || !moment) moment = { config: run.config, image: run.target.image, state: run.look.state };
    const { config, image, state } = moment;
    const { parameters } = state;
    const blobs = parameters.length / parameterCount;
    const blob = Number(blobBox.value.replaceAll(",", "").trim() || Number.NaN);
    const isRight = Number.isInteger(blob) && blob >= 0 && blob < blobs;
    blobBox.toggleAttribute("aria-invalid", !isRight);
    setText(wrong, isRight ? "" : `“${blobBox.value}” is no blob: it must be a whole number from 0 to ${blobs - 1}.`);
    if (!isRight) return;
    const own = ++turn;
    const isCurrent = () => own === turn && node.isConnected;
    const name = who.value as Checked;
    const precision = name === "oracle" ? "float64" : "float32";
    const distance = 10 ** h.valueAsNumber;
    const rows = rawNames(config.parameterization).map((raw, field) => {
      const [value, gradient, difference, apart] = heads
        .slice(1)
        .map((head) => element("td", { class: "number", "data-head": head.toLowerCase() }, "…"));
      setText(value, numberText(parameters[field * blobs + blob], 6));
      const node = element("tr", {}, element("th", { scope: "row" }, raw), value, gradient, difference, apart);
      return { node: standsFor(node, `parameter:${parameterNames[field]}`), gradient, difference, apart };
    });
    body.replaceChildren(...rows.map(({ node }) => node));
    status.classList.remove("not-agreeing");
    setText(status, `One backward pass by ${names[name]} …`);
    try {
      const gradients =
        name === "oracle"
          ? await backstage("oracleGradients", config, image, parameters)
          : await gradientsBy(name, moment);
      let agreeing = 0;
      for (const [field, row] of rows.entries()) {
        if (!isCurrent()) return;
        const slot = field * blobs + blob;
        setText(row.gradient, numberText(gradients[slot], 6));
        setText(status, `Two forward passes for each parameter: ${field + 1} of ${rows.length} …`);
        const difference = await backstage("lossDifference", config, image, parameters, slot, distance);
        if (!isCurrent()) return;
        const { apart, agrees } = compareSlot(gradients, slot, difference, precision);
        setText(row.difference, numberText(difference, 6));
        setText(row.apart, `${apartText(apart)} ${agrees ? "✓" : "✗"}`);
        row.apart.classList.toggle("not-agreeing", !agrees);
        if (agrees) agreeing++;
      }
      const where = `of blob ${count(blob)} at step ${count(state.step)}, within ${numberText(checkTolerances[precision], 1)}`;
      const all = agreeing === rows.length;
      setText(
        status,
        all
          ? `✓ All nine gradients ${where}, agree.`
          : `✗ ${rows.length - agreeing} of nine gradients ${where}, do not agree.`,
      );
      status.classList.toggle("not-agreeing", !all);
    } catch (error) {
      if (isCurrent()) setText(status, `The check did not end: ${(error as Error).message}`);
    }
  }

  async function gradientsBy(name: PipelineName, { config, image, state }: RunMoment): Promise<Float32Array> {
    const pipeline = await engine.backend(name).open({ ...config, pipeline: name }, image, state);
    try {
      return await pipeline.computeGradients();
    } finally {
      await pipeline.free();
    }
  }

  const node = learnFigure(
    {
      title: "The whole step, held against the loss",
      alt: "A table of the nine raw parameters of one blob: the gradient of the whole picture's loss by a backward pass, the central difference of that loss, and whether they agree.",
      note: "Choose who computes the backward pass, a blob, and the step of the difference. A large h misses the curve of the loss, and moves the blob across support edges; a tiny one drowns in rounding.",
      isWide: true,
    },
    element(
      "div",
      { class: "learn-controls" },
      element("label", {}, "Backward pass by", who),
      element("label", {}, "Blob", blobBox),
      element("label", { class: "step-size" }, hWords, h),
      again,
    ),
    wrong,
    element("div", { class: "check-frame" }, table),
    status,
  );
  whenSeen(node, () => {
    sharedSample(lab).follow(node, (sample) => {
      moment = sample;
      blobBox.value = String(sample.blobs[sample.place]);
      void check();
    });
  });
  return node;
}
