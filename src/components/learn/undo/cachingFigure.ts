import * as Plot from "@observablehq/plot";
import { completeConfig } from "../../../engine/config.js";
import type { BrowserEngine } from "../../../host/browser.js";
import { backstage } from "../../backstage.js";
import { element, setText } from "../../element.js";
import { bytesText, count } from "../../format.js";
import type { Lab } from "../../lab/lab.js";
import { liveChart } from "../../liveChart.js";
import { whenSeen } from "../../seen.js";
import { learnFigure } from "../learnFigure.js";
import { type CacheFacts, cacheFacts, evenFacts, stateBytes, undoBytes } from "./cacheModel.js";

/** The seeds' own large job. */
const seedsJob = { blobs: 40_960, side: 512 };
const sides = [64, 256, 512, 1024, 2048, 4096];
/** WebGPU's default for one storage buffer, in bytes. */
const bindingLimit = 2 ** 27;
const [shortest, longest] = [1, 4096];

/** What keeping every state takes, by the length of the short-lists, against what undoing takes. */
export function cachingFigure(_engine: BrowserEngine, lab: Lab): HTMLElement {
  let side = 512;
  let length = 128;
  let reckoned: CacheFacts | undefined;
  const lengthText = element("span", { class: "value" });
  const slider = element("input", {
    type: "range",
    min: 0,
    max: 12,
    step: 0.25,
    value: Math.log2(length),
    oninput: () => {
      length = Math.round(2 ** slider.valueAsNumber);
      refresh();
    },
  });
  const select = element(
    "select",
    {
      onchange: () => {
        side = Number(select.value);
        refresh();
      },
    },
    ...sides.map((each) =>
      element("option", { value: each, selected: each === side }, `${count(each)} × ${count(each)}`),
    ),
  );
  const rows = {
    run: new Row("this run, its lists now"),
    seeds: new Row("the seeds' job at its start, reckoned"),
    chosen: new Row("your choice"),
  };
  const facts = () => {
    const { run } = lab;
    return {
      run: run?.look && cacheFacts(run.look.tiles, run.target.image),
      seeds: reckoned,
      chosen: evenFacts(length, side),
    };
  };
  const chart = liveChart(lab, "Bytes kept for the way back", (frame) => {
    const all = facts();
    fillRows();
    const line = (each: number) => [
      { length: shortest, bytes: stateBytes * each * each * shortest, side: each },
      { length: longest, bytes: stateBytes * each * each * longest, side: each },
    ];
    const dots = [
      { name: "this run", facts: all.run },
      { name: "the seeds' job", facts: all.seeds },
      { name: "your choice", facts: all.chosen },
    ].flatMap(({ name, facts }) => (facts ? [{ name, ...facts }] : []));
    const isWide = frame.width > 520;
    return Plot.plot({
      ...frame,
      marginLeft: 58,
      marginRight: isWide ? 92 : 54,
      marginTop: 22,
      marginBottom: 40,
      style: { fontSize: "12px" },
      ariaLabel: "Bytes of kept states against the length of the short-lists, for pictures of several sizes",
      x: {
        type: "log",
        base: 2,
        domain: [shortest, longest],
        label: "blobs in a pixel's short-list, N →",
        ticks: isWide ? 7 : 4,
        tickFormat: count,
      },
      y: {
        type: "log",
        domain: [1e4, 2e12],
        label: "↑ bytes",
        ticks: [1e4, 1e6, 1e8, 1e10, 1e12],
        tickFormat: (bytes: number) => bytesText(bytes),
        grid: true,
      },
      marks: [
        sides.map((each) => [
          Plot.line(line(each), {
            x: "length",
            y: "bytes",
            stroke: each === side ? "var(--current)" : "var(--earlier)",
            strokeWidth: each === side ? 2.25 : 1,
            clip: true,
          }),
          Plot.text([line(each)[1]], {
            x: "length",
            y: "bytes",
            text: () => (isWide ? `${count(each)} × ${count(each)}` : `${count(each)}²`),
            textAnchor: "start",
            dx: 6,
            fill: each === side ? "var(--current)" : "currentColor",
            fontWeight: each === side ? 600 : 400,
          }),
        ]),
        Plot.ruleY([undoBytes * side * side], {
          stroke: "var(--group-correlation)",
          strokeWidth: 2.25,
          strokeDasharray: "6 4",
        }),
        Plot.text([0], {
          x: shortest,
          y: undoBytes * side * side,
          text: () => "undoing",
          textAnchor: "start",
          dx: 6,
          dy: 10,
          fill: "var(--group-correlation)",
          fontWeight: 600,
        }),
        Plot.ruleY([bindingLimit], { stroke: "currentColor", strokeOpacity: 0.5, strokeDasharray: "2 3" }),
        Plot.text([0], {
          x: shortest,
          y: bindingLimit,
          text: () => (isWide ? "128 MiB: one buffer of WebGPU, by default" : "128 MiB"),
          textAnchor: "start",
          dx: 6,
          dy: -8,
        }),
        Plot.dot(dots, {
          x: "meanLength",
          y: "cacheBytes",
          r: 5,
          fill: "var(--theme-background)",
          stroke: "currentColor",
          strokeWidth: 2,
        }),
        dots.map((dot) =>
          Plot.text([dot], {
            x: "meanLength",
            y: "cacheBytes",
            text: "name",
            // The reader's own is wherever the slider puts it, so it keeps to the other side.
            ...(dot.name === "your choice"
              ? { textAnchor: "start", dx: 10, dy: 10 }
              : { textAnchor: "end", dx: -10, dy: -8 }),
            fontWeight: 600,
            stroke: "var(--theme-background)",
            strokeWidth: 4,
            fill: "currentColor",
          }),
        ),
      ],
    });
  });
  const fillRows = () => {
    for (const [name, each] of Object.entries(facts())) rows[name as keyof typeof rows].show(each);
    setText(lengthText, count(length));
  };
  const refresh = () => {
    fillRows();
    chart.refresh();
  };
  const head = ["", "pixels", "blobs a pixel", "caching", "undoing", "times as much"];
  const figure = learnFigure(
    {
      title: "What it takes to keep every state",
      alt: "Bytes of kept states grow with the length of the short-lists and with the picture; the undo takes 20 bytes a pixel whatever the length.",
      note: `A state is red, green, blue and T: ${stateBytes} bytes as float32. Undoing keeps the last one and finalCount, ${undoBytes} bytes a pixel, however long the list is.`,
      isWide: true,
    },
    element(
      "div",
      { class: "learn-controls" },
      element("label", {}, element("span", {}, "Blobs in each list, N: ", lengthText), slider),
      element("label", {}, "Picture", select),
    ),
    chart,
    element(
      "div",
      { class: "undo-table is-short", tabindex: 0, role: "region", "aria-label": "Bytes of both ways" },
      element(
        "table",
        {},
        element("thead", {}, element("tr", {}, ...head.map((text) => element("th", { scope: "col" }, text)))),
        element("tbody", {}, rows.run.node, rows.seeds.node, rows.chosen.node),
      ),
    ),
  );
  whenSeen(figure, () => {
    const size = { width: seedsJob.side, height: seedsJob.side };
    void backstage("startingTiles", completeConfig({ blobs: seedsJob.blobs }), size).then((tiles) => {
      reckoned = cacheFacts(tiles, size);
      refresh();
    });
  });
  fillRows();
  return figure;
}

class Row {
  readonly node: HTMLElement;
  readonly #cells = Array.from({ length: 5 }, () => element("td", {}, "–"));

  constructor(name: string) {
    this.node = element("tr", {}, element("th", { scope: "row" }, name), ...this.#cells);
  }

  show(facts: CacheFacts | undefined): void {
    if (!facts) return;
    const texts = [
      count(facts.pixels),
      facts.meanLength.toFixed(1),
      bytesText(facts.cacheBytes),
      bytesText(facts.undoBytes),
      `${(facts.cacheBytes / facts.undoBytes).toFixed(1)} ×`,
    ];
    for (const [i, cell] of this.#cells.entries()) setText(cell, texts[i]);
  }
}
