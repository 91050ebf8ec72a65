// Compares the output on a page with the output of a command.

/** Figures change with every scenario and every machine, so both are compared without them. */
export const shape = (text: string): readonly string[] =>
  text.split("\n").map((line) => line.replaceAll(/\d[\d.,]*/g, "0").replaceAll(/ +/g, " "));

/** Lines in their order; "..." matches any lines. */
export function hasShape(lines: readonly string[], wanted: readonly string[]): boolean {
  const [first, ...rest] = wanted;
  if (first === undefined) return lines.length === 0;
  if (first !== "...") return lines[0] === first && hasShape(lines.slice(1), rest);
  return lines.some((_, from) => hasShape(lines.slice(from), rest));
}
