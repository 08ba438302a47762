/** What the reader chose for all chapters, as the query of an address. */
interface Choice {
  query: string;
  /** The query of the link that was opened last. */
  opened?: string;
}

const key = "splatbook.chapters";

/** Returns the choice that is stored in this browser; an empty one where its storage is not readable. */
export function storedChoice(): Choice {
  try {
    const { query, opened } = JSON.parse(localStorage.getItem(key) ?? "{}") ?? {};
    return { query: typeof query === "string" ? query : "", ...(typeof opened === "string" && { opened }) };
  } catch {
    return { query: "" };
  }
}

/** Stores a choice in this browser. @throws Error of one sentence if the browser does not store it */
export function storeChoice(choice: Choice): void {
  try {
    localStorage.setItem(key, JSON.stringify(choice));
  } catch {
    throw new Error("This browser does not store settings, so they are lost when you leave the page.");
  }
}

/** Returns the query of a chapter: the parameters of its address, then those that the reader chose for all chapters. */
export function chapterQuery(): URLSearchParams {
  const query = new URLSearchParams(storedChoice().query);
  for (const [name, value] of new URLSearchParams(location.search)) query.set(name, value);
  return query;
}
