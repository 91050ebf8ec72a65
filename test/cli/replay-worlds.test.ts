// Logs that are replayed against whole worlds: keys, policies, endpoints, and what they read of a request.
import { expect, test } from "vitest";
import type { ReplayResult } from "#src/studies/replay/result.ts";
import { folderWith, weir } from "./weir.ts";

const replay = async (folder: string, ...args: readonly string[]) => {
  const { code, out, err } = await weir(folder, ["replay", ...args, "--json"]);
  return { code, err, result: JSON.parse(out) as ReplayResult };
};

const jsonLine = (second: number, key: string, path: string): string =>
  `${JSON.stringify({ time: `2026-01-05T10:00:${String(second).padStart(2, "0")}.5Z`, method: "GET", path, ip: "192.0.2.1", key })}\n`;

const WORLD = `apis:
  orders:
    listen: /orders
    endpoints: [{ path: /export, method: GET, rate: 1, per: 60 }]
  open: { listen: /open, keyless: true, key_by: ip, rate: 3, per: 60 }
policies:
  gold: { rate: 4, per: 60, apis: [orders] }
keys:
  secret-of-alice: { key_id: alice, apply_policies: [gold] }
gateway: { algorithm: fixed_window }
`;

test("a world decides by its policies, endpoints and keys, and rejects what it does not have", async () => {
  const paths = ["/orders/1", "/orders/export?a", "/orders/export", "/orders/2", "/nowhere"];
  const log = [
    ...paths.map((path, second) => jsonLine(second, "alice", path)),
    ...[5, 6, 7].map((second) => jsonLine(second, "secret-of-alice", "/orders/3")),
    jsonLine(8, "mallory", "/orders/4"),
  ].join("");
  const folder = folderWith({ "api.ndjson": log, "world.yaml": WORLD });
  const args = ["--world", "world.yaml", "--key", "field:key"];
  const { code, result } = await replay(folder, "api.ndjson", ...args);
  expect([code, result.candidates.length]).toEqual([0, 1]);
  // The second export is refused by its endpoint. Both names are one key, of which four requests are admitted.
  const [world] = result.candidates;
  expect(world).toMatchObject({ world: "world.yaml", limit: null, refused: 3, rejected: 2 });
  expect(world!.clients.map(({ client, refused }) => [client, refused])).toEqual([
    ["secret-of-alice", 2],
    ["alice", 1],
  ]);
});

test("clients of a world by address have the limits of APIs without keys, as a limit alone has", async () => {
  const log = Array.from({ length: 9 }, (_, second) => jsonLine(second, "", "/open/a")).join("");
  const folder = folderWith({ "api.ndjson": log, "world.yaml": WORLD });
  const both = ["--world", "world.yaml", "--limit", "3/1m", "--algorithm", "fixed_window"];
  const { result } = await replay(folder, "api.ndjson", ...both);
  const [limit, world] = result.candidates;
  expect([limit!.refused, limit!.clients]).toEqual([world!.refused, world!.clients]);
  expect(world!.refused).toBe(6);
});

/** Each of these headers, and the address, has one request; the rest is refused. */
const BY_SENDER = `apis:
  plans: { listen: /plans, keyless: true, key_by: { header: X-Plan }, rate: 1, per: 60 }
  near: { listen: /near, keyless: true, key_by: ip, rate: 1, per: 60 }
gateway: { algorithm: fixed_window }
`;

test("a world that counts by a header or an address reads them from the log", async () => {
  const rows = [
    ["/plans", "gold", "192.0.2.1"],
    ["/plans", "gold", "192.0.2.2"],
    ["/plans", "silver", "192.0.2.1"],
    ["/near", "gold", "192.0.2.1"],
    ["/near", "gold", "192.0.2.2"],
    ["/near", "silver", "192.0.2.2"],
  ].map(([path, plan, ip], second) =>
    JSON.stringify({
      time: `2026-01-05T10:00:0${second}.5Z`,
      method: "GET",
      path,
      ip,
      user: "u",
      headers: { "X-Plan": plan },
    }),
  );
  const folder = folderWith({ "api.ndjson": rows.join("\n"), "world.yaml": BY_SENDER });
  const args = ["--world", "world.yaml", "--key", "user"];
  const { code, err, result } = await replay(folder, "api.ndjson", ...args);
  expect([code, err, result.candidates[0]!.refused]).toEqual([0, "", 2]);
});

test("a log without the header by which a world counts is named", async () => {
  const log = [0, 1].map((second) => jsonLine(second, "k", "/plans")).join("");
  const folder = folderWith({ "api.ndjson": log, "world.yaml": BY_SENDER });
  const { code, err, result } = await replay(folder, "api.ndjson", "--world", "world.yaml");
  expect([code, result.candidates[0]!.refused]).toEqual([0, 1]);
  expect(err).toBe(
    "warning: api.ndjson has no header:x-plan, by which a limit counts; its requests are decided without it\n",
  );
  expect(result.logs[0]!.absentFields).toEqual(["header:x-plan"]);
});

test("lines without a method and a path are counted apart", async () => {
  const log = `${jsonLine(1, "alice", "/orders/1")}${jsonLine(2, "alice", "-")}`;
  const folder = folderWith({ "api.ndjson": log, "world.yaml": WORLD });
  const args = ["--world", "world.yaml", "--key", "field:key"];
  const { code, result } = await replay(folder, "api.ndjson", ...args);
  expect([code, result.requests]).toEqual([0, 1]);
  expect(result.logs[0]).toMatchObject({ withoutEndpoint: 1, unreadable: 0 });
  const { out } = await weir(folder, ["replay", "api.ndjson", ...args]);
  expect(out).toContain("2 lines, 1 without a method and path, 1 replayed");
  const none = await replay(folder, "api.ndjson", ...args, "--path", "field:missing");
  expect([none.code, none.err]).toEqual([
    2,
    expect.stringContaining("name their columns by --method field:NAME and --path field:NAME"),
  ]);
});

test("--method and --path name the columns of a log that calls them otherwise", async () => {
  const rows = [1, 2].map((second) => `2026-01-05T10:00:0${second}.5Z,get,GET,/orders/export?a`);
  const log = `time,user,do,where\n${rows.join("\n")}\n`;
  const folder = folderWith({
    "api.csv": log,
    "world.yaml": WORLD.replace("key_id: alice", "key_id: get"),
  });
  const args = ["--world", "world.yaml", "--key", "user"];
  const { out, err } = await weir(folder, ["replay", "api.csv", ...args]);
  expect([out, err]).toEqual([
    "",
    "weir replay: api.csv: no column has method; the columns of the log are time, user, do, where: choose one with --method field:NAME\n",
  ]);
  const named = ["--method", "field:do", "--path", "field:where"];
  const { code, result } = await replay(folder, "api.csv", ...args, ...named);
  expect([code, result.candidates[0]]).toMatchObject([0, { refused: 1, rejected: 0 }]);
});
