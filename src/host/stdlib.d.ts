/** What pages' modules may take from Observable Framework without asking the network for it. */
declare module "observablehq:stdlib" {
  /** A file of the site. The name is a literal, relative to the module, so that Framework can find it. */
  export interface AttachedFile {
    readonly name: string;
    readonly href: string;
    readonly mimeType: string;
    readonly size: number;
    url(): Promise<string>;
    blob(): Promise<Blob>;
    arrayBuffer(): Promise<ArrayBuffer>;
    text(): Promise<string>;
    json(): Promise<unknown>;
  }
  export function FileAttachment(name: string): AttachedFile;
}
