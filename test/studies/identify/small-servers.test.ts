// Ten small servers over HTTP in real time, side by side: each is named with its own numbers, or it stays undecided with what
// was seen. A busy machine makes times uncertain, so that some may stay undecided; none is named as something else.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { entry } from "../../built.ts";
import { folderWith, quietEnvironment, weir } from "../../cli/weir.ts";
import { serve } from "../lint/server.ts";
import { SMALL_SERVERS, type SmallServer } from "./small-servers.ts";

interface Answer {
  readonly title: string;
  readonly expected: unknown;
  readonly code: number | null;
  readonly identified: unknown;
  readonly seen: string;
}

/** In a process of its own: all of them run at the same time. */
async function identify(server: SmallServer): Promise<Answer> {
  const url = await serve(server.listener());
  const args = ["identify", url, "--json", "--max-duration", "7m"];
  const child = spawn(process.execPath, [entry(), ...args], { env: quietEnvironment });
  onTestFinished(() => void child.kill("SIGKILL"));
  let out = "";
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  const [code] = (await once(child, "close")) as [number];
  const { identified, seen } = JSON.parse(out) as Pick<Answer, "identified" | "seen">;
  return { title: server.title, expected: server.expected, code, identified, seen };
}

/** The others wait for windows of up to 30 seconds many times: they are tried at night, by `npm run nightly -- servers`. */
const ALL = process.env["WEIR_ALL_SERVERS"] === "1";
const QUICK: ReadonlySet<string> = new Set(["bucket", "chance", "in_flight"]);
const tried = SMALL_SERVERS.filter(
  ({ expected: { behaviour } }) => ALL || QUICK.has(String(behaviour)),
);

test("small servers are named with their own numbers, and as nothing else", async () => {
  const answers = await Promise.all(tried.map(identify));
  const named = answers.filter(({ code }) => code === 0);
  expect(named).toMatchObject(
    named.map(({ title, expected }) => ({ title, identified: expected })),
  );
  const others = answers.filter(({ code }) => code !== 0);
  expect(others).toEqual(
    others.map((each) => ({
      ...each,
      code: 5,
      identified: null,
      seen: expect.stringContaining("admitted until one was refused") as unknown,
    })),
  );
  expect(tried.length).toBe(ALL ? 10 : 4);
  expect(named.length).toBeGreaterThanOrEqual(ALL ? 8 : 3);
}, 480_000);

test("evidence is saved where nothing is named too, and its path is printed", async () => {
  const folder = folderWith({});
  let count = 0;
  const url = await serve(
    (_request, response) => void response.writeHead(++count % 5 === 0 ? 429 : 200).end(),
  );
  const { code, out, err } = await weir(folder, [
    "identify",
    url,
    "--out",
    "evidence.yaml",
    "--max-duration",
    "20s",
  ]);
  expect(code).toBe(5);
  expect(out).toMatch(/^ {2}seen {9}.*admitted until one was refused/m);
  expect(err).toMatch(
    /^evidence\.yaml has the \d+ requests that were sent, and what was admitted$/m,
  );
  const unnamed = await weir(folder, ["identify", url, "--max-duration", "5s", "--json"]);
  const { saved } = JSON.parse(unnamed.out) as { readonly saved: string };
  expect([unnamed.code, saved]).toEqual([5, "reports/runs/identify.yaml"]);
  expect((await weir(folder, ["run", saved])).code).toBe(1);
  // Until its world has a limit, the counts of the server are not those of the world.
  expect((await weir(folder, ["run", "evidence.yaml"])).code).toBe(1);
}, 60_000);
