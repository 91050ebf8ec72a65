import { createServer } from "node:http";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { toMilliseconds } from "#src/kit/units.ts";
import { readSettings, type EffectiveSettings } from "#src/gateway/settings/read.ts";
import { worldFileSchema } from "#src/lab/scenario/page/schema.ts";
import { settingsSchema } from "#src/gateway/settings/schema.ts";
import { GROUPS, SETTING_NAMES, settingNamed, variableOf } from "#src/gateway/settings/table.ts";
import { wireOf } from "#src/gateway/serving/wire.ts";
import { DEFAULT_WIRE } from "#src/gateway/http/wire.ts";
import { conflictsIn } from "#src/gateway/settings/conflicts.ts";
import { readWorldFile } from "#src/gateway/settings/world.ts";

const read = (
  text: string | null,
  environment: Record<string, string> = {},
  flags: Record<string, string> = {},
): EffectiveSettings =>
  readSettings({
    file: text === null ? null : { file: "weir.yaml", text },
    environment,
    flags: new Map(Object.entries(flags)),
  });

const PORT = "listen.port";
const compile = (schema: object) => new Ajv2020({ strictTypes: false }).compile(schema);
const fitsSettings = compile(settingsSchema());
const fitsWorld = compile(worldFileSchema());

test("the file overrides a default, the environment the file, and a flag both", () => {
  const file = "world: w.yaml\nlisten:\n  port: 1000\n";
  const environment = { WEIR_LISTEN_PORT: "2000" };
  const all = [
    read(null),
    read(file),
    read(file, environment),
    read(file, environment, { port: "3000" }),
    read(file, {}, { port: "3000" }),
  ];
  expect(all.map(({ settings, origins }) => [settings![PORT], origins[PORT].words])).toEqual([
    [8080, "default"],
    [1000, "weir.yaml:3"],
    [2000, "WEIR_LISTEN_PORT"],
    [3000, "--port"],
    [3000, "--port"],
  ]);
  expect(all.map(({ origins }) => origins.world.words)).toEqual([
    "default",
    ...Array.from({ length: 4 }, () => "weir.yaml:1"),
  ]);
});

test("a file of another kind has one error, and one with a setting those of its YAML", () => {
  const page = "# Weir\n\n```console\n$ weir\n```\n- **a: b: c\n> `x`\n";
  expect(read(page).errors).toEqual([
    expect.stringMatching(
      /^weir\.yaml:\d+:\d+ error SET-YAML weir\.yaml is no file of settings: .+; name weir\.yaml, or leave --config out$/,
    ),
  ]);
  for (const text of [`world: w.yaml\n${page}`, `${page}"listen" : {`, `{ admin: [ ${page}`])
    expect([text, read(text).errors.join("\n")]).toEqual([
      text,
      expect.stringMatching(/this is not YAML 1\.2/),
    ]);
  expect(read("").errors.concat(read("# nothing\n").errors).join()).not.toContain("no file of");
});

test("a secret that no header can carry is refused, and not shown", () => {
  for (const secret of ['"nearly right"', "12345", '""', "é"])
    expect(read(`admin: { secret: ${secret} }`).errors).toEqual([
      "weir.yaml:1:18 error SET-VALUE this is not a string of printable ASCII without blanks; quote it where it is a number",
    ]);
  expect(read("admin: { secret: fifteen-letters }").errors).toEqual([
    "weir.yaml:1:18 error SET-VALUE this has fewer than 16 letters, and could be guessed; make one with: openssl rand -base64 24",
  ]);
  const sound = "x/9+_=x/9+_=x/9+";
  expect(read(`admin: { secret: '${sound}' }`).settings).toMatchObject({ "admin.secret": sound });
});

test("JSON is read as well", () => {
  const { settings, errors } = read('{ "world": "w.json",\n  "listen": { "port": 9 } }');
  expect(errors).toEqual([]);
  expect(settings).toMatchObject({ world: "w.json", "listen.port": 9 });
});

test("an empty variable has no effect, and neither has null in the file", () => {
  const { settings, origins } = read("world: null\nlisten:\n", { WEIR_LISTEN_PORT: "" });
  expect(settings).toMatchObject({ world: null, "listen.port": 8080 });
  expect(origins["listen.port"].by).toBe("default");
});

test.each([
  [
    "lisen: { port: 1 }",
    'weir.yaml:1:1 error SET-UNKNOWN-FIELD "lisen" is not a field of the settings; did you mean "listen"?',
  ],
  [
    "listen: { prot: 1 }",
    'weir.yaml:1:11 error SET-UNKNOWN-FIELD "prot" is not a field of listen; did you mean "port"?',
  ],
  [
    "listen: 8080",
    "weir.yaml:1:9 error SET-VALUE 8080 is not a map of host, port, tls_cert, tls_key",
  ],
  [
    "listen:\n  port: 70000",
    "weir.yaml:2:9 error SET-VALUE 70000 is not an integer from 0 to 65535",
  ],
  [
    "listen: { port: '80' }",
    'weir.yaml:1:17 error SET-VALUE "80" is not an integer from 0 to 65535',
  ],
  [
    "drain: 10",
    'weir.yaml:1:8 error SET-VALUE 10 is not a duration above 0, at most 576h; write it in us, ms, s, m or h: "1.1s", "250ms", "1m30s"',
  ],
  [
    "world: a\nworld: b",
    'weir.yaml:2:1 error SET-DUPLICATE-FIELD "world" is given twice; keep one of them',
  ],
  [
    "world: &w a",
    "weir.yaml:1:11 error SET-YAML-FEATURE &w is an anchor; write the value out where it is needed",
  ],
  ["[]", `weir.yaml:1:1 error SET-VALUE [] is not a map of ${[...GROUPS.keys()].join(", ")}`],
  ["", "weir.yaml:1:1 error SET-VALUE the file is empty; write at least `world: FILE`"],
  [
    "studio: { base: studio }",
    'weir.yaml:1:17 error SET-VALUE "studio" is not a path that begins with a slash and does not end in one; write a path such as "/manage"',
  ],
  [
    "health: { path: healthz }",
    'weir.yaml:1:17 error SET-VALUE "healthz" is not a path that begins with a slash; write a path such as "/healthz"',
  ],
  [
    "records: mysql",
    'weir.yaml:1:10 error SET-VALUE "mysql" is not sqlite, memory, off, or the address of a PostgreSQL; write "sqlite", "memory", "off" or "postgres://USER:PASSWORD@HOST:PORT/NAME"',
  ],
  [
    "webhook_allow: [10.0.0.0/8]",
    'weir.yaml:1:17 error SET-VALUE "10.0.0.0/8" is not a network and a port; write "10.0.0.0/8:443", "[fd00::/8]:443", or "127.0.0.1:*"',
  ],
  [
    "timeouts: { request: 2000h }",
    'weir.yaml:1:22 error SET-VALUE "2000h" is not a duration above 0, at most 576h; write it in us, ms, s, m or h: "1.1s", "250ms", "1m30s"',
  ],
  [
    "drain: 30d",
    'weir.yaml:1:8 error SET-VALUE "30d" is not a duration above 0, at most 576h; write it in us, ms, s, m or h: "1.1s", "250ms", "1m30s"',
  ],
  ["listen: { host: '' }", "weir.yaml:1:17 error SET-VALUE the string is empty; write some text"],
])("%j is rejected at its place", (text, problem) => {
  const { settings, errors } = read(text);
  expect(errors).toEqual([problem]);
  expect(settings).toBeNull();
});

test("a file that is not YAML is reported with its first broken place", () => {
  expect(read("world: [").errors[0]).toMatch(
    /^weir\.yaml:1:9 error SET-YAML this is not YAML 1\.2: /,
  );
});

test("all problems are reported at once, each with its origin", () => {
  const { errors } = read(
    "drain: soon\nuptream: x\n",
    { WEIR_LISTEN_PORT: "abc" },
    { "admin-port": "-1" },
  );
  expect(errors.map((fault) => fault.split(" ").slice(0, 3))).toEqual([
    ["weir.yaml:1:8", "error", "SET-VALUE"],
    ["weir.yaml:2:1", "error", "SET-UNKNOWN-FIELD"],
    ["WEIR_LISTEN_PORT", "error", "SET-VALUE"],
    ["--admin-port", "error", "SET-VALUE"],
  ]);
});

test("a problem has one line, also if its value has several", () => {
  const errors = ["80\n80", "redis://a\nb:0", "http://a\nb"].flatMap((value) =>
    SETTING_NAMES.flatMap((name) => read(null, { [variableOf(name)]: value }).errors),
  );
  expect(errors.length).toBeGreaterThan(SETTING_NAMES.length);
  expect(errors.filter((error) => error.includes("\n"))).toEqual([]);
});

test("a list is written with commas where there is one line for it", () => {
  const { settings } = read(null, { WEIR_TRUSTED_PROXIES: "10.0.0.0/8, ::1" });
  expect(settings?.trusted_proxies).toEqual(["10.0.0.0/8", "::1"]);
});

test.each([
  ["upstream: http://u:secret@there", "upstream is an address which contains a user name"],
  ["store: { url: 'redis://u:secret@there:123456' }", "redis://***@there:123456 has"],
  ["records: 'postgres://u:secret@there'", 'postgres://***@there" is not sqlite'],
  ["secrets: { key: secret }", "this is not at least 32 letters"],
  ["studio: { secret: 'secret of mine' }", "this is not a string of printable ASCII"],
])("%j is rejected without the password in the message", (text, problem) => {
  const [fault = ""] = read(text).errors;
  expect(fault).toContain(problem);
  expect(fault).not.toContain("secret");
});

test.each([
  ["workers: 2\nrecords: off", ["weir.yaml:1 error SET-TOGETHER"]],
  ["workers: 2\nrecords: off\nstore: { url: 'redis://a' }", []],
  ["workers: 2\nstore: { url: 'redis://a' }", ["weir.yaml:1 error SET-TOGETHER"]],
  ["store: { tls_key: k }", ["weir.yaml:1 error SET-TOGETHER"]],
  ["store: { tls_key: k, tls_cert: c }", []],
  ["workers: 2\nstore: { url: 'redis://a' }\nrecords: sqlite", ["weir.yaml:1 error SET-TOGETHER"]],
  ["workers: 2\nstore: { url: 'redis://a' }\nrecords: postgres://a/b", []],
  ["records: memory\nstudio: { base: /portal }", ["weir.yaml:2 error SET-TOGETHER"]],
  ["records: memory\nportal: { base: /studio, port: 0 }", []],
  [
    "records: memory\nportal: { base: /studio, port: 9 }\nstudio: { port: 9 }",
    ["weir.yaml:2 error SET-TOGETHER"],
  ],
  [
    "records: memory\ndashboard: { base: /admin-api, port: 8081 }",
    ["weir.yaml:2 error SET-TOGETHER"],
  ],
  ["records: off\nstudio: { base: /portal }", []],
  ["records: memory\nportal: { port: 8080 }", ["weir.yaml:2 error SET-TOGETHER"]],
  ["listen: { port: 8081 }", ["weir.yaml:1 error SET-TOGETHER"]],
  // A host is that of a port: none without one, and another one with the same number.
  ["records: memory\nportal: { host: 127.0.0.2 }", ["weir.yaml:2 error SET-TOGETHER"]],
  ["records: memory\nportal: { port: 8080, host: 127.0.0.2 }", []],
  ["records: memory\nstudio: { base: /portal, port: 8081, host: 127.0.0.2 }", []],
  [
    "records: memory\nstudio: { base: /x, port: 1, host: 127.0.0.2 }\nbroker: { base: /x, port: 1, host: 127.0.0.2 }",
    ["weir.yaml:3 error SET-TOGETHER"],
  ],
  ["listen: { port: 8081, host: 127.0.0.2 }", []],
  ["listen: { port: 0 }\nadmin: { port: 0 }", []],
  ["timeouts: { request_headers: 6m }", ["weir.yaml:1 error SET-TOGETHER"]],
  ["workers: 1\ntimeouts: { request: 9s }", ["weir.yaml:2 error SET-TOGETHER"]],
  ["timeouts: { request_headers: 5m }", []],
])("%j is checked as a whole", (text, problem) => {
  const inForce = read(text);
  const wrong = conflictsIn(inForce.settings!, inForce);
  expect(wrong.map((line) => line.split(" ", 3).join(" "))).toEqual(problem);
});

test("the longest time-out is one that a timer of Node holds", () => {
  const { settings } = read("timeouts: { keep_alive: 576h }");
  const server = createServer({
    keepAliveTimeout: toMilliseconds(settings!["timeouts.keep_alive"]),
  });
  const longest = server.keepAliveTimeout + server.keepAliveTimeoutBuffer;
  expect(longest).toBeLessThan(2 ** 31);
});

test("an unset setting has the gateway's default", () => {
  expect(wireOf(read(null).settings!)).toEqual(DEFAULT_WIRE);
});

test("a variable that is almost a setting is reported, one of another program is not", () => {
  const { warnings, errors } = read(null, {
    WEIR_LISTEN_PROT: "1",
    WEIR_PORT_8080_TCP: "tcp://x",
    WEIR_DEBUG: "1",
  });
  expect(errors).toEqual([]);
  expect(warnings).toEqual([
    "WEIR_LISTEN_PROT warning SET-UNKNOWN-VARIABLE this is no setting; did you mean WEIR_LISTEN_PORT?",
  ]);
});

test("no two settings share a variable or a flag, and every default fits its own setting", () => {
  const variables = SETTING_NAMES.map(variableOf);
  const flags = SETTING_NAMES.flatMap((name) => settingNamed(name).flag?.name ?? []);
  expect(new Set(variables).size).toBe(variables.length);
  expect(new Set(flags).size).toBe(flags.length);
  expect(read(null).errors).toEqual([]);
});

test.each([
  ["world: w.yaml\nlisten: { host: 0.0.0.0, port: 0 }\ndrain: 1m30s", true],
  ["lisen: {}", false],
  ["listen: { port: -1 }", false],
  ["upstream: ftp://there", false],
  ["store: { url: 'redis+cluster://a:1,b:2', tls_verify: false }", true],
  ["store: { url: localhost }", false],
  ["store: { prefix: '{' }", false],
  ["trusted_proxies: [10.0.0.0/8]\nlimits: { headers: 0 }", false],
  ["trusted_proxies: 10.0.0.0/8", false],
  ["upstream: echo", true],
  ["records: postgres://u@h:5432/name", true],
  ["records: postgresql://[::1]/name?sslmode=require", true],
  ["records: mysql://u@h/name", false],
  ["studio: { base: /, port: 0, catalogues: false }", true],
  ["studio: { base: /a/b-c.d }", true],
  ["studio: { base: /a/ }", false],
  ["studio: { base: '/:x' }", false],
  ["studio: { secret: '' }", false],
  ["page_size: 0", false],
  ["webhook_allow: ['127.0.0.1:*', '[::1/128]:80', '10.0.0.0/8:443']", true],
  ["webhook_allow: ['::1:80']", false],
  ["event_cooldown: 5", false],
])("the schema and the reader agree about %j", (text, isFine) => {
  expect([fitsSettings(parse(text)), read(text).errors.length === 0]).toEqual([isFine, isFine]);
});

test("a world is read as under `world:` of a scenario, with the places of its own file", () => {
  const { configuration, errors } = readWorldFile({
    file: "w.yaml",
    text: "apis:\n  orders: { listen: /orders, ratee: 3, per: 1 }\nnodes: 3\n",
  });
  expect(configuration).toBeNull();
  expect(errors).toEqual([
    'w.yaml:3:1 error CFG-UNKNOWN-FIELD "nodes" is not a field of a world; known here: apis, policies, keys, gateway',
    expect.stringMatching(/^w\.yaml:2:30 error CFG-UNKNOWN-FIELD "ratee" is not a field/),
  ]);
});

test.each([
  ["apis: { a: { listen: /a } }\nkeys: { k: { key_id: i, apis: [a], rate: 1, per: 1 } }", true],
  ["apis: {}\nnodes: 3", false],
  ["gateway: { algorithmm: gcra }", false],
])("the schema of worlds and their reader agree about %j", (text, isFine) => {
  const { errors } = readWorldFile({ file: "w.yaml", text });
  expect([fitsWorld(parse(text)), errors.length === 0]).toEqual([isFine, isFine]);
});
