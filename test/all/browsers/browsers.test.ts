// What a reader does in browsers other than the one of the page tests, where they are installed.
import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import { tableFromIPC } from "apache-arrow";
import { afterAll, beforeAll, describe, it } from "vitest";
import { drawOffscreenScript, pagePaths, waitUntilIdle } from "../../support/pagePaths.js";
import { type StaticServer, serve } from "../../support/server.js";
import { buildSite } from "../../support/site.js";
import { browsers, type Driver, deadline } from "./drivers.js";

/** Runs in each page before its own scripts: keeps what the console would show, and the last file that was saved. */
const listen = `globalThis.complaints = [];
for (const level of ["error", "warn"]) {
  const log = console[level];
  console[level] = (...words) => {
    complaints.push(level + ": " + words.join(" "));
    log.apply(console, words);
  };
}
addEventListener("error", ({ message = "", target }) => {
  // A size that changes while sizes are observed is observed in the next frame, which no console shows.
  if (!message.startsWith("ResizeObserver loop")) complaints.push("error: " + (message || target.outerHTML));
}, true);
addEventListener("unhandledrejection", ({ reason }) => complaints.push("rejection: " + reason));
addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sample }) =>
  complaints.push(["violation:", violatedDirective, blockedURI, sample].join(" ")));
const { createObjectURL } = URL;
URL.createObjectURL = (blob) => {
  if (/arrow/.test(blob.type)) globalThis.saved = blob;
  return createObjectURL.call(URL, blob);
};`;

/** In the page: brings an element into sight and returns its centre, if it exists, does not move and is not covered. */
async function centreOf(selector: string, name?: string): Promise<{ x: number; y: number } | undefined> {
  const nameOf = (node: Element) => {
    const [label] = (node as HTMLInputElement).labels ?? [];
    return (node.ariaLabel ?? label?.textContent ?? ((node as HTMLElement).title || node.textContent))!.trim();
  };
  const found = Array.from(document.querySelectorAll(selector)).find(
    (node) => node.checkVisibility() && (name === undefined || nameOf(node) === name),
  );
  if (!found) return undefined;
  found.scrollIntoView({ block: "center", behavior: "instant" });
  const before = found.getBoundingClientRect();
  await new Promise((done) => globalThis.setTimeout(done, 300));
  const { x, y, width, height } = found.getBoundingClientRect();
  const centre = { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
  const isThere = found.contains(document.elementFromPoint(centre.x, centre.y));
  return isThere && x === before.x && y === before.y ? centre : undefined;
}

const control = "\uE009";
const enter = "\uE007";
const endKey = "\uE010";

/** What a reader does in a browser. */
class Reader {
  constructor(readonly driver: Driver) {}

  /** Waits until an expression in the page is neither false, null nor empty, and returns its value. */
  async until<T>(expression: string, what: string): Promise<T> {
    const over = Date.now() + deadline;
    for (;;) {
      const value = await this.driver.evaluate<T>(expression);
      if (value) return value;
      if (Date.now() > over) throw new Error(`There is no ${what}.`);
      await setTimeout(200);
    }
  }

  async click(selector: string, name?: string): Promise<void> {
    const centre = `(${centreOf})(${JSON.stringify(selector)}, ${JSON.stringify(name)})`;
    const { x, y } = await this.until<{ x: number; y: number }>(centre, `${name} (${selector})`);
    const actions = [
      { type: "pointerMove", x, y },
      ...["pointerDown", "pointerUp"].map((type) => ({ type, button: 0 })),
    ];
    await this.driver.perform([{ type: "pointer", id: "mouse", actions }]);
  }

  /** Presses keys one after the other, while others are held. */
  async press(keys: string, ...held: string[]): Promise<void> {
    const each = (type: string, values: string[]) => values.map((value) => ({ type, value }));
    const pressed = [...keys].flatMap((key) => [...each("keyDown", [key]), ...each("keyUp", [key])]);
    const actions = [...each("keyDown", held), ...pressed, ...each("keyUp", held)];
    await this.driver.perform([{ type: "key", id: "keyboard", actions }]);
  }

  /** Waits until the run is done, with so many steps. */
  async trains(steps: number): Promise<void> {
    const parts = `document.querySelectorAll('[role=group][aria-label="Training"] :is(span, dd)')`;
    const texts = `Array.from(${parts}, ({ textContent }) => textContent)`;
    const done = `["Done", "${steps} of ${steps}"].every((text) => ${texts}.includes(text))`;
    await this.until(done, `run of ${steps} steps that is done`);
  }

  async complaints(): Promise<string[]> {
    return this.driver.evaluate("complaints.splice(0)");
  }
}

describe.each(browsers.map((browser) => [browser.name, browser] as const))("%s", (_, { missing, start }) => {
  describe.skipIf(missing.length > 0)("opens the built site and", () => {
    let server: StaticServer;
    let reader: Reader;
    beforeAll(async () => {
      // Before the policy, since it would refuse them.
      const scripts = `<script>${listen}\n${drawOffscreenScript}</script>`;
      server = await serve(buildSite(), (html) => html.replace('<meta charset="utf-8">', (first) => scripts + first));
      reader = new Reader(await start());
    });
    afterAll(async () => {
      await reader?.driver.close();
      await server?.close();
    });

    for (const path of pagePaths) {
      it(`shows all of ${path} without an error`, async () => {
        await reader.driver.open(`${server.origin}${path}?engine=cpu&blobs=8&steps=4&size=16`);
        await reader.driver.evaluate(`(${waitUntilIdle})()`);
        const failed = `Array.from(document.querySelectorAll(".observablehq--error"), (node) => node.textContent)`;
        assert.deepEqual(await reader.driver.evaluate(failed), []);
        assert.ok(await reader.driver.evaluate('document.querySelector("h1").textContent'));
        assert.deepEqual(await reader.complaints(), []);
      });
    }

    it("learns another image with other settings, runs an edited cell and saves the blobs as Arrow", async () => {
      await reader.driver.open(`${server.origin}/?engine=cpu&blobs=8&steps=4&size=16`);
      await reader.trains(4);
      const cup = "A cup of coffee on a wooden table";
      await reader.click("button", cup);
      await reader.until(
        `document.querySelector('button[aria-pressed="true"][title="${cup}"]') !== null`,
        "cup that is chosen",
      );
      await reader.click("input[type=number]", "Blobs");
      await reader.press("a", control);
      await reader.press(`12${enter}`);
      await reader.until('location.search.includes("blobs=12")', "12 blobs in the address");
      await reader.trains(4);
      await reader.click(".grid > .card > .observablehq-pre-container > .cell-edit", "Edit");
      await reader.click('[aria-label="Cell run"] [role=textbox]');
      await reader.press(endKey, control);
      await reader.press(`${enter}display(run.until + 1000);`);
      await reader.press(enter, control);
      await reader.until('document.body.innerText.includes("1004")', "value of the edited cell");
      await reader.trains(4);
      await reader.click("button", "parameters.arrow12 rows, step 4");
      const url = await reader.until<string>(
        `globalThis.saved && new Promise((done) => {
          const file = new FileReader();
          file.onload = () => done(file.result);
          file.readAsDataURL(saved);
        })`,
        "file that was saved",
      );
      const table = tableFromIPC(Buffer.from(url.slice(url.indexOf(",") + 1), "base64"));
      assert.deepEqual([table.numRows, table.schema.metadata.get("step")], [12, "4"]);
      assert.deepEqual(await reader.complaints(), []);
    });
  });
});
