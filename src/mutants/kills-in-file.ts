// `kills` in the text of a scenario file: everything else in the file stays as somebody wrote it. The list
// is written as the formatter would write it, at the end, where it is in nobody's way.

const WIDTH = 120;

/** The text with this list, where it stood or at the end. */
export function withKills(text: string, kills: readonly string[]): string {
  const lines = text.trimEnd().split("\n");
  const written = kills.length === 0 ? [] : listLines(kills);
  const from = lines.findIndex((line) => line.startsWith("kills:"));
  const at = from < 0 ? lines.length : from;
  const behind = from < 0 ? [] : lines.slice(endOfMember(lines, from));
  return `${[...lines.slice(0, at), ...written, ...behind].join("\n")}\n`;
}

/** The next member of the top level, or a comment before it. */
function endOfMember(lines: readonly string[], from: number): number {
  const next = lines.findIndex((line, index) => index > from && /^[^\s\]]/.test(line));
  return next < 0 ? lines.length : next;
}

function listLines(kills: readonly string[]): readonly string[] {
  const line = `kills: [${kills.join(", ")}]`;
  return line.length <= WIDTH
    ? [line]
    : ["kills:", "  [", ...kills.map((name) => `    ${name},`), "  ]"];
}
