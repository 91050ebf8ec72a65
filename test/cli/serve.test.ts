import { execFile } from "node:child_process";
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { ask, serving } from "./serving.ts";
import { folderWith, weir } from "./weir.ts";

const SETTINGS = "world: world.yaml\nupstream: echo\n";
const WORLD = `apis:
  orders: { listen: /orders }
keys:
  alice: { apis: [orders], rate: 2, per: 60 }
gateway: { algorithm: fixed_window }
`;
const files = { "conf/weir.yaml": SETTINGS, "conf/world.yaml": WORLD };
const CONFIG = ["--config", "conf/weir.yaml"];

const secretIn = (folder: string): string =>
  readFileSync(join(folder, ".weir/admin-secret"), "utf8").trim();

test("without an argument there is a demo, and its lines come to what stands behind them", async () => {
  const folder = folderWith({});
  const { said, hears } = await serving(folder);
  await hears("429: ");
  const lines = [...said().matchAll(/^ +(curl .*?) +# (\d+): /gm)];
  expect(lines.map(([, , status]) => status)).toEqual(["200", "401", "200", "429"]);
  for (const [, command = "", status] of lines) {
    const { stdout } = await promisify(execFile)("bash", ["-c", command]);
    expect(stdout).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(/^Retry-After: \d+\r$/m.test(stdout)).toBe(status === "429");
  }
});

test("a world of one's own is found beside the file that names it", async () => {
  const { gateway, said } = await serving(folderWith(files), CONFIG);
  expect(said()).toContain("1 API, 0 policies and 1 key of conf/world.yaml");
  const statuses = [];
  for (let i = 0; i < 3; i++)
    statuses.push((await ask(`${gateway}/orders`, { authorization: "alice" })).status);
  expect(statuses).toEqual([200, 200, 429]);
});

const at = (files: Record<string, string>, args: readonly string[], environment = {}) => {
  const { code, out, err } = weir(folderWith(files), ["serve", ...args], environment);
  return { code, out, said: err.trimEnd().split("\n") };
};

type Refused = readonly [
  what: string,
  files: Record<string, string>,
  args: readonly string[],
  said: readonly unknown[],
  environment?: Record<string, string>,
];

test.for([
  [
    "a file that is not there",
    {},
    ["--config", "gone.yaml"],
    ["gone.yaml: there is no such file or folder"],
  ],
  [
    "a world that is not there",
    { "weir.yaml": SETTINGS },
    [],
    ["world.yaml: there is no such file or folder (world of the settings)"],
  ],
  [
    "no world",
    { "weir.yaml": "drain: 1s\n" },
    [],
    [
      "weir.yaml SET-MISSING world is not set, so there is nothing to serve; write `world: FILE`, or say --world FILE",
    ],
  ],
  [
    "no upstream",
    { "world.yaml": WORLD },
    ["--world", "world.yaml"],
    [expect.stringContaining("upstream is not set")],
  ],
  [
    "faults here and there",
    { "weir.yaml": `${SETTINGS}drian: 1s\n`, "world.yaml": WORLD },
    ["--port", "x"],
    [
      'weir.yaml:3:1 SET-UNKNOWN-FIELD "drian" is not a field of the settings; did you mean "drain"?',
      '--port SET-VALUE "x" is not a whole number from 0 to 65535',
    ],
  ],
  [
    "a fault of the world",
    { "weir.yaml": SETTINGS, "world.yaml": WORLD.replace("rate: 2", "ratee: 2") },
    [],
    [
      expect.stringMatching(
        /^world\.yaml:4:28 CFG-UNKNOWN-MEMBER "ratee" .*did you mean "rate"\?$/,
      ),
      expect.stringContaining("CFG-PER-WITHOUT-RATE"),
    ],
  ],
  [
    "an address that is not here",
    {},
    ["--host", "192.0.2.1"],
    [
      expect.any(String),
      "weir: 192.0.2.1 is no address of this machine; listen.host says where to listen",
    ],
  ],
  [
    "a folder that cannot be written",
    {},
    [],
    [
      "weir: /dev/null/secret: a part of the path is not a folder; admin.secret_file says where the secret may lie",
    ],
    { WEIR_ADMIN_SECRET_FILE: "/dev/null/secret" },
  ],
] as readonly Refused[])(
  "%s is said, and nothing is served",
  ([, some, args, said, environment]) => {
    expect(at(some, args, environment)).toEqual({ code: 2, out: "", said });
  },
);

test.each([
  ["--port", "listen"],
  ["--admin-port", "admin"],
])("a port in use is one sentence that names %s", async (flag, what) => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as AddressInfo;
  const free = { WEIR_LISTEN_PORT: "0", WEIR_ADMIN_PORT: "0", WEIR_ADMIN_SECRET: "s" };
  const { code, said } = at({}, [flag, String(port)], {
    ...free,
    [`WEIR_${what.toUpperCase()}_PORT`]: "",
  });
  expect({ code, said }).toEqual({
    code: 2,
    said: [
      `weir: port ${port} of 127.0.0.1 is in use; ${what}.port (${flag}) says another one, and 0 takes any that is free`,
    ],
  });
});

test("the secret is made once, for its owner alone, and told once", async () => {
  const folder = folderWith({});
  const first = await serving(folder);
  expect(first.said()).toContain("a secret for Admin-Auth was made; .weir/admin-secret holds it");
  const secret = secretIn(folder);
  expect(first.said()).not.toContain(secret);
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(statSync(join(folder, ".weir/admin-secret")).mode & 0o777).toBe(0o600);
  chmodSync(join(folder, ".weir/admin-secret"), 0o644);
  const second = await serving(folder);
  expect(second.said()).not.toContain("was made");
  expect(second.said()).toContain(".weir/admin-secret can be read by others");
  expect(secretIn(folder)).toBe(secret);
});

test("the admin listener opens to its secret alone, and says errors in one form", async () => {
  const { admin } = await serving(folderWith({}), [], { WEIR_ADMIN_SECRET: "open sesame" });
  const reload = `${admin}/admin/reload`;
  const answers = await Promise.all([
    ask(reload, { method: "POST" }),
    ask(reload, { method: "POST", "admin-auth": "" }),
    ask(reload, { method: "POST", "admin-auth": "open sesam" }),
    ask(`${admin}/nothing`, {}),
    ask(`${admin}/nothing`, { "admin-auth": "open sesame" }),
    ask(reload, { "admin-auth": "open sesame" }),
    ask(reload, { method: "POST", "admin-auth": "open sesame", body: "x".repeat(1_100_000) }),
    ask(reload, { method: "POST", "admin-auth": "open sesame" }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 404, 405, 413, 200]);
  expect(answers[5].headers.allow).toBe("POST");
  for (const { text } of answers.slice(0, -1))
    expect(JSON.parse(text)).toEqual({ Status: "Error", Message: expect.any(String), Meta: null });
});

test("a reload takes all of a good configuration and nothing of a bad one, and counts go on", async () => {
  const folder = folderWith(files);
  const { gateway, admin, kill, hears, said } = await serving(folder, CONFIG);
  const orders = async (): Promise<number> =>
    (await ask(`${gateway}/orders`, { authorization: "alice" })).status;
  const world = (text: string): void => writeFileSync(join(folder, "conf/world.yaml"), text);
  const reload = () =>
    ask(`${admin}/admin/reload`, { method: "POST", "admin-auth": secretIn(folder) });
  expect([await orders(), await orders(), await orders()]).toEqual([200, 200, 429]);

  world(WORLD.replace("rate: 2", "rate: 3"));
  expect(JSON.parse((await reload()).text)).toEqual({
    Status: "OK",
    Message: "reloaded",
    Meta: { apis: 1, policies: 0, keys: 1, unchanged: [] },
  });
  expect([await orders(), await orders()]).toEqual([200, 429]);

  world(WORLD.replace("rate: 2", "rate: 9").replace("alice", "ratee: 3\n  alice"));
  const refused = await reload();
  expect(refused.status).toBe(400);
  expect(JSON.parse(refused.text)).toMatchObject({
    Status: "Error",
    Message: expect.stringContaining("conf/world.yaml:4:"),
  });
  expect(await orders()).toBe(429);
  expect(said()).toContain("refused, and the old one stays in force:\nconf/world.yaml:4:");

  world(WORLD.replace("rate: 2", "rate: 5"));
  writeFileSync(
    join(folder, "conf/weir.yaml"),
    `${SETTINGS}listen: { host: localhost }\nadmin: { secret: other }\n`,
  );
  kill("SIGHUP");
  await hears("weir: listen.host has changed, which the next start will obey");
  expect([await orders(), await orders(), await orders()]).toEqual([200, 200, 429]);
  expect((await reload()).status).toBe(401);
});

test("a reload under traffic drops no request", async () => {
  const folder = folderWith({
    ...files,
    "conf/world.yaml": WORLD.replace("rate: 2", "rate: 1000000"),
  });
  const { gateway, kill, hears } = await serving(folder, CONFIG);
  const statuses: number[] = [];
  const wanted = 200;
  const client = async (): Promise<void> => {
    while (statuses.length < wanted) {
      const { status } = await ask(`${gateway}/orders`, { authorization: "alice" });
      statuses.push(status);
      if (statuses.length % 40 === 20) kill("SIGHUP");
    }
  };
  await Promise.all(Array.from({ length: 8 }, client));
  await hears("weir: reloaded");
  expect(new Set(statuses)).toEqual(new Set([200]));
});
