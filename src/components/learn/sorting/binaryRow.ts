import { svg } from "../../element.js";

const digitHeight = 14;

/** The binary digits of a number, one below the other, the highest on top; the digit worth `marked` stands out. */
export function binaryColumn(number: number, digits: number, marked: number, x: number, y: number): SVGElement[] {
  return Array.from({ length: digits }, (_, row) => {
    const worth = 2 ** (digits - 1 - row);
    const top = y + row * digitHeight;
    const text = svg(
      "text",
      { x, y: top + 11, "text-anchor": "middle", class: worth === marked ? "digit marked-digit" : "digit" },
      (number & worth) === 0 ? "0" : "1",
    );
    if (worth !== marked) return [text];
    return [svg("rect", { class: "digit-box", x: x - 7, y: top, width: 14, height: digitHeight, rx: 3 }), text];
  }).flat();
}

/** What each digit of a column is worth, to stand beside it. */
export function digitWorths(digits: number, x: number, y: number): SVGElement[] {
  return Array.from({ length: digits }, (_, row) =>
    svg(
      "text",
      { x, y: y + row * digitHeight + 11, "text-anchor": "end", class: "sort-quiet sort-small" },
      String(2 ** (digits - 1 - row)),
    ),
  );
}

export function binaryHeight(digits: number): number {
  return digits * digitHeight;
}

/** A number in binary, with leading zeros. */
export function binaryText(number: number, digits: number): string {
  return number.toString(2).padStart(digits, "0");
}
