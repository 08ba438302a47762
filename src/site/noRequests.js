// @ts-check
// Loaded before Framework, which would tell its makers of each run, and would fetch a package that is not installed as
// soon as a page, or an address such as /_npm/lodash@4.17.21/_esm.js, names it.
export {};

process.env.OBSERVABLE_TELEMETRY_DISABLE = "1";

globalThis.fetch = async (address) => {
  const { href } = new URL(address instanceof Request ? address.url : address);
  throw new Error(`${href} is not fetched, since what pages use is installed; import a package by its bare name.`);
};
