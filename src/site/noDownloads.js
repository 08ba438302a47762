// @ts-check
// Loaded before Framework. Turns off its telemetry and the download of packages that are not installed when a page or
// an address such as /_npm/lodash@4.17.21/_esm.js names them.
export {};

process.env.OBSERVABLE_TELEMETRY_DISABLE = "1";

globalThis.fetch = async (address) => {
  const { href } = new URL(address instanceof Request ? address.url : address);
  throw new Error(`${href} is not downloaded. Install the package, and import it by its bare name.`);
};
