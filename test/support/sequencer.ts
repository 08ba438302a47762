import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Runs project after project, in the order of the config, so that a worker keeps what its project shares. */
export default class ProjectSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const place = ({ project }: TestSpecification) => this.ctx.projects.indexOf(project);
    return sorted.sort((a, b) => place(a) - place(b));
  }
}
