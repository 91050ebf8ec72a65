// A start that fails leaves nothing: no data folder, no secret, no log.
import { existsSync, readdirSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { serving, SETTINGS, WORLD } from "./serving.ts";
import { folderWith, weir, weirProcess } from "./weir.ts";

const FREE = { WEIR_LISTEN_PORT: "0", WEIR_ADMIN_PORT: "0" };
const FILES = { "weir.yaml": SETTINGS, "world.yaml": WORLD };

async function occupyPort(): Promise<string> {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void taken.close());
  return String((taken.address() as AddressInfo).port);
}

interface FailedStart {
  readonly what: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly sentence: RegExp;
  readonly code?: number;
}

const starts: readonly FailedStart[] = [
  {
    what: "a missing world",
    args: ["--world", "none.yaml"],
    sentence: /^none\.yaml: there is no such file or folder; --world names it\n$/,
  },
  {
    what: "a missing world, and records in memory",
    args: ["--world", "none.yaml", "--records", "memory"],
    sentence: /^none\.yaml: there is no such file or folder; --world names it\n$/,
  },
  {
    what: "a world with an error",
    files: { ...FILES, "world.yaml": WORLD.replace("rate: 2", "rate: two") },
    sentence: /^world\.yaml:4:\d+ error CFG-\S+ [^\n]+\n$/,
  },
  {
    what: "a data folder that is a file",
    args: ["--data", "world.yaml", "--records", "sqlite"],
    sentence:
      /^weir: world\.yaml: a file of this name exists already; set data \(--data\) to another folder\n$/,
  },
  {
    what: "a log that cannot be saved",
    environment: { WEIR_LOG_TO: "file", WEIR_LOG_FILE: "world.yaml/log" },
    sentence:
      /^weir: world\.yaml: a part of the path is not a folder; set log\.file to another file\n$/,
  },
  {
    what: "the last of five secrets that cannot be saved",
    environment: { WEIR_PORTAL_SECRET_FILE: "world.yaml/secret" },
    sentence:
      /^weir: world\.yaml: a part of the path is not a folder; set portal\.secret_file to another place\n$/,
  },
  {
    what: "a key that cannot be saved",
    environment: { WEIR_SECRETS_KEY_FILE: "world.yaml/key" },
    sentence:
      /^weir: world\.yaml: a part of the path is not a folder; set secrets\.key_file to another place\n$/,
  },
  {
    what: "an address of another machine",
    args: ["--host", "192.0.2.1"],
    sentence: /^weir: 192\.0\.2\.1 is not an address of this machine; set listen\.host to one\n$/,
  },
  {
    what: "a store that does not respond",
    args: ["--store", "redis://127.0.0.1:1"],
    sentence: /^weir: no store responds at redis:\/\/127\.0\.0\.1:1: [^\n]+\n$/,
    code: 3,
  },
  {
    what: "a database that does not respond",
    args: ["--records", "postgres://127.0.0.1:1/weir"],
    sentence: /^weir: the database weir at 127\.0\.0\.1:1 cannot be reached\n$/,
    code: 3,
  },
];

test.each(starts)("$what is one sentence, and nothing is left", async (start) => {
  const folder = folderWith(start.files ?? FILES);
  const environment = { ...FREE, ...start.environment };
  const { code, out, err } = await weir(folder, ["serve", ...(start.args ?? [])], environment);
  expect(err).toMatch(start.sentence);
  expect({ code, out }).toEqual({ code: start.code ?? 2, out: "" });
  expect(readdirSync(folder).toSorted()).toEqual(["weir.yaml", "world.yaml"]);
});

test.each(["listen", "admin", "portal"])(
  "a port of %s in use is one sentence, and nothing is left",
  async (name) => {
    const folder = folderWith(FILES);
    const port = await occupyPort();
    const environment = { ...FREE, [`WEIR_${name.toUpperCase()}_PORT`]: port };
    const { code, err } = await weir(folder, ["serve"], environment);
    expect(err).toMatch(
      new RegExp(`^weir: port ${port} of 127\\.0\\.0\\.1 is in use; set ${name}\\.port [^\n]+\n$`),
    );
    expect(code).toBe(2);
    expect(readdirSync(folder).toSorted()).toEqual(["weir.yaml", "world.yaml"]);
  },
);

test("records that need their key cause no new secrets without it", async () => {
  const folder = folderWith(FILES);
  const first = await serving(folder);
  first.kill("SIGTERM");
  await first.exit;
  for (const file of readdirSync(`${folder}/.weir`))
    if (!file.startsWith("weir.db")) rmSync(`${folder}/.weir/${file}`);
  const { code, err } = await weir(folder, ["serve"], FREE);
  expect(err).toMatch(/^weir: \.weir\/weir\.db needs its key: [^\n]+\n$/);
  expect(code).toBe(2);
  expect(readdirSync(`${folder}/.weir`).filter((file) => !file.startsWith("weir.db"))).toEqual([]);
});

test("the folder of a log is created when the gateway starts", async () => {
  const folder = folderWith(FILES);
  await serving(folder, [], { WEIR_LOG_TO: "file", WEIR_LOG_FILE: "new/logs/access.log" });
  expect(existsSync(`${folder}/new/logs/access.log`)).toBe(true);
});

// As processes: a recursive mkdir below /proc never ends, and no signal reaches it.
test.skipIf(!existsSync("/proc/self")).each([
  [
    "serve --data /proc/weir",
    "weir: /proc/weir: this place cannot be written to; set data (--data) to another folder\n",
  ],
  ["site --out /proc/weir", "weir site: /proc/weir: this place cannot be written to\n"],
  [
    "bench core --quick --out /proc/weir/x.json",
    "weir bench: /proc/weir/x.json: this place cannot be written to\n",
  ],
])("weir %s ends with one sentence", (line, sentence) => {
  const folder = folderWith({});
  const { code, err } = weirProcess(folder, line.split(" "), FREE);
  expect(err.replace(/^.* --help lists its flags\n/m, "")).toBe(sentence);
  expect(code).toBe(2);
  expect(readdirSync(folder)).toEqual([]);
});
