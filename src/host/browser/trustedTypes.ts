// Stands in the head of every page, before all other scripts (src/site/sitePolicy.js): the one policy by which text
// becomes HTML or the address of a worker. Nothing else that a page may do makes it either, and no text becomes script.
export {};

declare global {
  interface Window {
    /** Absent where the browser does not know of it. */
    trustedTypes?: {
      createPolicy(
        name: string,
        rules: {
          createHTML(text: string): string;
          createScriptURL(text: string, type: string, sink: string): string;
        },
      ): unknown;
    };
  }
}

/** What no text may bring: what runs or embeds something, or asks for it; and noscript, since it is read in two ways. */
const refusedElements = "script, iframe, frame, object, embed, base, meta, link, noscript, template";

/** Before any cell could replace it. */
const askReader = window.confirm.bind(window);

/** A form's own properties give way to its inputs: to one that is named `attributes`, say. */
const { getAttribute, getAttributeNames } = Element.prototype;

const inert = document.implementation.createHTMLDocument("");
/** Text means different things in HTML and in SVG. */
const parsers = [inert.createElement("div"), inert.createElementNS("http://www.w3.org/2000/svg", "g")];
let isReading = false;

/** Why text may not become part of the page, if it may not. */
function refusalReason(text: string): string | undefined {
  for (const parser of parsers) {
    parser.innerHTML = text;
    const refused = parser.querySelector(refusedElements);
    if (refused) return `<${refused.localName}>`;
    for (const element of parser.querySelectorAll("*")) {
      for (const name of getAttributeNames.call(element)) {
        const value = getAttribute.call(element, name)!;
        // htl writes ::1 where it will set a property, such as a listener.
        const isHandler = name.startsWith("on") && !/^::\d+$/.test(value);
        if (isHandler || name === "srcdoc") return `the attribute ${name}`;
        // Browsers pass over control characters and spaces in it.
        if (/(^|;)javascript:/i.test(value.replace(/[\0- ]/g, ""))) return "a javascript: address";
      }
    }
  }
  return undefined;
}

window.trustedTypes?.createPolicy("default", {
  createHTML(text) {
    // What reads it is a place that takes HTML itself.
    if (isReading) return text;
    isReading = true;
    try {
      const refused = refusalReason(text);
      if (refused === undefined) return text;
      throw new TypeError(`Text that becomes part of this page may not hold ${refused}.`);
    } finally {
      isReading = false;
    }
  },
  createScriptURL(text, _, sink) {
    const url = new URL(text, document.baseURI);
    if (sink !== "Worker constructor" || url.origin !== location.origin) {
      throw new TypeError(`${url.href} is not a worker of this site.`);
    }
    // Workers are not under the page's own policy: this one asks another site, which only the reader may wish.
    const picture = url.searchParams.get("picture");
    if (picture !== null && !askReader(`Fetch an image from ${new URL(picture).host}?\n${picture}`)) {
      throw new TypeError(`${picture} was not fetched because you declined.`);
    }
    return text;
  },
});

// A frame that a cell makes has a factory of its own, in which no policy may stand.
const policyMeta = document.createElement("meta");
policyMeta.httpEquiv = "Content-Security-Policy";
policyMeta.content = "trusted-types 'none'";
document.head.append(policyMeta);
policyMeta.remove();
