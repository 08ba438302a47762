import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "vitest";
import type { Story } from "../src/components/performance/story.js";
import type { BenchResult } from "../src/engine/bench/benchResult.js";
import { type QualityRun, readQuality } from "../src/engine/bench/qualityResult.js";
import { readScaling } from "../src/engine/bench/scaling.js";

const readme = readFileSync("README.md", "utf8");
const quality = readQuality(readFileSync("data/bench/quality.arrow"));
const headline: BenchResult = JSON.parse(readFileSync("data/bench/h200-headline.json", "utf8"));
const onCpu: BenchResult = JSON.parse(readFileSync("data/bench/cpu.json", "utf8"));
const scaling = readScaling(readFileSync("data/bench/scaling.arrow"));

const mean = (runs: QualityRun[], field: "psnr" | "msSsim" | "seconds" | "bitsPerPixel" | "filePsnr") =>
  runs.reduce((sum, run) => sum + run[field], 0) / runs.length;
const counted = (blobs: number) => blobs.toLocaleString("en-US");

/** Fails with the words that the README should have. */
const says = (words: string) => assert.ok(readme.includes(words), `README.md should say: ${words}`);

describe("the README says what the recorded files say", () => {
  it("of the picture by number of blobs: data/bench/quality.arrow", () => {
    const sizes = quality.runs.filter(({ part, row }) => part === "sizes" && row === "quality");
    const numbers = [...new Set(sizes.map(({ blobs }) => blobs))].sort((a, b) => a - b);
    const rows = numbers.map((blobs) => {
      const runs = sizes.filter((run) => run.blobs === blobs);
      const bits = mean(runs, "bitsPerPixel");
      const file = `${bits < 10 ? bits.toFixed(2) : bits.toFixed(1)} bits a pixel, ${mean(runs, "filePsnr").toFixed(2)} dB`;
      const cells = [`${mean(runs, "psnr").toFixed(2)} dB`, mean(runs, "msSsim").toFixed(4)];
      return `| ${[counted(blobs), ...cells, `${mean(runs, "seconds").toFixed(1)} s`, file].join(" | ")} |\n`;
    });
    assert.ok(rows.length > 2);
    says(`| --- | --- | --- | --- | --- |\n${rows.join("")}\n`);
  });

  it("of two seconds: data/bench/quality.arrow", () => {
    const hurried = quality.runs.filter(({ part, image }) => part === "seconds" && image === "kodim05");
    const [few, many] = hurried.toSorted((a, b) => a.blobs - b.blobs);
    const reached = ({ psnr, blobs }: QualityRun) => `to ${psnr.toFixed(1)} dB with ${counted(blobs)}`;
    says(`In two seconds of training kodim05 comes ${reached(few)} blobs and ${reached(many)};`);
  });

  it("of a step's time: data/bench/h200-headline.json and scaling.arrow", () => {
    const of = (name: string) => headline.measurements.find(({ pipeline }) => pipeline === name)!;
    const [tiled, binned] = [of("tiled"), of("binned")];
    const { drawing, whole } = binned.render!;
    says(
      `\`tiled\` ${tiled.median.toFixed(2)} ms a step, \`binned\` ${binned.median.toFixed(3)} ms; drawing that scene from lists that stand takes ${drawing.toFixed(3)} ms, from its parameters ${whole.toFixed(3)} ms.`,
    );
    const medianOf = (most: number, side: number) =>
      scaling.rows.find(({ axis, blobs, width }) => axis === "all" && blobs === most && width === side)!.median;
    says(
      `Four million blobs on 8192×8192 pixels take ${medianOf(4e6, 8192).toFixed(0)} ms a step, 40 million on 16384×16384 train in bands at ${(medianOf(40e6, 16384) / 1000).toFixed(2)} s a step`,
    );
  });

  it("of the same on a CPU: data/bench/cpu.json", () => {
    const [{ median, pairsPerSecond, adapter }] = onCpu.measurements;
    assert.equal(adapter, "CPU, 2 workers");
    const millions = (pairsPerSecond / 2e6).toFixed(0);
    says(
      `\`cpu\` ${(median / 1000).toFixed(2)} s a step, which is ${millions} million pairs of a pixel and a blob a second`,
    );
  });
});

it("the speed page's story ends where the recorded benchmark is: data/bench/story.json", () => {
  const { versions }: Story = JSON.parse(readFileSync("data/bench/story.json", "utf8"));
  const { measured } = versions.at(-1)!;
  const { median } = headline.measurements.find(({ pipeline }) => pipeline === "binned")!;
  const microseconds = Math.round(1000 * median);
  const isWithin = Math.min(...measured) <= microseconds && microseconds <= Math.max(...measured);
  assert.ok(isWithin, `${microseconds} µs are not from ${measured.join(" to ")}`);
});
