// @ts-check
// The policies of the site's pages, which the live view of the command line has too.
import { createHash } from "node:crypto";

/**
 * The content security policy of a page. Scripts come from the site, from the page itself by their hashes, and from
 * modules that the page makes of edited cells (`blob:`). No text is evaluated, and nothing comes from another origin.
 * Text becomes HTML or the address of a worker only through the policy of src/components/page/trustedTypes.ts. Plot and the
 * editor style elements inline.
 *
 * A template of htl contains `onclick="::1"` until htl sets the listener. Firefox reports each such handler as blocked
 * unless its hash is listed. No script begins with `::`, so these can never run.
 * @type {Record<string, string[]>}
 */
export const policy = {
  "default-src": ["'none'"],
  "script-src": ["'self'", "blob:"],
  "script-src-attr": ["'unsafe-hashes'", ...Array.from({ length: 20 }, (_, i) => hashOf(`::${i + 1}`))],
  "worker-src": ["'self'"],
  "connect-src": ["'self'", "data:", "blob:"],
  "img-src": ["'self'", "data:", "blob:"],
  "style-src": ["'self'", "'unsafe-inline'"],
  "font-src": ["data:"],
  "base-uri": ["'none'"],
  "form-action": ["'none'"],
  "require-trusted-types-for": ["'script'"],
  "trusted-types": ["default"],
};

/**
 * Policies that only headers can set. COOP and COEP isolate the site's process from pages that opened it, which also
 * gives it clocks of 5 µs instead of 100.
 */
export const headers = {
  "Content-Security-Policy": "frame-ancestors 'none'",
  "Cross-Origin-Embedder-Policy": "require-corp",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

/**
 * Returns a policy as it is in a header or a meta element.
 * @param {Record<string, string[]>} directives
 */
export function policyText(directives) {
  return Object.entries(directives)
    .map(([directive, sources]) => `${directive} ${sources.join(" ")}`)
    .join("; ");
}

/**
 * Returns a script's hash as a source of a policy.
 * @param {string} script
 */
export function hashOf(script) {
  return `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
}
