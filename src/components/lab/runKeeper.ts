import { megabytes, type RunStore, type StoredRun } from "../../host/browser/runStore.js";
import { writeRun } from "../../host/browser/runWriter.js";
import { element, setText } from "../page/element.js";
import { count, counted } from "../page/format.js";
import { tellTrouble } from "../page/help.js";
import { whileFollowed } from "../training/follow.js";
import type { Look, Run } from "../training/run.js";
import { contentsOf, entryOf } from "./runContents.js";
import type { RunSafety } from "./runSafety.js";
import { measureSplat2d, splat2dFile } from "./splat2dFile.js";

/**
 * Keeps a run in this browser's storage, with the files of a run folder, when the reader says so, and its state meanwhile.
 * @param store or why there is none, as a sentence
 * @param safety absent where there is no store
 * @returns a button that keeps the run as it is at the click, why that failed, and a line that says what is kept
 */
export function runKeeper(run: Run, store: RunStore | string, safety?: RunSafety) {
  const line = element("p", { class: "keep-line", role: "status" });
  const trouble = element("p", { class: "run-message keep-trouble", role: "status" });
  const button = element("button", { type: "button", class: "keep", disabled: true }, "Save run");
  let isBusy = false;
  let kept: { look: Look; run: StoredRun } | undefined;
  const show = () => {
    const look = run.look;
    const isKept = look !== undefined && kept?.look === look;
    button.disabled = typeof store === "string" || !look || isKept || isBusy;
    const text = isBusy ? "Saving …" : isKept ? `Saved, ${megabytes(kept!.run.bytes)}` : "Save run";
    setText(button, text);
  };
  const compare = element("a", { href: "./compare" }, "Compare runs");
  const tell = (text: string) => line.replaceChildren(text, " ", compare);
  const tellUse = async (store: RunStore, before = "") => {
    const runs = await store.kept();
    const bytes = runs.reduce((sum, run) => sum + run.bytes, 0);
    const used = `${counted(runs.length, "saved run")} (${megabytes(bytes)} of ${megabytes(store.limits.kept)})`;
    tell(`${before}This browser stores ${used}.`);
  };
  if (typeof store === "string") tellTrouble(line, store, "Runs or edits cannot be saved");
  else {
    safety?.guard(run);
    void tellUse(store);
    button.addEventListener("click", async () => {
      if (!run.look || isBusy) return;
      isBusy = true;
      show();
      try {
        const { look } = run;
        trouble.textContent = "";
        kept = { look, run: await keep(store, run, look) };
        await safety?.forget(run, look.state.step);
        await tellUse(store, `Saved as ${kept.run.name}, ${megabytes(kept.run.bytes)}. `);
      } catch (error) {
        tellTrouble(trouble, (error as Error).message, "Runs or edits cannot be saved");
      }
      isBusy = false;
      show();
    });
  }
  void whileFollowed(run, button, show);
  return { button, trouble, line };
}

async function keep(store: RunStore, run: Run, look: Look): Promise<StoredRun> {
  const splat2d = await splat2dFile(run, look);
  const file = await measureSplat2d(run, splat2d);
  const written = await writeRun({ ...contentsOf(run, look.state, look), splat2d: { bytes: splat2d, file } });
  const kept = await store.kept();
  // Asked for once there is something to lose; without it the browser may clear the store when its disk is full.
  if (kept.length === 0) await navigator.storage?.persist?.();
  const { blobs } = run.config;
  const plain = `${run.target.name}, ${counted(blobs, "blob")}, step ${count(look.state.step)}`;
  const names = new Set(kept.map(({ name }) => name));
  let name = plain;
  for (let i = 2; names.has(name); i++) name = `${plain} (${i})`;
  return store.put(entryOf(run, written, { id: crypto.randomUUID(), kind: "kept", name }), written.files);
}
