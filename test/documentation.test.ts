// Compares README.md, CONTRIBUTING.md and the pages of src/docs/ with the files, commands and numbers that they name.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import type { Command } from "commander";
import { describe, it } from "vitest";
import { makeProgram } from "../src/cli/program.js";
import type { Anchors } from "../src/components/results/anchors.js";
import type { LibraryEntry } from "../src/docs/libraryEntry.js";
import type { BenchResult, Measurement } from "../src/engine/bench/measure.js";
import type { Quality, QualityRun, Scaling, ScalingRow } from "../src/engine/bench/results.js";
import { guides, results } from "../src/site/docs.js";
import { referenceFile } from "./libraryReference.js";
import { pageMarkdown } from "./support/pageMarkdown.js";

const texts = new Map([
  ...["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map((file) => [file, readFileSync(file, "utf8")] as const),
  ...[...guides, ...results].map(([path]) => [`src/${path}.md`, pageMarkdown(path)] as const),
]);
const readme = texts.get("README.md")!;
const [qualityPage, speedPage] = ["quality", "speed"].map((name) => texts.get(`src/docs/${name}.md`)!);
const all = [...texts.values()].join("\n");

const quality: Quality = JSON.parse(readFileSync("data/bench/quality.json", "utf8"));
const headline: BenchResult = JSON.parse(readFileSync("data/bench/h200-headline.json", "utf8"));
const onCpu: BenchResult = JSON.parse(readFileSync("data/bench/cpu.json", "utf8"));
const scaling: Scaling = JSON.parse(readFileSync("data/bench/scaling.json", "utf8"));

const mean = (runs: QualityRun[], field: "psnr" | "msSsim" | "seconds" | "bitsPerPixel" | "filePsnr") =>
  runs.reduce((sum, run) => sum + run[field], 0) / runs.length;
const counted = (blobs: number) => blobs.toLocaleString("en-US");

/** Returns the cells of all table rows that begin with the given text. */
const rowsOf = (text: string, first: string) =>
  text
    .split("\n")
    .filter((line) => line.startsWith(`| ${first}`))
    .map((line) => line.slice(2, -2).split(" | "));

/** Returns the numbers in the paragraph that begins with the given text. */
function numbersAfter(text: string, words: string): string[] {
  const at = text.indexOf(words);
  assert.ok(at >= 0, words);
  return text.slice(at, text.indexOf("\n", at)).match(/\d[\d,.]*\d|\d/g)!;
}

/** Returns the options in a command's help, without hidden old names. */
const shownOptions = (command: Command) => command.options.filter(({ hidden }) => !hidden).map(({ long }) => long!);

describe("numbers of the documentation are those of the recorded files", () => {
  const sizes = quality.runs.filter(({ part, row }) => part === "sizes" && row === "quality");
  const of = (name: string) => headline.measurements.find(({ pipeline }) => pipeline === name)!;
  const jobOf = (most: number, side: number) =>
    scaling.rows.find(({ axis, blobs, width }) => axis === "all" && blobs === most && width === side)!;

  it("of quality by number of Gaussians: data/bench/quality.json", () => {
    const numbers = [...new Set(sizes.map(({ blobs }) => blobs))].sort((a, b) => a - b);
    assert.ok(numbers.length > 2);
    for (const blobs of numbers) {
      const runs = sizes.filter((run) => run.blobs === blobs);
      const bits = mean(runs, "bitsPerPixel");
      const file = `${bits < 10 ? bits.toFixed(2) : bits.toFixed(1)} bits per pixel, ${mean(runs, "filePsnr").toFixed(2)} dB`;
      const [psnr, seconds] = [`${mean(runs, "psnr").toFixed(2)} dB`, `${mean(runs, "seconds").toFixed(1)} s`];
      const row = [counted(blobs), psnr, mean(runs, "msSsim").toFixed(4), seconds, file];
      assert.deepEqual(rowsOf(qualityPage, `${counted(blobs)} |`), [row]);
      for (const [measurement, result] of rowsOf(readme, `Quality, ${counted(blobs)} Gaussians`)) {
        assert.equal(result, psnr);
        assert.ok(measurement.endsWith(`in ${seconds}`), measurement);
      }
    }
    assert.ok(rowsOf(readme, "Quality, ").length > 0);
  });

  it("of two seconds: data/bench/quality.json and anchors.json", () => {
    const { image, points }: Anchors["measured"] = JSON.parse(readFileSync("data/bench/anchors.json", "utf8")).measured;
    const shortRuns = quality.runs.filter((run) => run.part === "seconds" && run.image === image);
    const [few, many] = shortRuns.toSorted((a, b) => a.blobs - b.blobs);
    const others = [few, many].map(({ blobs }) => points.findLast((point) => point.blobs === blobs)!);
    const reached = [few, many].flatMap(({ psnr, blobs }) => [psnr.toFixed(1), counted(blobs)]);
    const otherReached = others.map(({ psnr }) => psnr.toFixed(1));
    assert.deepEqual(numbersAfter(qualityPage, `${image} reaches`).slice(1, 7), [...reached, ...otherReached]);
    for (const { seconds } of others) assert.equal(seconds.toFixed(0), "87");
  });

  it("of a step's time and memory: data/bench/h200-headline.json, scaling.json and cpu.json", () => {
    const [tiled, binned] = [of("tiled"), of("binned")];
    const [cpu] = onCpu.measurements;
    const { drawing, whole } = binned.render!;
    const milliseconds = (value: number, digits: number) => `${value.toFixed(digits)} ms`;
    const megabytes = ({ allocated }: Measurement) =>
      `${(Object.values(allocated!).reduce((sum, bytes) => sum + bytes) / 1e6).toFixed(0)} MB`;
    const gigabytes = (row: ScalingRow) => `${(row.bytes / 1e9).toFixed(1)} GB`;
    const [large, largest] = [jobOf(4e6, 8192), jobOf(40e6, 16384)];
    const [largeTime, largestTime] = [milliseconds(large.median, 0), `${(largest.median / 1000).toFixed(2)} s`];
    const results = (first: string) => rowsOf(speedPage, first).map((row) => row.slice(3, 5));
    assert.equal(cpu.adapter, "CPU, 2 workers");
    assert.deepEqual(results("Step of "), [
      [milliseconds(tiled.median, 2), megabytes(tiled)],
      [milliseconds(binned.median, 3), megabytes(binned)],
      [largeTime, gigabytes(large)],
      [largestTime, gigabytes(largest)],
      [`${(cpu.median / 1000).toFixed(2)} s`, "–"],
    ]);
    assert.deepEqual(results("Render from tile lists"), [[milliseconds(drawing, 3), "–"]]);
    assert.deepEqual(results("Render from parameters"), [[milliseconds(whole, 3), "–"]]);
    const rounds = [tiled.min.toFixed(2), milliseconds(tiled.max, 2)].join(" to ");
    assert.ok(speedPage.includes(`the rounds of \`tiled\` take ${rounds}.`), rounds);
    assert.deepEqual(
      rowsOf(readme, "Training step").map((row) => row.at(-1)),
      [milliseconds(tiled.median, 2), milliseconds(binned.median, 3), largeTime, largestTime],
    );
  });

  it("of growth with the number of blobs: data/bench/scaling.json", () => {
    const jobs = scaling.rows.filter(({ axis, blobs }) => axis === "blobs" && blobs >= 40_960);
    const [first, last] = [jobs[0], jobs.at(-1)!];
    const growth = [last.entries / first.entries, last.median / first.median].map((factor) => factor.toPrecision(2));
    assert.deepEqual([counted(first.blobs), last.blobs], ["40,960", 4e6]);
    const numbers = numbersAfter(speedPage, "From 40,960 to 4 million blobs").slice(4, 6);
    assert.deepEqual(numbers.map(Number), growth.map(Number));
  });
});

describe("the documentation names existing", () => {
  it("scripts of npm", () => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
    const named = [...all.matchAll(/\bnpm (?:run ([\w:]+)|(test|start)\b)/g)].map(([, run, alone]) => run ?? alone);
    assert.ok(named.length > 5);
    assert.deepEqual(
      named.filter((name) => !(name in scripts)),
      [],
    );
  });

  it("files and folders", () => {
    const paths = [...all.matchAll(/(?<=[\s`(])(?:src|test|data|shaders)\/[\w./-]*\w\/?/g)].map(([path]) => path);
    // Files that readers create.
    const isOwn = (path: string) => path === "data/runs/photo" || /\bNAME\b/.test(path);
    assert.ok(paths.length > 40);
    assert.deepEqual(
      paths.filter((path) => !existsSync(path) && !isOwn(path)),
      [],
    );
  });

  it("targets of links", () => {
    const lost = [...texts].flatMap(([file, text]) =>
      [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].flatMap(([, target]) => {
        const path = posix.join(posix.dirname(file), target);
        const isThere = [path, `${path}.md`, `${path}.md.ts`, posix.join(path, "index.md")].some(existsSync);
        return isThere ? [] : `${file} → ${target}`;
      }),
    );
    assert.deepEqual(lost, []);
  });

  it("names of the library", () => {
    const entries: LibraryEntry[] = JSON.parse(readFileSync(referenceFile, "utf8"));
    const named = [...all.matchAll(/import \{([^}]*)\} from "splatbook"/g)].flatMap(([, names]) => names.split(", "));
    assert.ok(named.length >= 9);
    assert.deepEqual(
      named.filter((name) => entries.every((entry) => entry.name !== name)),
      [],
    );
  });

  it("commands and options of splatbook", () => {
    const { commands } = makeProgram();
    const lines = [...all.matchAll(/^(?:.*\b(?=npx splatbook))npx splatbook (\w+)(.*)$/gm)];
    assert.ok(lines.length > 30);
    const wrong = lines.flatMap(([line, name, rest]) => {
      const command = commands.find((command) => command.name() === name);
      if (!command) return line;
      const options = ["--help", ...shownOptions(command)];
      const given = rest.replace(/#.*|`.*/, "").match(/--[a-z][\w-]*/g) ?? [];
      return given.filter((option) => !options.includes(option)).map((option) => `${line}: ${option}`);
    });
    assert.deepEqual(wrong, []);
  });

  it("every command and option", () => {
    const page = texts.get("src/docs/command-line.md")!;
    assert.doesNotMatch(page, /npx (?!splatbook)|<tbody>\s*<\/tbody>/);
    for (const command of makeProgram().commands) {
      assert.ok(page.includes(`## splatbook ${command.name()}\n`));
      for (const long of shownOptions(command)) assert.ok(page.includes(`<code>${long}</code>`), long!);
    }
  });
});
