/** The class of what holds a page's prose. */
export const proseClass = "page-prose";
