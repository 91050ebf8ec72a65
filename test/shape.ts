// What a page shows of a command, against what the command says.

/** Figures change with every scenario and every machine; what stands around them does not. */
export const shape = (text: string): readonly string[] =>
  text.split("\n").map((line) => line.replaceAll(/\d[\d.,]*/g, "0").replaceAll(/ +/g, " "));

/** Lines in their order; "..." stands for any lines. */
export function hasShape(said: readonly string[], wanted: readonly string[]): boolean {
  const [first, ...rest] = wanted;
  if (first === undefined) return said.length === 0;
  if (first !== "...") return said[0] === first && hasShape(said.slice(1), rest);
  return said.some((_, from) => hasShape(said.slice(from), rest));
}
