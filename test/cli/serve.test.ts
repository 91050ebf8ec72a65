import { execFile } from "node:child_process";
import { chmodSync, readFileSync, statSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { AS_IT_IS, sendRequest, CONFIG, FILES, serving, SETTINGS, WORLD } from "./serving.ts";
import { folderWith, weir } from "./weir.ts";

test("without an argument there is a demo, and its commands give the results in their comments", async () => {
  const folder = folderWith({});
  const { output, waitFor } = await serving(folder);
  await waitFor("dry-run");
  const lines = [...output().matchAll(/^ +(curl .*?) +# (\d+): /gm)];
  expect(lines.map(([, , status]) => status)).toEqual(["200", "401", "200", "429"]);
  for (const [, command = "", status] of lines) {
    const { stdout } = await promisify(execFile)("bash", ["-c", command]);
    expect(stdout).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(/^Retry-After: \d+\r$/m.test(stdout)).toBe(status === "429");
  }
  const [, why = ""] = /^ +(curl .*dry-run.*)$/m.exec(output())!;
  const { stdout } = await promisify(execFile)("bash", ["-c", why], { cwd: folder });
  expect(JSON.parse(stdout)).toMatchObject({ passes: false, status: 429, key: "demo" });
  const [, raise = ""] = /^ +(curl .*PUT.*)$/m.exec(output())!;
  const raised = await promisify(execFile)("bash", ["-c", raise], { cwd: folder });
  expect(JSON.parse(raised.stdout)).toMatchObject({ ID: "demo", Message: "Key updated" });
  const again = await promisify(execFile)("bash", ["-c", lines[0]![1]!]);
  expect(again.stdout).toMatch(/^X-RateLimit-Limit: 50\r$/m);
});

/** How many sockets listen at the port, as the kernel lists them. */
function countListening(gateway: string): number {
  const port = Number(new URL(gateway).port).toString(16).toUpperCase().padStart(4, "0");
  const rows = readFileSync("/proc/net/tcp", "utf8").split("\n");
  return rows.filter((row) => new RegExp(`^ *\\d+: \\w+:${port} \\w+:0000 0A `).test(row)).length;
}

test.each([
  [{}, "records   .weir/weir.db: 1 API, 0 policies and 1 key"],
  [AS_IT_IS, "world     conf/world.yaml: 1 API, 0 policies and 1 key"],
])("a world file is found in the folder of the file that names it", async (environment, what) => {
  const { gateway, output } = await serving(folderWith(FILES), CONFIG, environment);
  expect(output()).toContain(what);
  const statuses = [];
  for (let i = 0; i < 3; i++)
    statuses.push((await sendRequest(`${gateway}/orders`, { authorization: "alice" })).status);
  expect(statuses).toEqual([200, 200, 429]);
  expect(countListening(gateway)).toBe(256); // docs/decisions/060-several-sockets-accept.md
});

const at = async (files: Record<string, string>, args: readonly string[], environment = {}) => {
  const { code, out, err } = await weir(folderWith(files), ["serve", ...args], environment);
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
    AS_IT_IS,
  ],
  [
    "no world",
    { "weir.yaml": "drain: 1s\n" },
    [],
    [
      "weir.yaml error SET-MISSING world is not set, so there is nothing to serve; write `world: FILE`, or add --world FILE",
    ],
    AS_IT_IS,
  ],
  [
    "no upstream",
    { "world.yaml": WORLD },
    ["--world", "world.yaml"],
    [
      "world.yaml error SET-MISSING upstream is not set, and the API orders has no target of its own; write `upstream: http://HOST:PORT`, or `upstream: echo` to try things",
    ],
    AS_IT_IS,
  ],
  [
    "faults here and there",
    { "weir.yaml": `${SETTINGS}drian: 1s\n`, "world.yaml": WORLD },
    ["--port", "x"],
    [
      'weir.yaml:3:1 error SET-UNKNOWN-FIELD "drian" is not a field of the settings; did you mean "drain"?',
      '--port error SET-VALUE "x" is not an integer from 0 to 65535',
    ],
  ],
  [
    "a fault of the world",
    { "weir.yaml": SETTINGS, "world.yaml": WORLD.replace("rate: 2", "ratee: 2") },
    [],
    [
      expect.stringMatching(
        /^world\.yaml:4:28 error CFG-UNKNOWN-FIELD "ratee" .*did you mean "rate"\?$/,
      ),
    ],
    AS_IT_IS,
  ],
  [
    "an address that is not here",
    {},
    ["--host", "192.0.2.1"],
    ["weir: 192.0.2.1 is not an address of this machine; set listen.host to one"],
    AS_IT_IS,
  ],
  [
    "a folder that cannot be written",
    {},
    [],
    ["weir: /dev/null: a part of the path is not a folder; set admin.secret_file to another place"],
    { ...AS_IT_IS, WEIR_ADMIN_SECRET_FILE: "/dev/null/secret" },
  ],
] as readonly Refused[])(
  "%s is reported, and nothing is served",
  async ([, some, args, problem, environment]) => {
    expect(await at(some, args, environment)).toEqual({ code: 2, out: "", said: problem });
  },
);

const NGINX = `limit_req_zone $http_x_client zone=login:1m rate=1r/m;
server { location /login { limit_req zone=login; limit_req_status 429; limit_conn places 3; proxy_pass http://a; } }
`;

test("with the file of another limiter it answers as that limiter, and counts what it refused", async () => {
  const { gateway, output, kill, exit } = await serving(folderWith({ "nginx.conf": NGINX }), [
    "--config=nginx.conf",
  ]);
  const send = async (client: string): Promise<number> =>
    (await sendRequest(`${gateway}/login`, { "x-client": client })).status;
  expect([await send("a"), await send("a"), await send("b")]).toEqual([200, 429, 200]);
  kill("SIGHUP");
  kill("SIGTERM");
  expect(await exit).toBe(0);
  expect(output().split("\n")).toEqual([
    `gateway   ${gateway} (admitted requests get 200)`,
    "rules     nginx.conf: 1 limit of nginx",
    "warning: nginx.conf:2 is not understood: limit_conn places 3: it limits connections at the same time, which this reader does not read",
    "ready",
    "weir: SIGHUP: nginx.conf is read at the start only; start again",
    "weir: SIGTERM: draining: running requests may finish, and another signal stops at once",
    "nginx.conf refused 1 of 3 requests",
    "  1 refused by zone login, burst 0, status 429",
    "",
  ]);
});

test.each([
  [["--kind=nginx"], {}, "--kind needs --config; add --config FILE"],
  [
    ["--config=nginx.conf", "--workers=2"],
    { "nginx.conf": NGINX },
    "--workers is of Weir's own gateway, and nginx.conf is not; remove one",
  ],
  [
    ["--config=a.conf", "--kind=nginx"],
    { "a.conf": "server { listen 80; }" },
    "a.conf has no limit, so that no request would be refused; name another file",
  ],
  [
    ["--config=nginx.conf", "--set=plan"],
    { "nginx.conf": NGINX },
    '--set must be NAME=VALUE, such as --set http_x_plan=free; got "plan"',
  ],
  [
    ["--config=nginx.conf", "--kind=ngnix"],
    { "nginx.conf": NGINX },
    '--kind: there is no reader "ngnix"; there are ',
  ],
  [
    ["--config=nginx.conf"],
    { "nginx.conf": `${NGINX}# {{ zones }}` },
    "nginx.conf is a template; render it, and name the rendered file",
  ],
  [["--config=tyk"], { "tyk/a.txt": "" }, "tyk is a folder without files of "],
  [
    ["--config=nginx.conf", "--upstream=ftp://a"],
    { "nginx.conf": NGINX },
    "--upstream error SET-VALUE ",
  ],
])("%j serves no file of another limiter", async (args, files, problem) => {
  const { code, out, said } = await at(files, args);
  expect([code, out, said[0]]).toEqual([2, "", expect.stringContaining(`weir serve: ${problem}`)]);
});

test.each([
  ["--port", "listen"],
  ["--admin-port", "admin"],
])("a port in use is one sentence that names %s", async (flag, what) => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as AddressInfo;
  const free = {
    ...AS_IT_IS,
    WEIR_LISTEN_PORT: "0",
    WEIR_ADMIN_PORT: "0",
    WEIR_ADMIN_SECRET: "s".repeat(16),
  };
  const { code, said } = await at({}, [flag, String(port)], {
    ...free,
    [`WEIR_${what.toUpperCase()}_PORT`]: "",
  });
  expect({ code, said }).toEqual({
    code: 2,
    said: [
      `weir: port ${port} of 127.0.0.1 is in use; set ${what}.port (${flag}) to another one, or to 0 for any free one`,
    ],
  });
});

test.each(["listen", "admin"])(
  "an address that nothing can listen at is one sentence that names %s.host, and nothing is served",
  async (what) => {
    const environment = { ...AS_IT_IS, WEIR_LISTEN_PORT: "0", WEIR_ADMIN_PORT: "0" };
    const { code, said } = await at({}, [], {
      ...environment,
      WEIR_ADMIN_SECRET: "s".repeat(16),
      [`WEIR_${what.toUpperCase()}_HOST`]: "fe80::1", // of which interface?
    });
    expect([code, said.at(-1)]).toEqual([
      2,
      `weir: fe80::1 is not an address of this machine; set ${what}.host to one`,
    ]);
  },
);

test("secrets are created once, only for their owner, and reported once", async () => {
  const folder = folderWith(FILES);
  const files = ["studio", "dashboard", "admin", "broker", "portal"].map(
    (name) => `.weir/${name}-secret`,
  );
  const first = await serving(folder, CONFIG);
  expect(first.output()).toContain(
    `created secrets that only this user can read: ${files.join(", ")}\n`,
  );
  expect(first.output()).toContain(
    "created .weir/key, which protects keys and secrets in the records. Back it up: without it the records are unusable\n",
  );
  const textOf = (file: string): string => readFileSync(join(folder, file), "utf8").trim();
  const texts = [...files, ".weir/key"].map(textOf);
  expect(new Set(texts).size).toBe(6);
  for (const text of texts) {
    expect(first.output()).not.toContain(text);
    expect(text).toMatch(/^[\w-]{43}$/);
  }
  for (const file of [...files, ".weir/key", ".weir/weir.db"])
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  first.kill("SIGKILL");
  await first.exit;
  chmodSync(join(folder, ".weir/admin-secret"), 0o644);
  const open = await weir(folder, ["serve", ...CONFIG]);
  expect(open).toMatchObject({
    code: 2,
    err: "weir: .weir/admin-secret is open to its group or to others (mode 0644); chmod 600 .weir/admin-secret\n",
  });
  chmodSync(join(folder, ".weir/admin-secret"), 0o600);
  for (const [mode, environment] of [
    [0o777, {}],
    [0o1777, AS_IT_IS],
    [0o770, {}],
  ] as const) {
    chmodSync(join(folder, ".weir"), mode);
    expect(await weir(folder, ["serve", ...CONFIG], environment)).toMatchObject({
      code: 2,
      err: expect.stringContaining(
        `weir: .weir is writable for its group or for others (mode ${mode.toString(8).padStart(4, "0")}), so other users could replace the secrets in it; chmod go-w .weir\n`,
      ),
    });
  }
  chmodSync(join(folder, ".weir"), 0o755); // to be read by others is no harm
  const second = await serving(folder, CONFIG);
  expect(second.output()).not.toContain("created");
  expect([...files, ".weir/key"].map(textOf)).toEqual(texts);
});
