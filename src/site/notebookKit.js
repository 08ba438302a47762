// @ts-check
// Vite's configuration in the project of "Download the page", with which Notebook Kit's command line builds the page. Run by
// itself, this module writes only the modules of the pages, which Jupyter's cells import.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { build } from "esbuild";
import temml from "temml";
import { isMain, projectRoot } from "../host/node/install.js";
import { writePageModules } from "./packLibrary.js";

const sources = join(projectRoot, "src");
const packages = join(projectRoot, "node_modules");
const modules = join(projectRoot, ".dev", "modules");
const resize = join(packages, "@observablehq", "framework", "dist", "client", "stdlib", "resize.js");

/** Matches the script of a page's cells. */
const cells = /^(.*)\.html\?html-proxy.*\.js$/;

const pages = readdirSync(sources, { recursive: true, encoding: "utf8" })
  .map((path) => `src/${path.replaceAll("\\", "/")}`)
  .filter((path) => path.endsWith(".html") && existsSync(path.replace(/html$/, "md")));

/** @type {import("vite").UserConfig} */
export default {
  server: { open: `/${pages[0]}` },
  // Vite would search the modules before they are written, and bundle the runtime unchanged.
  optimizeDeps: { entries: [], exclude: ["observable:runtime"] },
  // Cells find files by name.
  build: { rollupOptions: { input: pages, output: { assetFileNames: "assets/[hash]/[name][extname]" } } },
  plugins: [
    {
      name: "splatbook",
      enforce: "pre",
      buildStart: () => writePageModules(modules),
      resolveId(source, importer) {
        if (!source.startsWith(".") || !importer || !cells.test(importer)) return undefined;
        const path = join(modules, relative(sources, resolve(dirname(importer), source)));
        return existsSync(path) ? path : undefined;
      },
      transformIndexHtml: {
        order: "pre",
        handler: (html) => html.replace(/(?<=<script [^>]*"text\/markdown"[^>]*>).*?(?=<\/script>)/gs, withFormulas),
      },
      async transform(code, id) {
        const page = cells.exec(id)?.[1];
        if (page) return `import ${JSON.stringify(await writeStyles(page))};\n${code}`;
        if (!id.includes("/notebook-kit/")) return undefined;
        // Notebook Kit lacks Framework's `resize`, and loads libraries from another origin.
        return code
          .replace(
            "export const library = {",
            (start) => `import {resize} from ${JSON.stringify(resize)};\n${start} resize: () => resize,`,
          )
          .replace(/https:\/\/cdn\.jsdelivr\.net\/npm\/((?:@[\w-]+\/)?[\w-]+)(@[\d.]+)?\/\+esm/g, (address, name) =>
            existsSync(join(packages, name)) ? name : address,
          );
      },
    },
  ],
};

/** The page's width, where Notebook Kit looks for it. */
const pageWidth = ":root { --max-width: var(--observablehq-max-width) !important }";

/**
 * Replaces the formulas in Markdown by MathML, as mathRule.ts does. Notebook Kit has no such syntax.
 * @param {string} markdown
 */
function withFormulas(markdown) {
  const render = (/** @type {string} */ tex, displayMode = false) =>
    temml.renderToString(tex, { displayMode, trust: true });
  return markdown
    .replace(/^ *\$\$\n(.*?)\n *\$\$$/gms, (_, tex) => `\n<div class="formula">${render(tex, true)}</div>\n`)
    .replace(/\$(?![{\s$])((?:\\.|[^$\\\n])*?[^\s\\])\$(?!\d)/g, (_, tex) => render(tex));
}

/**
 * Writes the style sheet of a page, with Notebook Kit's theme instead of Framework's.
 * @param {string} page
 * @returns {Promise<string>} its path
 */
async function writeStyles(page) {
  const [, sheet] = /** @type {RegExpExecArray} */ (/^style: (.+)$/m.exec(readFileSync(`${page}.md`, "utf8")));
  const outfile = join(modules, `${relative(sources, page)}.css`);
  /** @type {import("esbuild").Plugin} */
  const withoutFramework = {
    name: "without Framework",
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^observablehq:/ }, ({ path }) => ({ path, namespace: "framework" }));
      onLoad({ filter: /./, namespace: "framework" }, () => ({ contents: pageWidth, loader: "css" }));
    },
  };
  await build({ entryPoints: [resolve(dirname(page), sheet)], outfile, bundle: true, plugins: [withoutFramework] });
  return outfile;
}

if (isMain(import.meta.url)) await writePageModules(modules);
