import { execFile } from "node:child_process";
import { chmodSync, statSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { ask, CONFIG, FILES, secretIn, serving, SETTINGS, WORLD } from "./serving.ts";
import { folderWith, weir } from "./weir.ts";

test("without an argument there is a demo, and its lines come to what stands behind them", async () => {
  const folder = folderWith({});
  const { said, hears } = await serving(folder);
  await hears("dry-run");
  const lines = [...said().matchAll(/^ +(curl .*?) +# (\d+): /gm)];
  expect(lines.map(([, , status]) => status)).toEqual(["200", "401", "200", "429"]);
  for (const [, command = "", status] of lines) {
    const { stdout } = await promisify(execFile)("bash", ["-c", command]);
    expect(stdout).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(/^Retry-After: \d+\r$/m.test(stdout)).toBe(status === "429");
  }
  const [, why = ""] = /^ +(curl .*dry-run.*)$/m.exec(said())!;
  const { stdout } = await promisify(execFile)("bash", ["-c", why], { cwd: folder });
  expect(JSON.parse(stdout)).toMatchObject({ passes: false, status: 429, key: "demo" });
});

test("a world of one's own is found beside the file that names it", async () => {
  const { gateway, said } = await serving(folderWith(FILES), CONFIG);
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
    ["world.yaml: there is no such file or folder; weir.yaml:1 names it"],
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
    [
      "world.yaml SET-MISSING upstream is not set, and the API orders has no target of its own; write `upstream: http://HOST:PORT`, or `upstream: echo` to try things",
    ],
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
