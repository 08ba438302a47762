import assert from "node:assert/strict";
import { tableFromIPC } from "apache-arrow";
import sharp from "sharp";
import { beforeAll, describe, it } from "vitest";
import { showNumber } from "../../../src/components/page/format.js";
import { completeConfig } from "../../../src/engine/config.js";
import { parametersFile, readGradients, readMetrics, readParameters } from "../../../src/engine/files/arrow.js";
import { decodeSplat2d, encodeSplat2d } from "../../../src/engine/files/splat2d/splat2d.js";
import { parameterNames } from "../../../src/engine/model/blobs.js";
import { bringIntoView, openPage, recordAnnouncements, until } from "../../support/pages.js";
import { LabPage, riseInNode, smallImage } from "./labPage.js";

/** A job that takes half a second. */
const small = "blobs=60&steps=80&size=32";

describe("the lab without WebGPU", () => {
  let lab: LabPage;
  beforeAll(async () => {
    lab = await LabPage.open(`?${small}`, { webgpu: false });
  });

  const imageStatus = () => lab.page.getByRole("status", { name: "Status of the image" });
  const address = () => lab.page.evaluate(() => location.search);

  it("says so, and trains to the end on the CPU", async () => {
    await lab.reaches("Done");
    await lab.page.getByText(/WebGPU is not available\. The blobs train on the CPU\. Troubleshooting$/).waitFor();
    assert.equal(await lab.step(), 80);
  });

  it("learns the reader's image as well as the same job in Node", async () => {
    const { file, image } = await smallImage();
    await lab.chooseImage(file);
    await lab.page.getByText("cup.png is trained at its full 32 × 24 pixels.").waitFor();
    // The previous run is done until this one starts.
    await bringIntoView(lab.images);
    await lab.page.getByLabel("Target: cup.png").waitFor();
    await lab.reaches("Done");
    const { config, rows } = readMetrics(await lab.download("metrics.arrow"));
    assert.deepEqual([rows[0].step, rows.at(-1)?.step], [1, 80]);
    const here = await riseInNode(config, image);
    const there = rows.at(-1)!.psnr - rows[0].psnr;
    assert.ok(here > 3, `in Node the PSNR rises by ${here} dB only`);
    assert.ok(Math.abs(there - here) <= 0.3, `the PSNR rises by ${there} dB on the page, by ${here} dB in Node`);
  });

  it("downloads the tables that it shows, its render and its blobs, with the bytes that Node writes", async () => {
    const shown = await lab.table("parameters");
    const file = await lab.download("parameters.arrow");
    const { config, step, parameters } = readParameters(file);
    assert.ok(file.equals(parametersFile(config, { width: 32, height: 24 }, { step, parameters })));
    assert.deepEqual(shown[0].slice(0, 10), ["blob", ...parameterNames]);
    const decoded = tableFromIPC(file);
    for (const [row, cells] of shown.slice(1).entries()) {
      const raw = parameterNames.map((_, field) => parameters[field * 60 + row]);
      const values = parameterNames.map((name) => decoded.getChild(`${name}_decoded`)!.get(row));
      assert.deepEqual(cells.slice(0, 19), [String(row), ...[...raw, ...values].map(showNumber)]);
    }
    const { records } = readGradients(await lab.download("gradients.arrow"));
    assert.equal(records[0].step, 81, "the gradients at these parameters are those of the next step");
    const { width, height } = await sharp(await lab.download("render.png")).metadata();
    assert.deepEqual([width, height], [32, 24]);
    const bytes = await lab.download("blobs.splat2d");
    const read = decodeSplat2d(bytes);
    assert.deepEqual([...bytes], [...encodeSplat2d(read.config, read.size, parameters, read.steps)]);
  });

  it("sorts a table by a column, by mouse and by keys", async () => {
    const { records } = readGradients(await lab.download("gradients.arrow"));
    const red = [...records[0].gradients.subarray(5 * 60, 6 * 60)].sort((a, b) => b - a);
    const header = lab.tableOf("gradients").getByRole("columnheader", { name: "red" });
    await header.click();
    assert.equal(await header.getAttribute("aria-sort"), "ascending");
    await header.press("Enter");
    const cells = (await lab.table("gradients")).slice(1).map((row) => row[7]);
    assert.deepEqual(cells, red.slice(0, cells.length).map(showNumber));
  });

  it("trains again when a knob changes, and draws the earlier curve until it is cleared", async () => {
    const curves = lab.lines("PSNR against steps");
    await curves.first().waitFor({ state: "attached" });
    const before = await curves.count();
    await lab.turn("Learning rate", 0.03);
    await lab.page.getByText("learning rate 0.01").first().waitFor();
    await lab.reaches("Done");
    assert.match(await address(), /learningRate=0\.03/);
    await curves.nth(before).waitFor({ state: "attached" });
    await lab.page.getByRole("button", { name: "Clear earlier runs" }).click();
    await curves.nth(1).waitFor({ state: "detached" });
  });

  it("pauses, steps, starts over and continues, with the bits of an uninterrupted run", async () => {
    const whole = readParameters(await lab.download("parameters.arrow"));
    await lab.button("Restart").click();
    await lab.untilStep((step) => step === 0);
    await lab.reaches("Paused");
    for (const step of [1, 2]) {
      await lab.button("Step").press("Enter");
      await lab.untilStep((now) => now === step);
    }
    await lab.button("Run").click();
    await lab.reaches("Done");
    assert.deepEqual(readParameters(await lab.download("parameters.arrow")), whole);
    await lab.button("Continue").click();
    await lab.untilStep((step) => step === 160);
    await lab.reaches("Done");
  });

  it("shows the error of a setting next to its control, and continues with the last valid value", async () => {
    await lab.turn("Blobs", -3);
    assert.match(await lab.hint("Blobs").innerText(), /^blobs must be a whole number of at least 1 \(got -3\)\./);
    assert.equal(await lab.control("Blobs").getAttribute("aria-invalid"), "true");
    await lab.turn("Steps", 40);
    await lab.page.getByText("of 40 steps").waitFor();
    await lab.reaches("Done");
    assert.equal(readParameters(await lab.download("parameters.arrow")).config.blobs, 60);
    await lab.turn("Blobs", 50);
    await lab.page.waitForURL("**blobs=50**");
    assert.doesNotMatch(await lab.hint("Blobs").innerText(), /must be/);
    await lab.reaches("Done");
  });

  it("sets all settings from a preset, and shows Custom when a setting differs", async () => {
    const saved = (await lab.download("config.json")).toString();
    const preset = lab.page.getByRole("radio", { name: "Original", exact: true });
    const custom = lab.page.getByText("Custom: your own settings");
    await custom.waitFor();
    await preset.press("Space");
    const blobs = () => lab.control("Blobs").inputValue();
    await until(blobs, (value) => value === "900", "the blobs");
    await custom.waitFor({ state: "hidden" });
    await lab.loadConfig('{"blobs": -1}', "bad.json");
    await lab.hint("Load a config").getByText("blobs must be a whole number of at least 1 (got -1)").waitFor();
    await lab.loadConfig(saved);
    await until(blobs, (value) => value === "50", "the blobs of the saved config");
    await custom.waitFor();
    await lab.reaches("Done");
    assert.deepEqual(JSON.parse((await lab.download("config.json")).toString()), JSON.parse(saved));
  });

  /** Drops an image file onto the picker, or pastes it into the page. */
  const give = (file: Buffer, name: string, how: "drop" | "paste", type = "image/png") =>
    lab.page.evaluate(
      ([base64, name, how, type]) => {
        const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
        const data = new DataTransfer();
        data.items.add(new File([bytes], name, { type }));
        const options = { bubbles: true, cancelable: true };
        if (how === "paste") document.body.dispatchEvent(new ClipboardEvent(how, { ...options, clipboardData: data }));
        else document.querySelector(".drop")!.dispatchEvent(new DragEvent(how, { ...options, dataTransfer: data }));
      },
      [file.toString("base64"), name, how, type] as const,
    );
  const red = sharp({ create: { width: 30, height: 20, channels: 3, background: "red" } });

  it("takes images that are dropped or pasted, upright, over white, and within the window", async () => {
    await give(await red.withMetadata({ orientation: 6 }).jpeg().toBuffer(), "turned.jpg", "drop", "image/jpeg");
    await lab.page.getByText("turned.jpg is trained at its full 20 × 30 pixels.").waitFor();
    const tall = sharp({ create: { width: 2, height: 64, channels: 3, background: "blue" } });
    await give(await tall.png().toBuffer(), "tall.png", "paste");
    await bringIntoView(lab.images);
    await lab.page.getByLabel("Target: tall.png").waitFor();
    const { height } = (await lab.images.boundingBox())!;
    assert.ok(height < lab.page.viewportSize()!.height, `${height} px`);
    const clear = sharp({ create: { width: 9, height: 8, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } });
    await give(await clear.png().toBuffer(), "clear.png", "paste");
    await lab.page.getByText("clear.png is trained at its full 9 × 8 pixels.").waitFor();
    const thumbnail = lab.page.getByRole("group", { name: "Images" }).getByRole("button", { name: "clear.png" });
    assert.equal(await thumbnail.getAttribute("aria-pressed"), "true");
    await bringIntoView(lab.images);
    await lab.page.getByLabel("Target: clear.png").waitFor();
    assert.deepEqual(new Set(await lab.canvas("Target: clear.png")), new Set([255]));
  });

  it("refuses a huge PNG, an SVG, a damaged JPEG and an empty file, each with an error, and continues training", async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>';
    // Refused by its header, before any decoder.
    const huge = await red.png().toBuffer();
    for (const offset of [16, 20]) huge.writeUInt32BE(16384, offset);
    const jpeg = await red.jpeg().toBuffer();
    const tables = jpeg.indexOf(Buffer.of(0xff, 0xc4));
    jpeg.fill(0xa5, tables + 4, tables + 40);
    const unreadable = "is not an image that this browser can read.";
    await lab.turn("Steps", 100_000_000);
    await lab.bar.getByText("of 100,000,000").waitFor();
    for (const [file, name, type, sentence] of [
      [huge, "huge.png", "image/png", "must be at most 67,108,864 pixels, such as 8192x8192"],
      [Buffer.from(svg), "drawn.svg", "image/svg+xml", unreadable],
      [jpeg, "damaged.jpg", "image/jpeg", unreadable],
      [Buffer.from(""), "empty.png", "image/png", "is empty."],
    ] as const) {
      const before = await lab.untilStep((step) => step > 0);
      await give(file, name, "drop", type);
      await imageStatus().getByText(`${name} ${sentence}`).waitFor();
      await lab.untilStep((step) => step > before);
      await lab.page.getByLabel("Target: clear.png").waitFor();
    }
  });

  it("announces nothing during training", async () => {
    const spoken = await recordAnnouncements(lab.page);
    const start = await lab.step();
    await lab.untilStep((step) => step > start + 200);
    assert.deepEqual(await spoken(), []);
  });

  it("goes back through the run while it trains, and follows it again", async () => {
    const slider = lab.page.getByRole("slider", { name: "Displayed step" });
    const shown = () =>
      lab.images
        .getByLabel(/^Render at step/)
        .first()
        .getAttribute("aria-label");
    await slider.press("Home");
    for (let moment = 0; moment < 2; moment++) await slider.press("ArrowRight");
    const words = lab.page.getByRole("group", { name: "Displayed step" }).getByRole("status");
    const [, step] = /^step (\d+): [\d.]+ dB/.exec(await words.innerText())!;
    await until(shown, (label) => label!.startsWith(`Render at step ${step},`), "the render");
    const before = await lab.step();
    await lab.untilStep((now) => now > before + 50);
    assert.ok((await shown())!.startsWith(`Render at step ${step},`), "the choice stays while new steps arrive");
    await slider.press("End");
    await until(shown, (label) => !label!.startsWith(`Render at step ${step},`), "the latest render");
  });

  it("zooms all images together, and pins the heaviest blob of a pixel, with its parameters", async () => {
    const { page, images } = lab;
    await lab.chooseImage((await smallImage()).file);
    await lab.turn("Steps", 30);
    await lab.page.getByLabel("Target: cup.png").waitFor();
    await lab.reaches("Done");
    const zoom = () => images.getByRole("button", { name: /^\d.*×, show all/ }).innerText();
    await bringIntoView(images);
    const { x, y, width, height } = (await images.getByRole("img").nth(1).boundingBox())!;
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.keyboard.down("Control");
    await page.mouse.wheel(0, -400);
    await page.keyboard.up("Control");
    await until(zoom, (text) => text === "4×", "the zoom");
    const widths = await images
      .getByRole("img")
      .evaluateAll((all) => all.map((node) => node.getBoundingClientRect().width));
    assert.ok(
      widths.every((wide) => Math.abs(wide - 4 * width) < 4),
      `${widths}`,
    );
    const keys = page.getByRole("group", { name: /^Target, render and error: plus and minus zoom/ });
    await keys.press("0");
    assert.equal(await zoom(), "1×");
    await page.mouse.click(x + width / 2, y + height / 2);
    const heading = page.getByRole("heading", { name: /^Blob \d+, pinned$/ });
    const blob = Number(/\d+/.exec(await heading.innerText())![0]);
    const { config, parameters } = readParameters(await lab.download("parameters.arrow"));
    const red = showNumber(parameters[5 * config.blobs + blob]);
    await page.locator(".card").filter({ has: heading }).getByRole("row", { name: /^red / }).getByText(red).waitFor();
    await keys.press("Escape");
    await heading.waitFor({ state: "detached" });
  });

  it("takes a gallery image at the chosen size", async () => {
    await lab.control("Training size").selectOption("96");
    await lab.page.getByRole("button", { name: "coffee" }).click();
    await lab.page.getByText("coffee, 600 × 400 pixels, is trained at 96 × 64.").waitFor();
  });

  it("shows the errors in its address, and starts all the same", async () => {
    await lab.visit("?steps=20&size=32&blobs=0&colour=red&picture=mona.png&preset=zzz&learningRate=5");
    await lab.reaches("Done");
    const missing = "The image mona.png is not in the gallery, and a link does not carry images: astronaut is trained";
    await lab.page.getByText(missing).first().waitFor();
    assert.match(await lab.hint("Blobs").innerText(), /^blobs must be .* \(got 0\)/);
    assert.match(await lab.hint("Preset").innerText(), /^preset must be .* \(got "zzz"\)/);
    await lab.page.getByRole("status", { name: "Settings without an input" }).getByText('"colour"').waitFor();
    const { config } = JSON.parse((await lab.download("config.json")).toString());
    assert.deepEqual([config.learningRate, config.steps, completeConfig(config).preset], [5, 20, "baseline"]);
    // The message at the top moves the page.
    lab.watched.complaints.splice(0);
  });

  it("chooses a job to suit the machine, and keeps it in its address", async () => {
    const { page } = await openPage("/", { webgpu: false });
    const sentence = /To suit this machine's speed, the page chose ([\d,]+) blobs and an image of (\d+) pixels\./;
    const words = () => page.getByText("The blobs train on").innerText();
    const [, blobs, longest] = sentence.exec(await until(words, (text) => sentence.test(text), "the engine's words"))!;
    const query = new URL(page.url()).searchParams;
    assert.deepEqual([query.get("blobs"), query.get("size")], [blobs.replace(",", ""), longest]);
    await page.context().close();
  });
});
