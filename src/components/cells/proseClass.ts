/** The class of the blocks that hold a page's prose. */
export const proseClass = "page-prose";
