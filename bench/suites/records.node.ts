// Records in a file of SQLite, with a million users and a million keys, beside what the database does when it is
// asked directly.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inChild } from "../child.node.ts";
import type { Candidate, Case, Suite } from "../harness.ts";
import type { Input, What } from "../records/ask.node.ts";

interface Scaled {
  readonly rows: number;
  readonly repeats: number;
}

const made = new Map<number, Promise<string>>();

/** Once for all cases, and gone with this process. */
function folderOf(rows: number): Promise<string> {
  const there = made.get(rows);
  if (there !== undefined) return there;
  const folder = mkdtempSync(join(tmpdir(), "weir-bench-records-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const making = inChild("records/make.node.ts", { folder, rows }).then(() => folder);
  made.set(rows, making);
  return making;
}

function candidate(
  name: string,
  role: Candidate["role"],
  what: What,
  asks: number,
  { rows }: Scaled,
): Candidate {
  const measure = async (): Promise<number> => {
    const input: Input = { what, asks, rows, inFlight: 128, folder: await folderOf(rows) };
    return (await inChild("records/ask.node.ts", input))["value"]!;
  };
  return { name, role, measure };
}

interface Aim {
  readonly name: string;
  readonly unit: string;
  readonly better: Case["better"];
  readonly value: number; // what is aimed at
  readonly ours: readonly [name: string, what: What, asks: number];
  readonly control: readonly [name: string, what: What, asks: number];
}

const AIMS: readonly Aim[] = [
  {
    name: "search that at most 1,000 users match, the slowest hundredth",
    unit: "ms",
    better: "less",
    value: 20,
    ours: ["search", "few", 500],
    control: ["select by primary key", "bare lookup", 500],
  },
  {
    name: "search for anything else, the slowest",
    unit: "ms",
    better: "less",
    value: 1_500,
    ours: ["search", "many", 0],
    control: ["select by primary key", "bare lookup", 500],
  },
  {
    name: "the last page of a list or a search, the slowest",
    unit: "ms",
    better: "less",
    value: 1_500,
    ours: ["last page", "far", 0],
    control: ["select by primary key", "bare lookup", 500],
  },
  {
    name: "how long searches keep the gateway's thread, at most",
    unit: "ms",
    better: "less",
    value: 20,
    ours: ["while searches run", "loop", 0],
    control: ["while nothing runs", "idle loop", 0],
  },
  {
    name: "key looked up by its hash, the slowest hundredth",
    unit: "ms",
    better: "less",
    value: 1,
    ours: ["lookup", "lookup", 5_000],
    control: ["select by primary key", "bare lookup", 5_000],
  },
  {
    name: "durable updates of keys a second, 128 in flight",
    unit: "/s",
    better: "more",
    value: 2_000,
    ours: ["updates", "updates", 10_000],
    control: ["one insert after the other", "bare inserts", 2_000],
  },
];

export const records: Suite = {
  name: "records",
  about: "searches, lookups and updates of a million records in a file",
  cases: (scale) => {
    const scaled =
      scale === "quick" ? { rows: 20_000, repeats: 1 } : { rows: 1_000_000, repeats: 3 };
    const { rows, repeats } = scaled;
    return AIMS.map(({ name, unit, better, value, ours, control }) => ({
      name: `${name}: ${rows.toLocaleString("en-GB")} users, as many keys`,
      unit,
      better,
      control: control[0],
      candidates: [
        candidate(ours[0], "ours", ours[1], ours[2], scaled),
        candidate(control[0], "control", control[1], control[2], scaled),
      ],
      targets: [{ candidate: ours[0], value }],
      repeats,
      warmUps: 0,
    }));
  },
};
