// `weir serve` with records: what a start, a reload and an end do to them, and the commands that run meanwhile.
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  sendRequest,
  CONFIG,
  FILES,
  secretIn,
  serving,
  SETTINGS,
  WORLD,
  type Serving,
} from "./serving.ts";
import { folderWith, weir } from "./weir.ts";

const NAMED = {
  ...FILES,
  "conf/world.yaml": WORLD.replace("alice: {", "s-of-alice: { key_id: alice,"),
};
const KEYS = "/admin-api/admin/org/keys";

const put = (admin: string, secret: string, body: unknown) =>
  sendRequest(`${admin}${KEYS}/alice`, {
    method: "PUT",
    "admin-auth": secret,
    "content-type": "application/json",
    body: JSON.stringify(body),
  });

const statusOf = async ({ gateway }: Serving, credential = "s-of-alice"): Promise<number> =>
  (await sendRequest(`${gateway}/orders`, { authorization: credential })).status;

test("changes survive a kill, and the world is not read again", async () => {
  const folder = folderWith(NAMED);
  const first = await serving(folder, CONFIG);
  expect(first.output()).toContain(
    "weir: conf/world.yaml was imported into .weir/weir.db: 1 API, 0 policies and 1 key\n",
  );
  expect((await put(first.admin, secretIn(folder), { rate: 1 })).status).toBe(200);
  first.kill("SIGKILL");
  await first.exit;
  writeFileSync(join(folder, "conf/world.yaml"), "this is no world");
  const second = await serving(folder, CONFIG);
  expect(second.output()).toMatch(
    /^weir: \.weir\/weir\.db has records, so conf\/world\.yaml is not read; to use it, run .*weir\.node\.js import conf\/world\.yaml --replace$/m,
  );
  expect([await statusOf(second), await statusOf(second)]).toEqual([200, 429]);
  expect(await statusOf(second, "alice")).toBe(403);

  // While the gateway runs:
  const log = await weir(folder, ["audit", ...CONFIG]);
  expect(log.out.split("\n")[0]).toMatch(
    /^\d{4}-\d\d-\d\dT[\d:.]+Z {2}admin 127\.0\.0\.1 {2}updateKey {2}keys alice {2}rate: 2 > 1$/,
  );
  const { entries } = JSON.parse(
    (await weir(folder, ["audit", "--json", "--limit", "2", ...CONFIG])).out,
  );
  expect(entries).toMatchObject([
    { what: "updateKey", id: "alice", before: { rate: 2 }, after: { rate: 1 } },
    { what: "import", who: "weir", id: "alice", before: null },
  ]);
  const backup = (await weir(folder, ["export", "--secrets", ...CONFIG])).out;
  const refused = await weir(folder, ["import", "backup.yaml", "--replace", ...CONFIG]);
  expect(refused).toMatchObject({
    code: 2,
    err: expect.stringMatching(/backup\.yaml: there is no/),
  });
  writeFileSync(join(folder, "backup.yaml"), backup);
  const running = await weir(folder, ["import", "backup.yaml", "--replace", ...CONFIG]);
  expect(running).toMatchObject({ code: 2, out: "" });
  expect(running.err).toMatch(/^weir: .*weir\.db.*\n$/);
  expect((await weir(folder, ["export", ...CONFIG])).out).toContain("secret_hash: null");

  second.kill("SIGTERM");
  expect(await second.exit).toBe(0);
  expect((await weir(folder, ["import", "backup.yaml", ...CONFIG])).err).toContain(
    "--replace replaces their APIs",
  );
  // Lists what would be deleted, and deletes it only after a confirmation.
  writeFileSync(join(folder, "less.yaml"), "apis: { mail: { listen: /mail } }");
  const replacing = (...more: readonly string[]) =>
    weir(folder, ["import", "less.yaml", "--replace", ...more, ...CONFIG]);
  const named =
    "weir import: less.yaml lacks keys/alice, apis/orders, gateway/gateway of .weir/weir.db\n";
  expect(await replacing()).toMatchObject({
    code: 2,
    out: "",
    err: `${named}weir import: nothing has been changed; --yes deletes them\n`,
  });
  expect(await replacing("--yes")).toMatchObject({ code: 0, err: named });
  const went = JSON.parse((await weir(folder, ["audit", "--json", "--limit", "5", ...CONFIG])).out);
  expect(went.entries).toMatchObject([
    { what: "import", id: "mail", before: null },
    { what: "import", id: "gateway", after: null },
    { what: "import", id: "orders", after: null },
    { what: "import", id: "alice", after: null },
    { what: "import", family: "installation" },
  ]);
  const taken = await weir(folder, ["import", "backup.yaml", "--replace", "--yes", ...CONFIG]);
  expect(taken).toMatchObject({
    code: 0,
    out: "backup.yaml was imported into .weir/weir.db: 1 API, 0 policies and 1 key\n",
  });
  const off = await weir(folder, ["serve", "--world", "backup.yaml", "--upstream", "echo"], {
    WEIR_RECORDS: "off",
  });
  expect(off.err).toContain("keys with secret_hash need records, and records are off");
  const third = await serving(folder, CONFIG);
  expect([await statusOf(third), await statusOf(third)]).toEqual([200, 429]);
});

test("an import with a record that is too large names it, and changes nothing", async () => {
  const folder = folderWith(NAMED);
  const importing = (file: string, ...more: readonly string[]) =>
    weir(folder, ["import", file, ...more, ...CONFIG]);
  expect((await importing("conf/world.yaml")).code).toBe(0);
  const before = (await weir(folder, ["export", "--secrets", ...CONFIG])).out;
  const long = "x".repeat(70_000);
  const world = `apis: { new: { listen: /new } }\nkeys: { s-of-bob: { key_id: bob, apis: [new], alias: ${long} } }\n`;
  writeFileSync(join(folder, "large.yaml"), world);
  expect(await importing("large.yaml", "--replace", "--yes")).toMatchObject({
    code: 2,
    out: "",
    err: expect.stringMatching(
      /\nlarge\.yaml: keys bob: the record would have 7\d{4} bytes, and at most 65536 are stored: make it smaller, or raise limits\.record_bytes\n$/,
    ),
  });
  expect((await weir(folder, ["export", "--secrets", ...CONFIG])).out).toBe(before);
});

test("interfaces have secrets, bases and ports of their own, and a reload reads the secrets again", async () => {
  const settings = `${SETTINGS}
studio: { port: 0, base: /, secret: of-the-studio-alone }
portal: { base: /hooks }
broker: { port: 0, host: 127.0.0.2 }
`;
  const folder = folderWith({ ...NAMED, "conf/weir.yaml": settings });
  const server = await serving(folder, CONFIG);
  const { admin, output, waitFor, kill } = server;
  const [, studio] = /^studio +(\S+)\/$/m.exec(output())!;
  const [, broker] = /^broker +(http:\/\/127\.0\.0\.2:\S+)$/m.exec(output())!;
  expect(output()).toContain(`admin     ${admin} (/dashboard, /admin-api, /hooks)\n`);
  const of = (name: string): string =>
    readFileSync(join(folder, `.weir/${name}-secret`), "utf8").trim();
  const catalogues = async (secret: string): Promise<number> =>
    (await sendRequest(`${studio}/api/v1/catalogues`, { authorization: `Bearer ${secret}` }))
      .status;
  const statuses = await Promise.all([
    catalogues("of-the-studio-alone"),
    catalogues(of("dashboard")),
    ...[
      [`${admin}/hooks/portal-api/webhooks`, of("portal")],
      [`${admin}/hooks/portal-api/webhooks`, of("broker")],
      [`${broker}/api/profiles`, of("broker")],
      [`${admin}/studio/api/v1/catalogues`, "Bearer of-the-studio-alone"],
      [`${admin}/dashboard/api/users`, `Bearer ${of("dashboard")}`],
      [`${studio}/openapi.json`, ""],
      [`${admin}/hooks/openapi.json`, ""],
    ].map(async ([url, authorization]) => (await sendRequest(url!, { authorization })).status),
  ]);
  expect(statuses).toEqual([200, 401, 200, 401, 200, 401, 200, 200, 200]);
  writeFileSync(
    join(folder, "conf/weir.yaml"),
    settings.replace("of-the-studio-alone", "another-one-of-mine"),
  );
  writeFileSync(join(folder, "conf/world.yaml"), "this is no world");
  kill("SIGHUP");
  await waitFor("weir: reloaded: the settings");
  expect([
    await catalogues("of-the-studio-alone"),
    await catalogues("another-one-of-mine"),
  ]).toEqual([401, 200]);
  expect(await statusOf(server)).toBe(200);
});

const startProblems = async (folder: string, environment = {}): Promise<readonly string[]> =>
  (
    await weir(folder, ["serve", ...CONFIG], {
      WEIR_LISTEN_PORT: "0",
      WEIR_ADMIN_PORT: "0",
      ...environment,
    })
  ).err
    .trimEnd()
    .split("\n")
    .slice(-1);

test("records of another installation, or without their key, are one sentence", async () => {
  const folder = folderWith(NAMED);
  const first = await serving(folder, CONFIG);
  first.kill("SIGTERM");
  expect(await first.exit).toBe(0);
  const key = join(folder, ".weir/key");
  renameSync(key, join(folder, "kept"));
  expect(await startProblems(folder)).toEqual([
    "weir: .weir/weir.db needs its key: .weir/key: there is no such file or folder; set secrets.key_file to another place",
  ]);
  writeFileSync(key, "", { mode: 0o600 });
  expect(await startProblems(folder)).toEqual([
    "weir: .weir/weir.db needs its key: .weir/key is empty; restore it",
  ]);
  writeFileSync(key, "x".repeat(40));
  expect(await startProblems(folder)).toEqual([
    "weir: .weir/weir.db was created with another key than that of .weir/key; restore that key",
  ]);
  expect(await startProblems(folder, { WEIR_SECRETS_KEY: "y".repeat(40) })).toEqual([
    "weir: .weir/weir.db was created with another key than secrets.key; restore that key",
  ]);
  const backup = readFileSync(join(folder, "kept"), "utf8").trim();
  const { output } = await serving(folder, CONFIG, { WEIR_SECRETS_KEY: backup });
  expect(output()).toContain("1 key (settings: conf/weir.yaml)");
});

test("a place that holds no secret and takes none is one sentence", async () => {
  const folder = folderWith({ ...NAMED, "file/x": "", ".weir/studio-secret": "\n" });
  expect(await startProblems(folder)).toEqual([
    "weir: .weir/studio-secret is empty; delete it, and the next start creates a new secret",
  ]);
  writeFileSync(join(folder, ".weir/studio-secret"), "two words");
  expect(await startProblems(folder)).toEqual([
    "weir: .weir/studio-secret must contain one word of printable ASCII",
  ]);
  expect(await startProblems(folder, { WEIR_STUDIO_SECRET_FILE: "file/x/s" })).toEqual([
    "weir: file/x: a part of the path is not a folder; set studio.secret_file to another place",
  ]);
  const problems = Object.fromEntries(
    ["STUDIO", "DASHBOARD", "ADMIN", "BROKER", "PORTAL"].map((name) => [
      `WEIR_${name}_SECRET`,
      "s".repeat(16),
    ]),
  );
  expect(await startProblems(folder, { ...problems, WEIR_DATA: "file/x" })).toEqual([
    "weir: file/x: a file of this name exists already; set data (--data) to another folder",
  ]);
});

test("records that are not there, or were cut off, have no secrets made for them", async () => {
  const folder = folderWith({ ...NAMED, "cut/weir.db": "" });
  expect(await startProblems(folder, { WEIR_RECORDS: "postgres://127.0.0.1:9/none" })).toEqual([
    "weir: the database none at 127.0.0.1:9 cannot be reached",
  ]);
  expect(existsSync(join(folder, ".weir"))).toBe(false);
  expect(await startProblems(folder, { WEIR_DATA: "cut" })).toEqual([
    "weir: cut/weir.db is empty, as if it had been truncated: restore it from a backup, or delete it to start without records",
  ]);
  expect(readdirSync(join(folder, "cut"))).toEqual(["weir.db", "weir.db.lock"]);
});
