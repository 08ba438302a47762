// @ts-check
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { transformSync } from "esbuild";
import { hashOf, headers, policy, policyText } from "../host/node/contentPolicy.js";

/** @param {string} path a script of the site's, relative to this module */
function inlineScriptTag(path) {
  const source = readFileSync(new URL(path, import.meta.url), "utf8");
  const { code } = transformSync(source, { loader: "ts", format: "iife", minify: true, target: "es2022" });
  return `<script>${code.trim()}</script>`;
}

const headScript = ["trustedTypes", "headClasses"]
  .map((name) => inlineScriptTag(`../components/page/${name}.ts`))
  .join("\n");
const bodyScript = inlineScriptTag("../components/page/landing.ts");

const inlineScript = /<script(?![^>]*\bsrc=)[^>]*>(.*?)<\/script>/gs;

/**
 * Returns a page with its content security policy, which allows the page's own inline scripts only.
 * @param {string} html
 */
export function withPolicy(html) {
  const page = improveMarkup(html).replace("</body>", () => `${bodyScript}\n</body>`);
  const hashes = Array.from((headScript + page).matchAll(inlineScript), ([, script]) => hashOf(script));
  const pagePolicy = { ...policy, "script-src": [...policy["script-src"], ...new Set(hashes)] };
  // First, since a policy does not apply to the elements before it.
  return page.replace(
    /<meta charset="utf-8">/,
    (charset) =>
      `${charset}\n<meta http-equiv="Content-Security-Policy" content="${policyText(pagePolicy)}">\n${headScript}`,
  );
}

/**
 * Returns a page with what Framework's markup lacks for accessibility: a language, zoom without a limit, and listings
 * that scroll by keys. Removes the stylesheet of Framework's inputs, which page.css imports into a layer.
 * @param {string} html
 */
function improveMarkup(html) {
  return html
    .replace("<html>", '<html lang="en">')
    .replace(", maximum-scale=1", "")
    .replace(/<link [^>]*stdlib\/inputs\.[^>]*css">\n?/g, "")
    .replace(/<pre(?=[\s>])(?![^>]*tabindex)/g, '<pre tabindex="0"');
}

/**
 * Adds the policy to every page of a built site, and writes what hosts read: the headers in _headers (Netlify and
 * Cloudflare Pages), a page for addresses without one in 404.html, and .nojekyll, without which GitHub Pages drops folders
 * with names that start with `_`.
 * @param {string} site the folder of the built site
 */
export function secureSite(site) {
  const [icon] = /<link rel="icon"[^>]*>/.exec(readFileSync(join(site, "index.html"), "utf8")) ?? [""];
  const notFound = readFileSync(new URL("404.html", import.meta.url), "utf8").replace("</head>", `${icon}\n</head>`);
  writeFileSync(join(site, "404.html"), notFound);
  writeFileSync(join(site, ".nojekyll"), "");
  for (const file of readdirSync(site, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".html")) continue;
    const path = join(site, file);
    writeFileSync(path, withPolicy(readFileSync(path, "utf8")));
  }
  const lines = Object.entries(headers).map(([name, value]) => `  ${name}: ${value}\n`);
  writeFileSync(join(site, "_headers"), `/*\n${lines.join("")}`);
}
