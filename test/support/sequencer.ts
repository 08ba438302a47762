import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The slowest files, which start first so that no worker waits for one of them at the end. */
const slowFiles = [
  "journeys/pages",
  "gpu/gradients",
  "gpu/binned",
  "all/engine/gpu/binned.gpu",
  "all/components/training/customStages.gpu",
  "all/components/learn/exercises/exercises.gpu",
  "all/bench/bench.gpu",
  "all/engine/gpu/customKernels.gpu",
  "all/pages/everyReader",
  "all/package.page",
  "all/pages/lab",
  "all/pages/cells",
  "all/pages/compare",
  "all/pages/kernels",
  "all/cli/report.page",
  "all/cli/fit",
  "all/host/node/start",
  "all/cli/view",
  "all/farm/farmRegions",
  "all/farm/workers",
];

/** Runs project after project, in the order of the configuration, so that workers keep the resources of a project. */
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
