// @ts-check
// What a server on this machine answers: requests for it alone, and from its own pages.
import { isIP } from "node:net";

/**
 * Returns a status and a reason if a request must be rejected. An address that Framework cannot read would end its
 * process. A name other than localhost may belong to a page of another site that resolves it to this machine (DNS
 * rebinding).
 * @param {import("node:http").IncomingMessage} request
 * @param {string} host the host that the server listens on
 * @param {string} server its name in the reason
 * @returns {[status: number, reason: string] | undefined}
 */
export function refusal({ url = "", headers: { host: requestHost = "", origin } }, host, server) {
  if (!isReadable(url)) return [400, "This address cannot be read."];
  const name = requestHost.replace(/:\d+$/, "");
  const isOwn = ["localhost", host].includes(name) || isIP(name.replace(/^\[(.*)\]$/, "$1")) > 0;
  if (!isOwn) {
    return [403, `This ${server} serves localhost and ${host}, not ${name || "requests without a host"}.`];
  }
  if (origin !== undefined && origin !== `http://${requestHost}`) {
    return [403, `This ${server} does not answer requests from ${origin}.`];
  }
  return undefined;
}

/**
 * Returns whether Framework can read the address of a request.
 * @param {string} address
 */
function isReadable(address) {
  try {
    decodeURI(new URL(address, "http://localhost").pathname);
    return true;
  } catch {
    return false;
  }
}
