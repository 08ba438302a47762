import { toImage } from "../../../engine/image.js";
import type { BrowserEngine } from "../../../host/browser.js";
import { pageGpu } from "../../../host/pageGpu.js";
import { element, setText, svg } from "../../element.js";
import { count, counted } from "../../format.js";
import { whenSeen } from "../../seen.js";
import { codePair } from "../codePair.js";
import { wholeNumber } from "../controls.js";
import { learnFigure } from "../learnFigure.js";
import { standsFor } from "../marks.js";
import { stepper } from "../stepper.js";
import { arrivalChart } from "./arrivalChart.js";
import { drawTiles } from "./drawTiles.js";
import { type Appended, type Batch, batchesOf, strideScene, traceGather } from "./gather.js";
import { fullestTile, nameOfBlob, type TileScene } from "./tileScene.js";
import { pathOfBox, TileStage } from "./tileStage.js";

/** Options of the figure of strided work. */
export interface StrideFigureOptions {
  /** Threads of the workgroup, 1 to 32. */
  threads?: number;
  /** Blobs of the scene, 1 to 64. */
  blobs?: number;
  seed?: number;
}

const mostThreads = 32;
const mostBlobs = 64;

/** Who scans which blob, who appends, and in what order the appended ones arrive: by the twin, and on the reader's GPU. */
export function strideFigure(engine: BrowserEngine, options: StrideFigureOptions = {}): HTMLElement {
  let { threads = 8, blobs = 20, seed = 4 } = options;
  let scene: TileScene;
  let tile = 0;
  let batches: Batch[] = [];
  /** By its blobs in order: how often the GPU gathered in it. */
  let orders = new Map<string, number>();

  const wrong = element("p", { class: "wrong-input", role: "alert" });
  const threadsBox = wholeNumber("Threads", threads, [1, mostThreads], wrong, (value) => {
    threads = value;
    lay();
  });
  const blobsBox = wholeNumber("Blobs", blobs, [1, mostBlobs], wrong, (value) => {
    blobs = value;
    lay();
  });
  const again = element(
    "button",
    {
      type: "button",
      onclick: () => {
        seed++;
        lay();
      },
    },
    "Other blobs",
  );
  const stage = new TileStage("Tiles of a small picture; the arrow keys choose the one that gathers", (next) => {
    tile = next;
    gather();
  });
  const grid = element("div", {
    class: "scan-grid",
    tabindex: 0,
    role: "region",
    "aria-label": "Which thread scans which blob",
  });
  const counter = standsFor(element("output", { class: "slot-counter" }), "code:gather.count");
  const inStep = element("div", { class: "slots", "aria-label": "The list with all threads in step" });
  const onGpu = element("div", { class: "slots", "aria-label": "The list as it stood on your GPU" });
  const gpuWords = element("p", { class: "slot-words", "aria-live": "polite" });
  const runs = [1, 100].map((times) =>
    element(
      "button",
      { type: "button", disabled: true, onclick: () => runOnGpu(times) },
      times === 1 ? "Run the kernel" : "Run it 100 times",
    ),
  );
  const chart = arrivalChart(engine);
  const code = codePair(engine.shaders, {
    wgsl: { file: "tiled/coarseRasterize.wgsl", from: "fn coarseRasterize(" },
    twin: { file: "cpu/shortList.ts", from: "export function coarseRasterize(" },
    marks: {
      "code:gather.begin": { wgsl: "fn coarseRasterize(" },
      "code:gather.stride": { wgsl: "for (var i = window.start", twin: "for (let i = start" },
      "code:gather.test": { wgsl: "if (intersects(blobBounds", twin: "if (!intersects(" },
      "code:gather.count": { wgsl: "atomicAdd(&sh_blobCountAtomic", twin: "list.blobCount++" },
      "code:gather.store": { wgsl: "sh_blobs[slot] = i;", twin: "list.blobs[list.blobCount] = i" },
      "code:gather.end": { wgsl: "sh_blobCount = atomicLoad" },
    },
  });
  const steps = stepper("Turn of the strided loop", { count: 1, show: () => {}, describe: () => "" }, 1);

  const lay = () => {
    scene = strideScene(threads, blobs, seed);
    tile = fullestTile(scene);
    const work = drawTiles(scene);
    let step = work.next();
    while (!step.done) step = work.next();
    stage.show(scene, toImage(step.value));
    drawGrid();
    gather();
  };

  const drawGrid = () => {
    grid.style.setProperty("--threads", String(threads));
    const heads = Array.from({ length: threads }, (_, thread) =>
      standsFor(element("div", { class: "scan-head" }, String(thread)), `thread:${thread}`),
    );
    const cells = Array.from({ length: blobs }, (_, blob) =>
      standsFor(
        element("div", { class: "scan-cell" }, String(blob)),
        nameOfBlob(scene, blob),
        `thread:${blob % threads}`,
      ),
    );
    const rows = Array.from({ length: Math.ceil(blobs / threads) }, (_, turn) => [
      standsFor(element("div", { class: "scan-turn" }, `turn ${turn + 1}`), "code:gather.stride"),
      ...cells.slice(turn * threads, (turn + 1) * threads),
      ...Array.from({ length: Math.max((turn + 1) * threads - blobs, 0) }, () =>
        element("div", { class: "scan-cell none", title: "No blob is left for this thread" }),
      ),
    ]);
    grid.replaceChildren(element("div", { class: "scan-turn" }, "thread"), ...heads, ...rows.flat());
  };

  const gather = () => {
    stage.choose(tile);
    batches = batchesOf(scene, tile, threads);
    orders = new Map();
    onGpu.replaceChildren();
    setText(gpuWords, "");
    steps.reset({ count: batches.length + 2, show, describe });
    onGpu.replaceChildren(...slotNodes([], batches.at(-1)!.count));
    void runOnGpu(1);
  };

  const show = (index: number) => {
    const turn = Math.min(index, batches.length) - 1;
    const last = turn >= 0 ? batches[turn] : undefined;
    const appended = batches.slice(0, turn + 1).flatMap((batch) => batch.appended);
    const listed = new Set(appended);
    const isEnd = index > batches.length;
    for (const [blob, cell] of grid.querySelectorAll<HTMLElement>(".scan-cell:not(.none)").entries()) {
      const isNow = !isEnd && last !== undefined && blob >= last.start && blob < last.end;
      cell.classList.toggle("now", isNow);
      cell.classList.toggle("done", blob < (last?.end ?? 0) && !isNow);
      cell.classList.toggle("met", listed.has(blob));
      cell.title = listed.has(blob)
        ? `Blob ${blob} meets the tile`
        : blob < (last?.end ?? 0)
          ? `Blob ${blob} does not meet the tile`
          : `Blob ${blob} is still to come`;
    }
    for (const [at, row] of grid.querySelectorAll(".scan-turn").entries()) {
      row.classList.toggle("now", !isEnd && at === turn + 1 && at > 0);
    }
    setText(counter, String(last?.count ?? 0));
    const inTurn = new Set(isEnd ? [] : last?.appended);
    inStep.replaceChildren(
      ...slotNodes(
        appended.map((blob, slot) => ({ blob, slot, thread: blob % threads })),
        batches.at(-1)!.count,
        inTurn,
      ),
    );
    stage.shapes.replaceChildren(
      ...scene.boxes.map((box, blob) => {
        const isNow = !isEnd && last !== undefined && blob >= last.start && blob < last.end;
        const name = listed.has(blob) ? "in" : blob < (last?.end ?? 0) ? "passed" : "out";
        const d = pathOfBox(box);
        return standsFor(
          svg("path", { class: `outline ${name}${isNow ? " chosen" : ""}`, d }),
          nameOfBlob(scene, blob),
        );
      }),
    );
    if (index === 0) code.activate("code:gather.begin");
    else if (isEnd) code.activate("code:gather.end");
    else if (last!.appended.length === 0) code.activate("code:gather.stride", "code:gather.test");
    else code.activate("code:gather.stride", "code:gather.test", "code:gather.count", "code:gather.store");
  };

  const describe = (index: number) => {
    if (index === 0)
      return `${counted(threads, "thread")} wait at the barrier until the counter is 0 and everybody is there.`;
    if (index > batches.length) {
      const { count: total } = batches.at(-1)!;
      return `All threads wait for each other again. Thread 0 copies the counter, ${total}, to where all of them may read it: the list is whole.`;
    }
    const { start, end, appended, count: total } = batches[index - 1];
    const who =
      start + 1 === end
        ? `Thread 0 tests blob ${start}`
        : `Threads 0 to ${end - start - 1} test blobs ${start} to ${end - 1}`;
    const idle =
      end - start < threads
        ? ` and ${counted(threads - (end - start), "thread")} ${threads - (end - start) === 1 ? "has" : "have"} none`
        : "";
    const found =
      appended.length === 0
        ? "none meets the tile"
        : `${appended.join(", ")} ${appended.length === 1 ? "meets" : "meet"} the tile`;
    return `Turn ${index} of ${batches.length}: ${who}${idle}; ${found}. The counter is ${total}.`;
  };

  let running = 0;
  const runOnGpu = async (times: number) => {
    if (engine.kind === "cpu") {
      setText(gpuWords, "This page has no GPU, so there is the twin’s order alone.");
      return;
    }
    if (!isSeen) return;
    const mine = ++running;
    const [ofScene, ofTile] = [scene, tile];
    try {
      for (let run = 0; run < times; run++) {
        const gpu = await pageGpu(engine);
        if (!gpu) throw new Error("The GPU did not open.");
        const { appended } = await traceGather(gpu, ofScene, ofTile, mostBlobs);
        if (mine !== running || ofScene !== scene || ofTile !== tile || !figure.isConnected) return;
        tell(appended);
      }
    } catch (error) {
      if (mine === running) setText(gpuWords, (error as Error).message.split("\n")[0]);
    }
  };

  const tell = (appended: Appended[]) => {
    onGpu.replaceChildren(...slotNodes(appended, appended.length));
    const key = appended.map(({ blob }) => blob).join();
    orders.set(key, (orders.get(key) ?? 0) + 1);
    const total = [...orders.values()].reduce((sum, times) => sum + times, 0);
    const stepped = orders.get(batches.flatMap((batch) => batch.appended).join()) ?? 0;
    const ways = orders.size === 1 ? "all in one order" : `in ${count(orders.size)} orders`;
    const rest =
      total === 1
        ? stepped === 1
          ? "just"
          : "not"
        : stepped === 0
          ? "never"
          : stepped === total
            ? "always"
            : `${counted(stepped, "time")}`;
    setText(
      gpuWords,
      `${counted(total, "run")} of the kernel, ${total === 1 ? "" : `${ways}, `}${rest} as threads in step would append.`,
    );
  };

  /** The list's slots, those that are still empty too. */
  const slotNodes = (appended: Appended[], length: number, fresh = new Set<number>()) =>
    Array.from({ length: Math.max(length, 1) }, (_, slot) => {
      const entry = appended[slot];
      if (!entry)
        return element("div", { class: "slot-cell empty" }, element("b", {}, "·"), element("small", {}, "\u00a0"));
      const { blob, thread } = entry;
      const isBefore = slot > 0 && appended[slot - 1].blob > blob;
      const node = element(
        "div",
        {
          class: `slot-cell${fresh.has(blob) ? " now" : ""}${isBefore ? " early" : ""}`,
          title: `Slot ${slot}: blob ${blob}, by thread ${thread}`,
        },
        element("b", {}, String(blob)),
        element("small", {}, `t${thread}`),
      );
      return standsFor(node, nameOfBlob(scene, blob), `thread:${thread}`, "code:gather.store");
    });

  const figure = learnFigure(
    {
      title: "Threads that stride over the blobs",
      alt: "A table with a column for each thread and a row for each turn of the loop says which thread tests which blob. Below it the list fills up, once as threads in step would fill it, and once as the reader’s GPU did.",
      note: "Step through the turns. Change the number of threads or blobs, or click another tile. In the lists, the small number is the thread that appended, and a thick left edge marks a blob that stands behind a greater one: there, the list is out of order.",
      isWide: true,
    },
    element("div", { class: "learn-controls" }, threadsBox.node, blobsBox.node, again),
    wrong,
    steps.node,
    element(
      "div",
      { class: "stride-columns" },
      element("div", { class: "stride-stage" }, stage.node),
      element(
        "div",
        { class: "stride-lists" },
        grid,
        element("p", { class: "slot-head" }, "In step, as the twin counts. sh_blobCountAtomic is ", counter),
        inStep,
        element("p", { class: "slot-head" }, "On your GPU, before the sort"),
        engine.kind !== "cpu" && onGpu,
        element("div", { class: "slot-run" }, ...(engine.kind === "cpu" ? [] : runs), gpuWords),
      ),
    ),
    chart.node,
    code.node,
  );
  let isSeen = false;
  lay();
  whenSeen(figure, () => {
    isSeen = true;
    for (const button of runs) button.disabled = false;
    void runOnGpu(1);
    chart.start();
  });
  return figure;
}
