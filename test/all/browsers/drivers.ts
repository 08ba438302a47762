// Firefox and WebKitGTK as a system brings them, driven by WebDriver BiDi and W3C WebDriver.
import { type ChildProcess, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { freePort } from "../../support/freePort.js";

/** A browser with one window. */
export interface Driver {
  /** Opens an address and waits until it has loaded. */
  open(address: string): Promise<void>;
  /** Returns the value of an expression in the page, which may be a promise. */
  evaluate<T>(expression: string): Promise<T>;
  /** Performs input actions, in the form that WebDriver gives them. */
  perform(actions: object[]): Promise<void>;
  close(): Promise<void>;
}

/** A browser that may be installed. */
export interface SystemBrowser {
  name: string;
  /** Which programs are not installed. */
  missing: string[];
  start(): Promise<Driver>;
}

const folders = (process.env.PATH ?? "").split(delimiter);
const find = (...paths: string[]) => paths.find((path) => existsSync(path));
const findProgram = (...names: string[]) => find(...names.flatMap((name) => folders.map((path) => join(path, name))));

const firefox = findProgram("firefox-esr", "firefox") ?? find("/Applications/Firefox.app/Contents/MacOS/firefox");
const webKitDriver = findProgram("WebKitWebDriver");
const screen = findProgram("Xvfb");
const libraries = existsSync("/usr/lib") ? readdirSync("/usr/lib").map((name) => join("/usr/lib", name)) : [];
const miniBrowser = find(...libraries.map((path) => join(path, "webkit2gtk-4.1", "MiniBrowser")));

const missingOf = (programs: Record<string, string | undefined>) =>
  Object.keys(programs).filter((name) => programs[name] === undefined);

/** The browsers that the tests know, installed or not. */
export const browsers: SystemBrowser[] = [
  { name: "Firefox", missing: missingOf({ Firefox: firefox }), start: () => startFirefox(firefox!) },
  {
    name: "WebKit",
    missing: missingOf({ WebKitWebDriver: webKitDriver, "WebKitGTK's MiniBrowser": miniBrowser, Xvfb: screen }),
    start: () => startWebKit(webKitDriver!, miniBrowser!, screen!),
  },
];

/** Returns a sentence for each browser that is not installed. */
export function missingBrowsers(): string[] {
  const left = browsers.filter(({ missing }) => missing.length > 0);
  return left.map(({ name, missing }) => `Left out: the tests in ${name}, which need ${missing.join(" and ")}.`);
}

const preferences = {
  "app.normandy.enabled": false,
  "app.update.enabled": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "remote.active-protocols": 1,
  "ui.prefersReducedMotion": 1,
};

async function startFirefox(program: string): Promise<Driver> {
  const home = mkdtempSync(join(tmpdir(), "splatbook-firefox-"));
  const lines = Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${value});\n`);
  writeFileSync(join(home, "user.js"), lines.join(""));
  const child = spawn(program, ["--headless", "--remote-debugging-port=0", "--profile", home], {
    env: { ...process.env, HOME: home },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const socket = await new Promise<WebSocket>((done, fail) => {
    createInterface(child.stderr).on("line", (line) => {
      const [, address] = /^WebDriver BiDi listening on (\S+)/.exec(line) ?? [];
      if (address) done(new WebSocket(`${address}/session`));
    });
    child.once("error", fail).once("exit", (code) => fail(new Error(`Firefox ended with ${code}.`)));
  });
  await new Promise((done) => socket.addEventListener("open", done, { once: true }));
  const answers = new EventEmitter();
  socket.addEventListener("message", ({ data }) => {
    const { id, ...answer } = JSON.parse(data);
    answers.emit(String(id), answer);
  });
  let sent = 0;
  const send = async (method: string, params: object) => {
    sent++;
    socket.send(JSON.stringify({ id: sent, method, params }));
    const [{ result, error, message }] = await once(answers, String(sent));
    if (error) throw new Error(`${method}: ${error}: ${message}`);
    return result;
  };
  await send("session.new", { capabilities: {} });
  const { contexts } = await send("browsingContext.getTree", {});
  const { context } = contexts[0];
  await send("browsingContext.setViewport", { context, viewport: { width: 1280, height: 900 } });
  return {
    async open(url) {
      await send("browsingContext.navigate", { context, url, wait: "complete" });
    },
    async evaluate(expression) {
      const { result, exceptionDetails } = await send("script.evaluate", {
        expression: `(async () => JSON.stringify(await (${expression})))()`,
        target: { context },
        awaitPromise: true,
      });
      if (exceptionDetails) throw new Error(exceptionDetails.text);
      return result.value && JSON.parse(result.value);
    },
    async perform(actions) {
      await send("input.performActions", { context, actions });
    },
    async close() {
      socket.close();
      await end(child);
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** What WebKit's driver answers, and the scripts that it runs. */
interface Answer {
  sessionId?: string;
  value?: unknown;
  error?: string;
  message?: string;
}

async function startWebKit(driver: string, browser: string, screen: string): Promise<Driver> {
  const home = mkdtempSync(join(tmpdir(), "splatbook-webkit-"));
  const xvfb = spawn(screen, ["-displayfd", "1", "-screen", "0", "1400x1000x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [display] = await once(createInterface(xvfb.stdout), "line");
  const port = await freePort();
  const child = spawn(driver, [`--port=${port}`], {
    env: { ...process.env, HOME: home, DISPLAY: `:${display}`, GDK_BACKEND: "x11" },
    stdio: "ignore",
  });
  const send = async (method: string, path: string, body?: object): Promise<Answer> => {
    const address = `http://127.0.0.1:${port}/session${path}`;
    const answer = await fetch(address, { method, body: body && JSON.stringify(body) });
    const { value } = (await answer.json()) as { value: Answer | null };
    if (!answer.ok) throw new Error(`${path}: ${value?.error}: ${value?.message}`);
    return value ?? {};
  };
  const browserOptions = { binary: browser, args: ["--automation"] };
  const capabilities = { alwaysMatch: { "webkitgtk:browserOptions": browserOptions } };
  const { sessionId } = await onceItListens(() => send("POST", "", { capabilities }));
  await send("POST", `/${sessionId}/timeouts`, { script: deadline, pageLoad: deadline });
  await send("POST", `/${sessionId}/window/rect`, { x: 0, y: 0, width: 1280, height: 980 });
  return {
    async open(url) {
      await send("POST", `/${sessionId}/url`, { url });
    },
    async evaluate(expression) {
      const script = `const done = arguments[0];
        (async () => (${expression}))().then((value) => done({ value }), (error) => done({ error: String(error) }));`;
      const { value, error } = await send("POST", `/${sessionId}/execute/async`, { script, args: [] });
      if (error) throw new Error(error);
      return value as never;
    },
    async perform(actions) {
      await send("POST", `/${sessionId}/actions`, { actions });
    },
    async close() {
      await send("DELETE", `/${sessionId}`);
      await end(child);
      await end(xvfb);
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Milliseconds after which a wait is for something that hangs. */
export const deadline = 4 * 60_000;

async function onceItListens<T>(ask: () => Promise<T>): Promise<T> {
  const until = Date.now() + 60_000;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (Date.now() > until || (error as Error).message !== "fetch failed") throw error;
      await setTimeout(100);
    }
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, "exit");
}
