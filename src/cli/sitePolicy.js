// @ts-check
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * What a published page may do. Scripts come from the site, from the page itself by their hashes, and, for cells that
 * the reader edits, from modules that the page makes (`blob:`): no text is evaluated, and no other origin is asked for
 * code. Pictures may be fetched by their addresses, which is what `https:` is for. Plot and the editor style elements
 * inline. Nothing is embedded, and no form is sent.
 * @type {Record<string, string[]>}
 */
const policy = {
  "default-src": ["'none'"],
  "script-src": ["'self'", "blob:"],
  "worker-src": ["'self'"],
  "connect-src": ["'self'", "https:", "data:", "blob:"],
  "img-src": ["'self'", "https:", "data:", "blob:"],
  "style-src": ["'self'", "'unsafe-inline'"],
  "font-src": ["'self'"],
  "base-uri": ["'none'"],
  "form-action": ["'none'"],
};

const inlineScript = /<script(?![^>]*\bsrc=)[^>]*>(.*?)<\/script>/gs;

/**
 * A page with its content security policy, which lets the page's own inline scripts run and no others.
 * @param {string} html
 */
export function withPolicy(html) {
  const hashes = Array.from(html.matchAll(inlineScript), ([, script]) => {
    return `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
  });
  const own = { ...policy, "script-src": [...policy["script-src"], ...new Set(hashes)] };
  const content = Object.entries(own).map(([directive, sources]) => `${directive} ${sources.join(" ")}`);
  // Before all else, since what stands above a policy is not under it.
  return html.replace(
    /<meta charset="utf-8">/,
    (charset) => `${charset}\n<meta http-equiv="Content-Security-Policy" content="${content.join("; ")}">`,
  );
}

/**
 * Gives every page of a built site its policy.
 * @param {string} site the folder of the built site
 */
export function secureSite(site) {
  for (const file of readdirSync(site, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".html")) continue;
    const path = join(site, file);
    writeFileSync(path, withPolicy(readFileSync(path, "utf8")));
  }
}
