import { ConfigError } from "../engine/config.js";
import { printable } from "../engine/quoted.js";
import { flagOf } from "./flags.js";

/** What ends a command: one sentence for the user, and the exit code. */
export class Failure extends Error {
  override name = "Failure";
  constructor(
    message: string,
    /** 1: the run failed. 2: the command was not understood. */
    readonly exitCode: 1 | 2 = 1,
  ) {
    super(printable(message));
  }
}

/** A command that asks for what cannot be. */
export function usageFailure(message: string): Failure {
  return new Failure(message, 2);
}

/** Any error as a sentence and an exit code, without a stack trace. */
export function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof ConfigError) return usageFailure(error.message.replace(error.field, flagOf(error.field)));
  if (isSystemError(error) && error.code === "ENOSPC") {
    return new Failure(`The disk is full${error.path ? `, so ${error.path} could not be written` : ""}.`);
  }
  if (error instanceof RangeError && /allocation failed|invalid ((typed )?array|string) length/i.test(error.message)) {
    return new Failure("There is not enough memory for so many blobs or pixels.");
  }
  const message = error instanceof Error ? error.message : String(error);
  return new Failure(message.replace(/\s+/g, " ").replace(/[.\s]*$/, "."));
}

/** An error of the operating system, such as ENOENT. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).code === "string";
}

const reasons: Record<string, string> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EACCES: "that is not permitted",
  EPERM: "that is not permitted",
  EROFS: "the disk is read-only",
  ENOTDIR: "a part of its path is a file",
  EISDIR: "a folder lies where a file should",
  EEXIST: "a file or a link to nothing lies where a folder should",
  ENOENT: "its folder takes no files",
  ELOOP: "a part of its path is a link to itself",
  ENAMETOOLONG: "its name is too long",
};

/** What the system says of an error, in words, without a full stop. */
export function reasonOf(error: NodeJS.ErrnoException): string {
  return reasons[error.code ?? ""] ?? error.message.replace(/[.\s]*$/, "");
}
