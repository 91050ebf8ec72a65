// `npm run docs:house`: writes the import table into the pages about the house: the drawing, the table of the
// wings in ARCHITECTURE.md, and the table of rooms in the README.md of each wing. test/docs/house.test.ts compares them.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOMS, WINGS } from "../import-table.ts";

type Row = readonly string[];

const listOf = (names: readonly string[] | "anything", none: string): string => {
  if (names === "anything") return "any";
  return names.length === 0 ? none : names.join(", ");
};

export const PICTURE = "docs/house.svg";
export const doorOf = (wing: string): string => `src/${wing}/README.md`;

const root = join(import.meta.dirname, "../..");

export const pageText = (page: string): string => readFileSync(join(root, page), "utf8");

export const wingRows: readonly Row[] = [
  ["wing", "may import"],
  ...Object.entries(WINGS).map(([wing, below]) => [`\`${wing}\``, listOf(below, "nothing")]),
];

const roomsIn = (wing: string): readonly string[] =>
  Object.keys(ROOMS).filter((room) => room === wing || room.startsWith(`${wing}/`));

/** Names without their wing, which the page has as its title. */
export function roomRows(wing: string): readonly Row[] {
  const inside = (name: string): string => name.replace(`${wing}/`, "");
  return [
    ["room", "may import in this wing", "in the others", "packages"],
    ...roomsIn(wing).map((room) => {
      const { ours, others, packages } = ROOMS[room]!;
      return [
        `\`${inside(room)}\``,
        listOf(ours.map(inside), "nothing"),
        others === undefined ? "all that the wing may" : listOf(others, "nothing"),
        listOf(packages, "none"),
      ];
    }),
  ];
}

/** The rows of the first table after a heading row, as a formatter may have spaced them. */
export function rowsIn(page: string, [first = ""]: Row): readonly Row[] {
  const rows = page
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) =>
      line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim()),
    );
  const from = rows.findIndex(([cell]) => cell === first);
  const table = rows.slice(from).filter((row) => !row.every((cell) => /^:?-+:?$/.test(cell)));
  const end = table.findIndex(({ length }) => length !== table[0]!.length);
  return end < 0 ? table : table.slice(0, end);
}

function withTable(page: string, rows: readonly Row[]): string {
  const lines = page.split("\n");
  const [head = []] = rows;
  const cellOf = (line: string): string => line.split("|")[1]?.trim() ?? "";
  const from = lines.findIndex((line) => line.startsWith("|") && cellOf(line) === head[0]);
  if (from < 0) throw new Error(`there is no table that begins with "${head[0]}"`);
  const length = lines.slice(from).findIndex((line) => !line.startsWith("|"));
  const written = rows.map((row) => `| ${row.join(" | ")} |`);
  const rule = `| ${head.map(() => "---").join(" | ")} |`;
  lines.splice(from, length < 0 ? lines.length : length, written[0]!, rule, ...written.slice(1));
  return lines.join("\n");
}

const WIDTH = 760;
const LEFT = 14;
const ROOM_HEIGHT = 26;
const GAP = 8;
const CHARACTER = 7.9;
const TITLE_HEIGHT = 28;

const STYLE = `text{font:13px ui-sans-serif,system-ui,sans-serif;fill:#1f2937}.wing{font-weight:700}.name{font:13px ui-monospace,monospace}
.band{fill:#f1f5f9;stroke:#94a3b8}.room{fill:#fff;stroke:#94a3b8}.arrow{stroke:#64748b;fill:none}
@media(prefers-color-scheme:dark){text{fill:#e5e7eb}.band{fill:#1e293b;stroke:#475569}.room{fill:#0f172a;stroke:#475569}}`;

/** From the title of its page. */
const purposeOf = (wing: string): string =>
  pageText(doorOf(wing))
    .split("\n")[0]!
    .replace(/^# \w+: /, "");

/** The wings on top of each other: each may import those below it. In each its rooms, which wrap. */
export function houseSvg(): string {
  const parts: string[] = [];
  let top = 0;
  for (const wing of Object.keys(WINGS).toReversed()) {
    const names = new Set(
      roomsIn(wing)
        .filter((room) => room !== wing)
        .map((room) => room.slice(wing.length + 1).replace(/\/NAME\/.*/, "")),
    );
    const bandTop = top;
    let [x, y] = [LEFT, top + TITLE_HEIGHT];
    const rooms: string[] = [];
    for (const name of names) {
      const width = Math.ceil(name.length * CHARACTER) + 16;
      if (x + width + GAP > WIDTH) [x, y] = [LEFT, y + ROOM_HEIGHT + GAP];
      rooms.push(
        `<rect class="room" x="${x}" y="${y}" width="${width}" height="${ROOM_HEIGHT}" rx="4"/>`,
        `<text class="name" x="${x + 8}" y="${y + 17}">${name}</text>`,
      );
      x += width + GAP;
    }
    const height = names.size === 0 ? TITLE_HEIGHT + 4 : y + ROOM_HEIGHT + GAP - bandTop;
    parts.push(
      `<rect class="band" x="0.5" y="${bandTop + 0.5}" width="${WIDTH - 1}" height="${height - 1}" rx="6"/>`,
      `<text x="${LEFT}" y="${bandTop + 20}"><tspan class="wing">${wing}</tspan> ${purposeOf(wing)}</text>`,
      ...rooms,
    );
    top += height + GAP;
  }
  const words = `The wings of src, each above those that it may import: ${Object.keys(WINGS).toReversed().join(", ")}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${top - GAP}" width="${WIDTH}" height="${top - GAP}" role="img" aria-label="${words}">
<style>${STYLE}</style>
${parts.join("\n")}
</svg>
`;
}

if (import.meta.main) {
  const write = (page: string, text: string): void => writeFileSync(join(root, page), text);
  write(PICTURE, houseSvg());
  write("ARCHITECTURE.md", withTable(pageText("ARCHITECTURE.md"), wingRows));
  for (const wing of Object.keys(WINGS)) {
    const page = doorOf(wing);
    write(page, withTable(pageText(page), roomRows(wing)));
  }
  console.log("written; npm run format puts the tables in line");
}
