/** Most characters of an error. */
const maxLength = 1200;

/** Checks that an error is one of ours, with a message of one sentence. @throws Error if it is not */
export function requireSentence(error: unknown): void {
  const isOurs = error instanceof Error && ["Error", "ConfigError", "Failure"].includes(error.name);
  if (!isOurs) throw new Error("It threw an internal error.", { cause: error });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not reach a terminal.
  const isSentence = /^[^\x00-\x1f\x7f]*\.$/.test(error.message) && error.message.length <= maxLength;
  if (!isSentence || /Cannot read prop|is not a function|not iterable|call stack|undefined is/.test(error.message)) {
    throw new Error("It threw an error that is not one sentence.", { cause: error });
  }
}
