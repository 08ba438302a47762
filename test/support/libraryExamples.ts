import { pageMarkdown } from "./pageMarkdown.js";

/** The first code under each heading of the library's page. */
export const libraryExamples = pageMarkdown("docs/library")
  .split(/^##+ /m)
  .flatMap((section) => {
    const [, code] = /^```js run=false\n(.*?)^```/ms.exec(section) ?? [];
    return code ? [{ heading: section.split("\n")[0], code, needsGpu: code.includes("f32") }] : [];
  });
