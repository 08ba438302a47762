/** A tag of a docstring. */
interface LibraryTag {
  /** "param", "return" or "throws". */
  tag: string;
  /** The parameter's name. */
  of?: string;
  text: string;
}

/** A property or method of a class or an interface. */
export interface LibraryMember {
  signature: string;
  text: string;
  tags: LibraryTag[];
}

/** A name that src/splatbook.ts exports. */
export interface LibraryEntry extends LibraryMember {
  name: string;
  /** The module that defines it. */
  file: string;
  members: LibraryMember[];
}
