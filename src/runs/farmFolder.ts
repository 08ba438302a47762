/** The folder of job inputs, attempts and regions. It is inside the command's folder, so that one rename commits a run. */
export const farmFolder = ".splatbook-farm";
