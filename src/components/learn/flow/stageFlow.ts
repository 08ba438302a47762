import type { ShaderLibrary } from "../../../engine/shaders.js";
import { figure } from "../../figures/figure.js";
import { phoneViews } from "../../figures/phoneViews.js";
import { cpuReferencesIn, descriptionOf } from "../../kernels/kernelHeader.js";
import { stageThing } from "./flowChart.js";
import { laneChart } from "./laneChart.js";
import { stageParts } from "./stageParts.js";
import { isToken, type Stage, variablesOf } from "./stages.js";

const memoryNotes: Record<string, string> = {
  sh_blobs: "blob indices",
  sh_blobCountAtomic: "counts appends",
  sh_blobCount: "the final count",
  sh_reduction: "one float per thread",
  parameters: "global memory",
  gradients: "global memory",
};

/** Returns a figure of the stages of a tile list, their tokens and the memory that they share, with the code of the chosen one. */
export async function stageFlow(
  shaders: ShaderLibrary,
  stages: Stage[],
  { name, takes, returns, uses, file }: Stage,
  choose: (stage: Stage) => void,
): Promise<HTMLElement> {
  const takesText = takes ? `It takes ${withArticle(takes)}` : "It takes no token";
  const returnsText = isToken(returns) ? `returns ${withArticle(returns)}` : "returns no token";
  const useTexts = ["reads", "writes", "reads and writes"].flatMap((kind) => {
    const names = uses.filter(({ use }) => use === kind).map(({ variable }) => variable.name);
    return names.length > 0 ? [`${kind} ${names.join(", ")}`] : [];
  });
  const description = [
    descriptionOf(shaders.get(file)),
    `${takesText} and ${returnsText}. ${name} ${useTexts.join("; it ")}.`,
  ];
  const parts = await stageParts(name, description, `${file}#${name}`, cpuReferencesIn(shaders.get(file))[0]);
  const chart = laneChart({
    label: "The stages of a tile list, with the tokens between them and the memory that they share",
    stages: stages.map(({ name, file, uses, returns }) => {
      const note = isToken(returns) ? `→ ${returns}` : undefined;
      return { name, note, uses, things: [stageThing(file, name)] };
    }),
    lanes: variablesOf(stages).map(({ name }) => ({ name, note: memoryNotes[name], things: [`buffer:${name}`] })),
    isCycle: false,
    chosen: name,
    choose: (name) => choose(stages.find((stage) => stage.name === name)!),
  });
  return figure(
    {
      title: "The stages of a tile list, and the tokens between them",
      alt: `${stages.map(({ name }) => name).join(", then ")}. Each takes the token that the one before it returns. Below them the memory that they share, and which stages read and write it.`,
      note: "Choose a stage to read it. Then choose an order of the stages and compile it.",
      isWide: true,
    },
    phoneViews("stages of a tile list", { Chart: chart, ...parts }),
  );
}

function withArticle(token: string): string {
  return `${/^I/.test(token) ? "an" : "a"} ${token}`;
}
