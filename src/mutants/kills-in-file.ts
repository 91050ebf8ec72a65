// `kills` in the text of a scenario file: everything else in the file stays as somebody wrote it.

const WIDTH = 110;

/** The text with this list; it stands where it stood, or behind `proves`. */
export function withKills(text: string, kills: readonly string[]): string {
  const lines = text.split("\n");
  const written = kills.length === 0 ? [] : listLines(kills);
  const own = blockAt(lines, "kills");
  if (own !== null) return lines.toSpliced(own.from, own.to - own.from, ...written).join("\n");
  const proves = blockAt(lines, "proves");
  if (proves === null) throw new Error("a scenario file says what it proves");
  return lines.toSpliced(proves.to, 0, ...written).join("\n");
}

/** From the line of a member of the top level to the next member, comments before that left out. */
function blockAt(
  lines: readonly string[],
  name: string,
): { readonly from: number; readonly to: number } | null {
  const from = lines.findIndex((line) => line.startsWith(`${name}:`));
  if (from < 0) return null;
  const after = lines.findIndex((line, index) => index > from && /^\S/.test(line) && line !== "]");
  return { from, to: after < 0 ? lines.length : after };
}

function listLines(kills: readonly string[]): readonly string[] {
  const lines: string[] = [];
  let line = "kills: [";
  for (const [index, name] of kills.entries()) {
    const item = index === kills.length - 1 ? `${name}]` : `${name},`;
    if (line.length + item.length + 1 > WIDTH) {
      lines.push(line);
      line = "   ";
    }
    line += line.endsWith("[") ? item : ` ${item}`;
  }
  return [...lines, line];
}
