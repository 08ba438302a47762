import { type DBSchema, type IDBPDatabase, openDB } from "idb";

/** An image file of the reader. */
export interface ReaderImage {
  name: string;
  file: Blob;
}

interface Schema extends DBSchema {
  images: { key: string; value: ReaderImage };
}

/** The key of the image for the chapters. */
const key = "chapters";

/** Opens the database. Async, since some browsers throw synchronously if a page may not store anything. */
async function open(): Promise<IDBPDatabase<Schema>> {
  return openDB<Schema>("splatbook-images", 1, {
    upgrade: (database) => void database.createObjectStore("images"),
    // A page with a newer version of the store must not wait for this one.
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
  });
}

/**
 * Stores the image for the chapters in this browser, or deletes it.
 * @throws Error of one sentence if the browser does not store it
 */
export async function storeReaderImage(image: ReaderImage | undefined): Promise<void> {
  try {
    const database = await open();
    if (image) await database.put("images", image, key);
    else await database.delete("images", key);
    database.close();
  } catch (error) {
    if (image) throw new Error(`This browser does not store ${image.name} (${(error as Error).name}).`);
  }
}

/** Returns the stored image for the chapters; undefined if there is none, or if it cannot be read. */
export async function storedReaderImage(): Promise<ReaderImage | undefined> {
  try {
    const database = await open();
    const image = await database.get("images", key);
    database.close();
    return image;
  } catch {
    return undefined;
  }
}
