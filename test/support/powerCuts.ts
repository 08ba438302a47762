// Simulates power cuts while splatbook writes, and checks what must hold afterwards.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { uniformGenerator } from "../../src/engine/random.js";
import { disk } from "../../src/runs/disk.js";
import { candidatePaths, Staging } from "../../src/runs/staging.js";
import { Power } from "./power.js";

type Kind = "fit" | "resume" | "sweep" | "gradients" | "render";
export const kinds: readonly Kind[] = ["fit", "resume", "sweep", "gradients", "render"];

/** Runs a command in this process, and returns its error message. */
export type Run = (args: string[]) => Promise<string | undefined>;

/** State that a command had synced to the disk. */
interface SavedStep {
  operations: number;
  folder: string;
  step: number;
}

/** Returns the step of the run in a folder, or -1 without one. */
export function stepOf(folder: string): number {
  const path = candidatePaths(folder, "run.json").find((path) => existsSync(path));
  return path === undefined ? -1 : JSON.parse(readFileSync(path, "utf8")).step;
}

/** Runs commands in a folder with simulated power cuts. */
export class PowerCuts {
  readonly problems: string[] = [];
  readonly counts: Record<string, number> = {};
  readonly #reference: string;
  /** The image to be replaced. */
  readonly #previousImage: string;
  /** Runs without syncing, since the real disk keeps its power. */
  readonly #run: Run;
  #folders = 0;

  private constructor(
    readonly folder: string,
    readonly image: string,
    readonly run: Run,
    readonly steps: number,
  ) {
    this.#run = async (args) => {
      const { sync, syncFolder } = disk;
      Object.assign(disk, { sync: async () => {}, syncFolder: async () => {} });
      try {
        return await run(args);
      } finally {
        Object.assign(disk, { sync, syncFolder });
      }
    };
    this.#reference = join(folder, "whole");
    this.#previousImage = join(folder, "before.png");
  }

  /** Runs the command once without a power cut. */
  static async start(folder: string, image: string, run: Run, steps = 60, only = kinds): Promise<PowerCuts> {
    const cuts = new PowerCuts(folder, image, run, steps);
    for (const kind of only) {
      const root = join(cuts.#reference, kind);
      mkdirSync(root, { recursive: true });
      await cuts.#prepare(kind, root);
      const message = await cuts.#run(cuts.#command(kind, root));
      if (message !== undefined) throw new Error(message);
    }
    return cuts;
  }

  /** Cuts the power at several random moments of a command, and in a third of the cases again while it resumes. */
  async cut(kind: Kind, times: number, seed: number): Promise<void> {
    const random = uniformGenerator(seed);
    const root = this.#newFolder();
    mkdirSync(root);
    await this.#prepare(kind, root);
    const { power, saved } = await this.#record(root, this.#command(kind, root));
    const fullCopy = this.#newFolder();
    power.cut(power.operations, fullCopy);
    this.#check(isSameTree(fullCopy, root), `${kind}: the recorded state differs from the disk`);
    rmSync(fullCopy, { recursive: true });
    for (let i = 0; i < times; i++) {
      let cutAt = Math.floor(random() * (power.operations + 1));
      let cutFolder = this.#newFolder();
      power.cut(cutAt, cutFolder, random);
      await this.#inspect(
        `${kind}, seed ${seed}, cut ${i} after ${cutAt}`,
        kind,
        cutFolder,
        savedBefore(saved, cutAt, root, cutFolder),
      );
      if (i % 3 === 2) {
        const secondRun = await this.#record(cutFolder, this.#resumeCommand(kind, cutFolder));
        const secondFolder = this.#newFolder();
        cutAt = Math.floor(random() * (secondRun.power.operations + 1));
        secondRun.power.cut(cutAt, secondFolder, random);
        rmSync(cutFolder, { recursive: true });
        const savedAgain = savedBefore(secondRun.saved, cutAt, cutFolder, secondFolder);
        cutFolder = secondFolder;
        this.#count(`${kind}, cut again`);
        await this.#inspect(`${kind}, seed ${seed}, cut ${i} again after ${cutAt}`, kind, cutFolder, savedAgain);
      }
      await this.#finish(`${kind}, seed ${seed}, cut ${i}`, kind, cutFolder);
      rmSync(cutFolder, { recursive: true });
    }
    rmSync(root, { recursive: true });
  }

  /** State before the command. */
  async #prepare(kind: Kind, root: string): Promise<void> {
    if (kind === "resume" || kind === "gradients" || kind === "render") {
      cpSync(join(this.#reference, "fit"), root, { recursive: true });
    }
    if (kind !== "render") return;
    if (!existsSync(this.#previousImage)) {
      await this.#run(["render", join(root, "run"), "--size", "12x8", "--out", this.#previousImage]);
    }
    cpSync(this.#previousImage, join(root, "big.png"));
  }

  #command(kind: Kind, root: string): string[] {
    const run = join(root, "run");
    const job = [this.image, "--preset", "quality", "--pipeline", "cpu", "--blobs", "12", "--quiet"];
    switch (kind) {
      case "fit":
        return [
          "fit",
          ...job,
          "--steps",
          `${this.steps}`,
          "--record-gradients-every",
          "20",
          "--checkpoint",
          "0.001",
          "--out",
          run,
        ];
      case "resume":
        return ["fit", "--resume", run, "--steps", `${2 * this.steps}`, "--checkpoint", "0.001", "--quiet"];
      case "sweep":
        return ["sweep", ...job, "--steps", "12", "--vary", "seed=1,2", "--out", run];
      case "gradients":
        return ["gradients", run];
      case "render":
        return ["render", run, "--force", "--out", join(root, "big.png")];
    }
  }

  /** Returns the command to continue with: the same one, or the one that its error suggests. */
  #resumeCommand(kind: Kind, root: string): string[] {
    const run = join(root, "run");
    const isStarted = kind === "fit" && stepOf(run) >= 0 && stepOf(run) < this.steps;
    return isStarted ? ["fit", "--resume", run, "--quiet"] : this.#command(kind, root);
  }

  async #record(root: string, command: string[]): Promise<{ power: Power; saved: SavedStep[] }> {
    const power = new Power(root);
    const saved: SavedStep[] = [];
    const { commit } = Staging.prototype;
    Staging.prototype.commit = async function () {
      await commit.call(this);
      saved.push({ operations: power.operations, folder: this.folder, step: stepOf(this.folder) });
    };
    try {
      await power.record(() => this.run(command));
    } finally {
      Staging.prototype.commit = commit;
    }
    return { power, saved };
  }

  /** Asserts that everything that was synced is complete. */
  async #inspect(name: string, kind: Kind, root: string, saved: SavedStep[]): Promise<void> {
    this.#count(kind);
    for (const { folder, step } of saved) {
      this.#check(stepOf(folder) >= step, `${name}: step ${stepOf(folder)} is left, step ${step} was kept`);
    }
    for (const run of this.#runs(kind, root)) {
      if (stepOf(run) < 0) {
        this.#check(kind === "fit" || kind === "sweep", `${name}: no run is left`);
        continue;
      }
      this.#count("runs left");
      const message = await this.#run(["verify", run]);
      this.#check(message === undefined, `${name}: ${message}`);
    }
    if (kind !== "render") return;
    const image = readFileSync(join(root, "big.png"));
    const isIntact = [this.#previousImage, join(this.#reference, kind, "big.png")].some((path) =>
      readFileSync(path).equals(image),
    );
    this.#check(isIntact, `${name}: the image is neither the old nor the new one`);
  }

  /** Asserts that repeating the command gives the same result as without a power cut. */
  async #finish(name: string, kind: Kind, root: string): Promise<void> {
    const run = join(root, "run");
    const isComplete = kind === "fit" && stepOf(run) === this.steps;
    const message = isComplete ? undefined : await this.#run(this.#resumeCommand(kind, root));
    const wasComplete = kind === "resume" && message?.includes(`has already taken ${2 * this.steps} steps`);
    this.#check(message === undefined || wasComplete === true, `${name}: ${message}`);
    for (const folder of this.#runs(kind, root)) {
      for (const file of ["parameters.arrow", "optimizer.arrow", "gradients.arrow", "render.png"]) {
        const [actualPath, expectedPath] = [
          join(folder, file),
          join(this.#reference, kind, folder.slice(root.length), file),
        ];
        const isSame = existsSync(actualPath) && readFileSync(actualPath).equals(readFileSync(expectedPath));
        this.#check(isSame, `${name}: ${file} differs`);
      }
    }
    const hidden = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) =>
      /(^|\/)\.splatbook/.test(path),
    );
    // A finished run is not written again, so a lock may remain.
    if (!isComplete) this.#check(hidden.length === 0, `${name}: ${hidden} is left behind`);
  }

  #runs(kind: Kind, root: string): string[] {
    return kind === "sweep" ? ["seed-1", "seed-2"].map((seed) => join(root, "run", seed)) : [join(root, "run")];
  }

  #newFolder(): string {
    return join(this.folder, `${this.#folders++}`);
  }

  #check(condition: boolean, label: string): void {
    if (!condition) this.problems.push(label);
  }

  #count(label: string): void {
    this.counts[label] = (this.counts[label] ?? 0) + 1;
  }
}

/** Returns the state that was synced before a cut, from the remaining folders. */
function savedBefore(saved: SavedStep[], cutAt: number, root: string, cutFolder: string): SavedStep[] {
  return saved
    .filter(({ operations }) => operations <= cutAt)
    .map((item) => ({ ...item, folder: cutFolder + item.folder.slice(root.length) }));
}

/** Returns whether two folders contain the same files. */
function isSameTree(one: string, other: string): boolean {
  const list = (folder: string) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .map((entry) => {
        const path = join(entry.parentPath, entry.name);
        return `${path.slice(folder.length)} ${entry.isDirectory() ? "" : readFileSync(path).toString("base64")}`;
      })
      .sort()
      .join();
  return list(one) === list(other);
}
