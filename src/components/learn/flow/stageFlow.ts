import { headOf } from "../../../engine/gpu/declarations.js";
import type { BrowserEngine } from "../../../host/browser.js";
import { twins } from "../../kernels/twinTable.js";
import { learnFigure } from "../learnFigure.js";
import { chosenCode } from "./chosenCode.js";
import { laneDiagram } from "./laneDiagram.js";
import { orderProof } from "./orderProof.js";
import { isToken, type Stage, stagesOf, variablesOf } from "./stageModel.js";

/** What lies in the memory of a workgroup, in a few words. */
const memoryWords: Record<string, string> = {
  sh_blobs: "blob indices",
  sh_blobCountAtomic: "counts appends",
  sh_blobCount: "the final count",
  sh_reduction: "a float a thread",
  parameters: "global memory",
  gradients: "global memory",
};

/** The stages of a tile's short-list, the tokens that they hand on, and what they read and write. */
export function stageFlow(engine: BrowserEngine): HTMLElement {
  const stages = stagesOf(engine.shaders);
  const variables = variablesOf(stages);
  const chosen = chosenCode(engine.shaders);
  const diagram = laneDiagram({
    label: "The stages of a short-list, with the tokens between them and the memory that they share",
    corner: "memory",
    stages: stages.map(({ name, file }) => ({ name, things: [thingOf(file, name), `code:${name}`] })),
    lanes: variables.map(({ name }) => ({ name, note: memoryWords[name] ?? "", things: [`buffer:${name}`] })),
    use: (stage, lane) =>
      stages.find(({ name }) => name === stage)?.uses.find(({ variable }) => variable.name === lane)?.use,
    isCycle: false,
    handed: stages.slice(1).map(({ takes }) => takes ?? ""),
    choose: (name) => show(name),
  });
  const show = (name: string) => {
    diagram.show(name);
    const stage = stages.find((one) => one.name === name)!;
    chosen.show({
      title: name,
      words: [headOf(engine.shaders.get(stage.file)!).replace(/\s*Twin:.*$/, ""), wordsOf(stage)],
      file: stage.file,
      from: `fn ${name}(`,
      twin: twins[stage.file]?.[0],
    });
  };
  show("bitonicSort");
  return learnFigure(
    {
      title: "The stages of a short-list, and the tokens between them",
      alt:
        `${stages.map(({ name }) => name).join(", then ")}. Each takes the token that the one before it returns. ` +
        "Below them the memory that they share, and who reads and writes it.",
      note: "Choose a stage to read it. Then choose an order of the stages, and let the compiler judge it.",
      isWide: true,
    },
    diagram.node,
    chosen.node,
    orderProof(engine),
  );
}

/** The name under which a stage is linked with other figures. */
export function thingOf(file: string, name: string): string {
  return `stage:${file.split("/")[0]}/${name}`;
}

function wordsOf({ name, takes, returns, uses }: Stage): string {
  const given = takes ? `It takes a ${takes}` : "It takes no token";
  const gives = isToken(returns) ? `returns ${/^I/.test(returns) ? "an" : "a"} ${returns}` : "returns no token";
  const those = (kind: string) =>
    uses
      .filter(({ use }) => use === kind)
      .map(({ variable }) => variable.name)
      .join(", ");
  const parts = ["reads", "writes", "reads and writes"].flatMap((kind) => {
    const names = those(kind);
    return names ? [`${kind} ${names}`] : [];
  });
  return `${given.replace(" a I", " an I")} and ${gives}. ${name} ${parts.join("; it ")}.`;
}
