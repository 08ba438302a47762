// @ts-check
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { transformSync } from "esbuild";

/**
 * What a page may do. Scripts come from the site, from the page itself by their hashes, and, for cells that the reader
 * edits, from modules that the page makes (`blob:`): no text is evaluated, and no other origin is asked for anything.
 * Text becomes HTML, or a worker's address, through the one policy of src/host/browser/trustedTypes.ts. Plot and the editor
 * style elements inline. Nothing is embedded, and no form is sent.
 *
 * In a template htl writes `onclick="::1"` until it sets the listener. Firefox reports each such handler as blocked unless
 * its hash is listed. No script begins with `::`, so these can never run.
 * @type {Record<string, string[]>}
 */
const policy = {
  "default-src": ["'none'"],
  "script-src": ["'self'", "blob:"],
  "script-src-attr": ["'unsafe-hashes'", ...Array.from({ length: 20 }, (_, i) => hashOf(`::${i + 1}`))],
  "worker-src": ["'self'"],
  "connect-src": ["'self'", "data:", "blob:"],
  "img-src": ["'self'", "data:", "blob:"],
  "style-src": ["'self'", "'unsafe-inline'"],
  "font-src": ["'self'"],
  "base-uri": ["'none'"],
  "form-action": ["'none'"],
  "require-trusted-types-for": ["'script'"],
  "trusted-types": ["default"],
};

/**
 * What a page's own element cannot say. COOP and COEP give the site a process of its own, out of reach of pages that
 * opened it, and with that clocks of 5 µs in place of 100; all that it shows is its own, so COEP keeps nothing out.
 */
export const headers = {
  "Content-Security-Policy": "frame-ancestors 'none'",
  "Cross-Origin-Embedder-Policy": "require-corp",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

/** @param {string} script */
function hashOf(script) {
  return `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
}

/** @param {string} path a script of the site's, relative to this module */
function inlineScriptTag(path) {
  const source = readFileSync(new URL(path, import.meta.url), "utf8");
  const { code } = transformSync(source, { loader: "ts", format: "iife", minify: true, target: "es2022" });
  return `<script>${code.trim()}</script>`;
}

const headScript = inlineScriptTag("../host/browser/trustedTypes.ts");
const bodyScript = inlineScriptTag("../components/page/landing.ts");

const inlineScript = /<script(?![^>]*\bsrc=)[^>]*>(.*?)<\/script>/gs;

/**
 * A page with its content security policy, which lets the page's own inline scripts run and no others.
 * @param {string} html
 */
export function withPolicy(html) {
  const page = improveMarkup(html).replace("</body>", () => `${bodyScript}\n</body>`);
  const hashes = Array.from((headScript + page).matchAll(inlineScript), ([, script]) => hashOf(script));
  const pagePolicy = { ...policy, "script-src": [...policy["script-src"], ...new Set(hashes)] };
  const content = Object.entries(pagePolicy).map(([directive, sources]) => `${directive} ${sources.join(" ")}`);
  // Before all else, since what stands above a policy is not under it.
  return page.replace(
    /<meta charset="utf-8">/,
    (charset) =>
      `${charset}\n<meta http-equiv="Content-Security-Policy" content="${content.join("; ")}">\n${headScript}`,
  );
}

/**
 * A page as everybody can read it: in a language that is named, as large as its reader wants it, with listings that
 * scroll by keys too. Framework says none of that. It links the stylesheet of its inputs, which would have the last word
 * over all layers; page.css has it in the layer below. The build adds a hash to its name, and the preview none. Only
 * Framework knows the address of the font for formulas, which a page loads ahead.
 * @param {string} html
 */
function improveMarkup(html) {
  return html
    .replace("<html>", '<html lang="en">')
    .replace(", maximum-scale=1", "")
    .replace(
      /<link rel="preload" as="font"[^>]* href="([^"]*)">/,
      (link, address) => `${link}\n<style>@font-face { font-family: Mathematics; src: url("${address}"); }</style>`,
    )
    .replace(/<link [^>]*stdlib\/inputs\.[^>]*css">\n?/g, "")
    .replace(/<pre(?=[\s>])(?![^>]*tabindex)/g, '<pre tabindex="0"');
}

/**
 * Gives every page of a built site its policy and a host its headers, in the file that Netlify and Cloudflare Pages read.
 * @param {string} site the folder of the built site
 */
export function secureSite(site) {
  for (const file of readdirSync(site, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".html")) continue;
    const path = join(site, file);
    writeFileSync(path, withPolicy(readFileSync(path, "utf8")));
  }
  const lines = Object.entries(headers).map(([name, value]) => `  ${name}: ${value}\n`);
  writeFileSync(join(site, "_headers"), `/*\n${lines.join("")}`);
}
