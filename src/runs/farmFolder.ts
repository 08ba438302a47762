/** The folder of job inputs and attempts. It is inside the runs folder, so that one rename commits a run. */
export const farmFolder = ".splatbook-farm";

/** The folder of regions that workers have trained, until they are added to the run. */
export const regionResultsFolder = `${farmFolder}/parts`;
