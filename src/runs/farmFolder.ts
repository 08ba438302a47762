/** The folder of the inputs of jobs and of attempts. It is in the folder of the runs, so that one rename commits a run. */
export const farmFolder = ".splatbook-farm";

/** The file in it with the id that the runs of a command have on S3. */
export const storeIdFile = `${farmFolder}/id`;

/** The folder in it of the trained regions of a run, until the run takes them in. */
export const regionResultsFolder = `${farmFolder}/parts`;
