// Which spellings of a path real routers take for one, and that the settings of docs/serve/endpoint-spellings.md leave none of them
// outside a limit (EPT-C7).
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { gatewayTo, message, readWorld, speak, statuses } from "../wire.ts";
import { MARKED_PATH, PATH, ROUTER_SERVERS } from "./router-servers.ts";

const page = readFileSync(
  join(import.meta.dirname, "../../../../docs/serve/endpoint-spellings.md"),
  "utf8",
);
const rowsAfter = (heading: string): readonly (readonly string[])[] => {
  const [, section = ""] = page.split(heading);
  const [, table = ""] = /((?:^\|.*\n)+)/m.exec(section) ?? [];
  return table
    .split("\n")
    .map((line) => line.split("|").slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim().replaceAll("`", "")))
    .filter(([first = "---"]) => !first.startsWith("---"));
};
const [[, , ...servers] = [], ...tested] = rowsAfter("## Tested");
const settings = new Map(
  rowsAfter("## Settings").map(([server = "", matching = ""]) => [server, matching]),
);
const uncovered = [...page.matchAll(/^- `(\S+ \S+)`:/gm)].map(([, spelling]) => spelling);

const worldWith = (endpointMatching: unknown, marked = "/bulk!export"): unknown => ({
  apis: {
    orders: {
      listen: "/orders",
      keyless: true,
      endpoints: ["/export", marked].map((path) => ({ path, method: "GET", rate: 1, per: 600 })),
    },
  },
  gateway: { endpoint_matching: endpointMatching },
});

const requestWith = async (url: URL, spelling: string): Promise<string> => {
  const lines = [`${spelling} HTTP/1.1`, "Host: g", "Connection: close"];
  return (await speak(url, message(...lines))).text;
};
const statusOf = (text: string): number => statuses(text)[0]!;
const isMarked = (spelling: string): boolean => spelling.includes("bul");
/** Both limits are spent by the plain spellings. */
const spend = async (url: URL): Promise<void> => {
  for (const path of [PATH, MARKED_PATH])
    expect(statusOf(await requestWith(url, `GET ${path}`))).toBe(200);
};

test("the page shows all servers, and enough spellings", () => {
  expect(servers).toEqual(Object.keys(ROUTER_SERVERS));
  expect(tested.length).toBeGreaterThan(15);
  expect(uncovered).toHaveLength(3);
});

test("the gateway by default", async () => {
  const upstream = createServer((_, answer) => answer.end());
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void upstream.close());
  const { port } = upstream.address() as AddressInfo;
  const { url } = await gatewayTo(new URL(`http://127.0.0.1:${port}`), {}, worldWith({}));
  await spend(url);
  const shown = tested.map(([spelling = "", cell]) => [spelling, cell]);
  const seen = [];
  for (const [spelling = ""] of tested)
    seen.push([spelling, CELLS.get(statusOf(await requestWith(url, spelling)))]);
  expect(seen).toEqual(shown);
});

const CELLS: ReadonlyMap<number, string> = new Map([
  [429, "same"],
  [200, "other"],
  [400, "400"],
  [404, "404, no API"],
]);

describe.each(Object.entries(ROUTER_SERVERS))("%s", (name, start) => {
  const cells = tested.map((row) => [row[0]!, row[2 + servers.indexOf(name)]!] as const);

  test("treats the spellings as the same path that the page lists", async () => {
    const { url, runs } = await start();
    for (const path of [PATH, MARKED_PATH]) await requestWith(url, `GET ${path}`);
    expect(runs()).toBe(2);
    const seen = [];
    for (const [spelling] of cells) {
      const before = runs();
      await requestWith(url, spelling);
      seen.push([spelling, runs() > before ? "same" : "other"]);
    }
    expect(seen).toEqual(cells);
  });

  test.each([
    ["by default its spellings evade the limit of an endpoint", "{}"],
    ["with the settings of the page none does but those that it names", settings.get(name)!],
  ])("%s", async (_, matching) => {
    const { url, runs } = await start();
    const gateway = await gatewayTo(url, {}, worldWith(parse(matching)));
    await spend(gateway.url);
    const evading: string[] = [];
    for (const [spelling] of cells) {
      const before = runs();
      await requestWith(gateway.url, spelling);
      if (runs() > before) evading.push(spelling);
    }
    const isOther = (spelling: string): boolean => CELLS_BY_DEFAULT.get(spelling) === "other";
    const same = cells.filter(([, cell]) => cell === "same").map(([spelling]) => spelling);
    const open = same.filter((spelling) => isOther(spelling));
    // A second slash at the end is joined with the first on the way.
    if (open.includes("GET /orders/export/")) open.push("GET /orders/export//");
    const expected = matching === "{}" ? open : open.filter((each) => uncovered.includes(each));
    expect(evading.toSorted()).toEqual(expected.toSorted());
  });
});

const CELLS_BY_DEFAULT = new Map(tested.map(([spelling = "", cell = ""]) => [spelling, cell]));

test("an asterisk in place of a mark covers its escape", async () => {
  const { url, runs } = await ROUTER_SERVERS["Fastify"]!();
  const gateway = await gatewayTo(url, {}, worldWith({}, "/bulk*export"));
  await spend(gateway.url);
  const spelling = tested.map(([each = ""]) => each).find(isMarked)!;
  expect(statusOf(await requestWith(gateway.url, spelling))).toBe(429);
  expect(runs()).toBe(2);
});

test("every row of settings can be served", () => {
  const rows = [...settings].slice(1);
  expect(rows.length).toBeGreaterThan(8);
  for (const [, matching = ""] of rows) readWorld(worldWith(parse(matching)));
  const [, example = ""] = /```yaml\n([^]*?)```/.exec(page) ?? [];
  readWorld({ ...Object(worldWith({})), ...parse(example) });
});
