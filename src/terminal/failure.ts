import { ConfigError } from "../engine/config.js";
import { DivergedError } from "../engine/divergence.js";
import { printable } from "../engine/quoted.js";
import { flagOf } from "./flags.js";

/** The exit code of a run that diverged. */
export const divergedExitCode = 3;

/** An error that ends a command, with one sentence for the user and the exit code. */
export class Failure extends Error {
  override name = "Failure";
  constructor(
    message: string,
    /** One of those that the documentation of the command line lists. */
    readonly exitCode = 1,
  ) {
    super(printable(message));
  }
}

/** Returns a Failure for a usage error. */
export function usageFailure(message: string): Failure {
  return new Failure(message, 2);
}

/** Returns any error as a Failure of one sentence. */
export function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof ConfigError) {
    const isFlag = error.field !== "image" && error.field !== "config";
    return usageFailure(error.message.replace(error.field, isFlag ? flagOf(error.field) : `The ${error.field}`));
  }
  if (error instanceof DivergedError) {
    return new Failure(`${error.message} Try a lower --learning-rate.`, divergedExitCode);
  }
  if (isSystemError(error) && error.code === "ENOSPC") {
    return new Failure(`The disk is full${error.path ? `, so ${error.path} could not be written` : ""}.`);
  }
  if (error instanceof RangeError && /allocation failed|invalid ((typed )?array|string) length/i.test(error.message)) {
    return new Failure("There is not enough memory for that many blobs or pixels. Use fewer blobs or a smaller image.");
  }
  const message = error instanceof Error ? error.message : String(error);
  const [, name] = /^Cannot find package '([^']+)'/.exec(message) ?? [];
  if (name) return new Failure(`The package ${name} is not installed. Install it with: npm install ${name}`);
  return new Failure(asSentence(message.replace(/\s+/g, " ")));
}

/** Returns text with exactly one full stop at its end. */
export function asSentence(text: string): string {
  return text.replace(/[.\s]*$/, ".");
}

/** Returns whether an error comes from the operating system, such as ENOENT. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).code === "string";
}

const reasons: Record<string, string> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EACCES: "permission denied",
  EPERM: "operation not permitted",
  EROFS: "the disk is read-only",
  ENOTDIR: "its path goes through a file",
  EISDIR: "a folder has the name of the file",
  EEXIST: "a file or a dangling link has the name of the folder",
  ENOENT: "its folder does not accept files",
  ELOOP: "its path has a circular link",
  ENAMETOOLONG: "its name is too long",
};

/** Returns the reason for a system error in words, without a full stop. */
export function reasonOf(error: NodeJS.ErrnoException): string {
  return reasons[error.code ?? ""] ?? error.message.replace(/[.\s]*$/, "");
}
