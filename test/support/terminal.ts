import { onTestFinished } from "vitest";

/** Makes stderr a terminal for the rest of a test. */
export function useTerminal(columns: number, rows: number): void {
  const { stderr } = process;
  for (const [name, value] of Object.entries({ isTTY: true, columns, rows })) {
    Object.defineProperty(stderr, name, { value, configurable: true });
    onTestFinished(() => void Reflect.deleteProperty(stderr, name));
  }
}

/** Returns the lines that a terminal shows after some output. */
export function screenAfter(output: string): string[] {
  const lines = [""];
  let [row, column] = [0, 0];
  let saved = [0, 0];
  const commands: Record<string, (count: number) => void> = {
    A: (count) => {
      row -= count;
    },
    G: (count) => {
      column = count - 1;
    },
    J: () => {
      lines.splice(row + 1);
      lines[row] = lines[row].slice(0, column);
    },
    K: (count) => {
      lines[row] = count === 2 ? "" : lines[row].slice(0, column);
    },
  };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the output of a terminal
  for (const [text, count, command] of output.matchAll(/\x1b\[\??(\d*)([A-Za-z])|\x1b[78]|[^\x1b]/g)) {
    if (text === "\x1b7") saved = [row, column];
    else if (text === "\x1b8") [row, column] = saved;
    else if (text === "\r") column = 0;
    else if (text === "\n") [row, column] = [row + 1, 0];
    else if (command) commands[command]?.(Number(count || 1));
    else {
      lines[row] = lines[row].slice(0, column).padEnd(column) + text + lines[row].slice(column + 1);
      column++;
    }
    lines[row] ??= "";
  }
  return lines.map((line) => line.trimEnd());
}
