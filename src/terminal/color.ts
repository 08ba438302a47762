import { styleText } from "node:util";

type Format = Parameters<typeof styleText>[0];

/** Returns a text for a stream in a format, or unchanged if the stream shows no colours, such as with NO_COLOR. */
export function colored(format: Format, text: string, stream: "stdout" | "stderr"): string {
  return styleText(format, text, { stream: process[stream] });
}

const styled = (format: Format) => (text: string) => styleText(format, text, { validateStream: false });

/** Colours for Commander's help, which removes them from output without colours. */
export const helpStyles = {
  styleTitle: styled("bold"),
  styleCommandText: styled("cyan"),
  styleSubcommandText: styled("cyan"),
  styleOptionText: styled("cyan"),
  styleArgumentText: styled("yellow"),
};
