import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take longest. What begins with them does not wait for one of them alone in the end. */
const slowFiles = [
  "engine/gpu/gradients.gpu",
  "engine/gpu/binned.gpu",
  "pages/everyReader",
  "pages/lab",
  "pages/cells",
  "pages/compare",
  "pages/kernels",
  "pages/preview",
  "cli/report.page",
  "runs/durable",
  "host/node/start",
  "farm/farmRegions",
  "farm/workers",
  "cli/regions",
  "engine/regions/regions",
];

/** Runs project after project, in the order of the config, so that a worker keeps what its project shares. */
export default class ProjectSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projectRank = ({ project }: TestSpecification) => this.ctx.projects.indexOf(project);
    const slowRank = ({ moduleId }: TestSpecification) => {
      const at = slowFiles.findIndex((name) => moduleId.endsWith(`test/${name}.test.ts`));
      return at < 0 ? slowFiles.length : at;
    };
    return sorted.sort((a, b) => projectRank(a) - projectRank(b) || slowRank(a) - slowRank(b));
  }
}
