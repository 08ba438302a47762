// What is done to a machine that loses its power while splatbook writes, and what has to hold then.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { uniformGenerator } from "../../src/engine/random.js";
import { disk } from "../../src/runs/disk.js";
import { Staging, whereIs } from "../../src/runs/staging.js";
import { Power } from "./power.js";

type Kind = "fit" | "resume" | "sweep" | "gradients" | "render";
export const kinds: readonly Kind[] = ["fit", "resume", "sweep", "gradients", "render"];

/** Runs a command in this process, and gives the sentence with which it fails. */
export type Run = (args: string[]) => Promise<string | undefined>;

/** What was kept by then: a command had been told that it is on the disk. */
interface Kept {
  operations: number;
  folder: string;
  step: number;
}

/** The step that a folder's run has come to; -1 without one. */
export function stepOf(folder: string): number {
  const path = whereIs(folder, "run.json").find((path) => existsSync(path));
  return path === undefined ? -1 : JSON.parse(readFileSync(path, "utf8")).step;
}

/** Commands in a folder whose power is cut. */
export class PowerCuts {
  readonly problems: string[] = [];
  readonly counts: Record<string, number> = {};
  readonly #whole: string;
  /** The picture that is to be replaced. */
  readonly #before: string;
  /** On a disk that loses nothing, so that it need not really sync. */
  readonly #run: Run;
  #folders = 0;

  private constructor(
    readonly folder: string,
    readonly picture: string,
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
    this.#whole = join(folder, "whole");
    this.#before = join(folder, "before.png");
  }

  /** Does what comes to be cut once undisturbed. */
  static async begin(folder: string, picture: string, run: Run, steps = 60, only = kinds): Promise<PowerCuts> {
    const cuts = new PowerCuts(folder, picture, run, steps);
    for (const kind of only) {
      const root = join(cuts.#whole, kind);
      mkdirSync(root, { recursive: true });
      await cuts.#prepare(kind, root);
      const said = await cuts.#run(cuts.#command(kind, root));
      if (said !== undefined) throw new Error(said);
    }
    return cuts;
  }

  /** Cuts the power of a command some times, each at a moment of its own, and of each third one that goes on again. */
  async cut(kind: Kind, times: number, seed: number): Promise<void> {
    const random = uniformGenerator(seed);
    const root = this.#newFolder();
    mkdirSync(root);
    await this.#prepare(kind, root);
    const { power, kept } = await this.#record(root, this.#command(kind, root));
    const all = this.#newFolder();
    power.cut(power.operations, all);
    this.#check(isSameTree(all, root), `${kind}: what was remembered is not what the disk holds`);
    rmSync(all, { recursive: true });
    for (let i = 0; i < times; i++) {
      let at = Math.floor(random() * (power.operations + 1));
      let left = this.#newFolder();
      power.cut(at, left, random);
      await this.#look(`${kind}, seed ${seed}, cut ${i} after ${at}`, kind, left, atMost(kept, at, root, left));
      if (i % 3 === 2) {
        const again = await this.#record(left, this.#goOn(kind, left));
        const twice = this.#newFolder();
        at = Math.floor(random() * (again.power.operations + 1));
        again.power.cut(at, twice, random);
        rmSync(left, { recursive: true });
        const keptAgain = atMost(again.kept, at, left, twice);
        left = twice;
        this.#count(`${kind}, cut again`);
        await this.#look(`${kind}, seed ${seed}, cut ${i} again after ${at}`, kind, left, keptAgain);
      }
      await this.#finish(`${kind}, seed ${seed}, cut ${i}`, kind, left);
      rmSync(left, { recursive: true });
    }
    rmSync(root, { recursive: true });
  }

  /** What is there before the command. */
  async #prepare(kind: Kind, root: string): Promise<void> {
    if (kind === "resume" || kind === "gradients" || kind === "render") {
      cpSync(join(this.#whole, "fit"), root, { recursive: true });
    }
    if (kind !== "render") return;
    if (!existsSync(this.#before)) {
      await this.#run(["render", join(root, "run"), "--size", "12x8", "--out", this.#before]);
    }
    cpSync(this.#before, join(root, "big.png"));
  }

  #command(kind: Kind, root: string): string[] {
    const run = join(root, "run");
    const job = [this.picture, "--preset", "quality", "--pipeline", "cpu", "--blobs", "12", "--quiet"];
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

  /** The command to go on with: the same one again, or what it says to do. */
  #goOn(kind: Kind, root: string): string[] {
    const run = join(root, "run");
    const isBegun = kind === "fit" && stepOf(run) >= 0 && stepOf(run) < this.steps;
    return isBegun ? ["fit", "--resume", run, "--quiet"] : this.#command(kind, root);
  }

  async #record(root: string, command: string[]): Promise<{ power: Power; kept: Kept[] }> {
    const power = new Power(root);
    const kept: Kept[] = [];
    const { commit } = Staging.prototype;
    Staging.prototype.commit = async function () {
      await commit.call(this);
      kept.push({ operations: power.operations, folder: this.folder, step: stepOf(this.folder) });
    };
    try {
      await power.record(() => this.run(command));
    } finally {
      Staging.prototype.commit = commit;
    }
    return { power, kept };
  }

  /** That all that was kept is there and whole. */
  async #look(name: string, kind: Kind, root: string, kept: Kept[]): Promise<void> {
    this.#count(kind);
    for (const { folder, step } of kept) {
      this.#check(stepOf(folder) >= step, `${name}: step ${stepOf(folder)} is left, step ${step} was kept`);
    }
    for (const run of this.#runs(kind, root)) {
      if (stepOf(run) < 0) {
        this.#check(kind === "fit" || kind === "sweep", `${name}: no run is left`);
        continue;
      }
      this.#count("runs left");
      const said = await this.#run(["verify", run]);
      this.#check(said === undefined, `${name}: ${said}`);
    }
    if (kind !== "render") return;
    const picture = readFileSync(join(root, "big.png"));
    const isWhole = [this.#before, join(this.#whole, kind, "big.png")].some((path) =>
      readFileSync(path).equals(picture),
    );
    this.#check(isWhole, `${name}: the picture is neither the old one nor the new one`);
  }

  /** That the same command again comes to what it comes to where nothing happens. */
  async #finish(name: string, kind: Kind, root: string): Promise<void> {
    const run = join(root, "run");
    const isOver = kind === "fit" && stepOf(run) === this.steps;
    const said = isOver ? undefined : await this.#run(this.#goOn(kind, root));
    const wasOver = kind === "resume" && said?.includes(`has already taken ${2 * this.steps} steps`);
    this.#check(said === undefined || wasOver === true, `${name}: ${said}`);
    for (const folder of this.#runs(kind, root)) {
      for (const file of ["parameters.arrow", "optimizer.arrow", "gradients.arrow", "render.png"]) {
        const [here, there] = [join(folder, file), join(this.#whole, kind, folder.slice(root.length), file)];
        const isSame = existsSync(here) && readFileSync(here).equals(readFileSync(there));
        this.#check(isSame, `${name}: ${file} differs`);
      }
    }
    const hidden = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) =>
      /(^|\/)\.splatbook/.test(path),
    );
    // Of a run that is done nobody has to write into its folder again.
    if (!isOver) this.#check(hidden.length === 0, `${name}: ${hidden} is left behind`);
  }

  #runs(kind: Kind, root: string): string[] {
    return kind === "sweep" ? ["seed=1", "seed=2"].map((seed) => join(root, "run", seed)) : [join(root, "run")];
  }

  #newFolder(): string {
    return join(this.folder, `${this.#folders++}`);
  }

  #check(isSo: boolean, what: string): void {
    if (!isSo) this.problems.push(what);
  }

  #count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }
}

/** What was kept before a cut, by the folders that are left. */
function atMost(kept: Kept[], at: number, root: string, left: string): Kept[] {
  return kept
    .filter(({ operations }) => operations <= at)
    .map((each) => ({ ...each, folder: left + each.folder.slice(root.length) }));
}

/** Whether two folders hold the same files. */
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
