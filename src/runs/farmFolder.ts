/** The folder of job inputs and attempts. It is inside the runs folder, so that one rename commits a run. */
export const farmFolder = ".splatbook-farm";

/** The file with the id of a command on S3. */
export const storeIdFile = `${farmFolder}/id`;

/** The folder of regions that workers have trained, until they are added to the run. */
export const regionResultsFolder = `${farmFolder}/parts`;
