// weir diff with folders: one reader gets all of the files of a folder.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderWith, weir } from "./weir.ts";

const LOG = Array.from(
  { length: 3 },
  () => `192.0.2.1 - - [05/Jan/2026:10:00:00 +0000] "GET /a/ HTTP/1.1" 200 1 "-" "x"\n`,
).join("");

const API = JSON.stringify({ api_id: "a", name: "a", proxy: { listen_path: "/a/" } });

const policies = (rate: number): string =>
  JSON.stringify({ gold: { rate, per: 60, access_rights: { a: {} } } });

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = folderWith({ "access.log": LOG });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const diff = (folder: string, ...more: readonly string[]): ReturnType<typeof weir> =>
  weir(folder, ["diff", "old", "new", "--log", "access.log", ...more]);

test("folders of Tyk's files are compared, and other files in them are left out", async () => {
  const folder = folderOf({
    "old/apps/a.json": API,
    "old/policies/policies.json": policies(3),
    "new/apps/a.json": API,
    "new/policies/policies.json": policies(2),
    "new/package.json": "{}",
    "new/docker-compose.yml": "services: {}\n",
  });
  const { code, out } = await diff(folder);
  expect(code).toBe(0);
  const lines = out.split("\n");
  expect(lines[0]).toBe(
    "1 client would lose 33.3 % of its requests: 192.0.2.1; none would gain one.",
  );
  expect(lines).toContain("after: new (tyk)");
  expect(lines).toContain(
    "  2/1m  policy gold, new/policies/policies.json:1, counts 3 requests, refuses 1",
  );
});

test("templates within the texts of JSON are the program's own", async () => {
  const api = JSON.stringify({
    ...(JSON.parse(API) as object),
    use_keyless: true,
    graphql: { query: "{{.arguments.id}}" },
  });
  const folder = folderOf({ old: api, new: api, bad: api.slice(0, -1) });
  const { code, err } = await diff(folder);
  expect([code, err]).toEqual([0, ""]);
  const bad = await weir(folder, ["diff", "bad", "new", "--log", "access.log"]);
  expect(bad.err).toContain("weir diff: bad is a template; render it");
});

const POLICY = `apiVersion: gateway.envoyproxy.io/v1alpha1
kind: BackendTrafficPolicy
metadata: { name: all }
spec:
  targetRefs: [{ kind: HTTPRoute, name: shop }]
  rateLimit: { global: { rules: [{ limit: { requests: 2, unit: Minute } }] } }
`;

const ROUTE = `apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: shop }
spec: { rules: [{ matches: [{ path: { value: /a } }] }] }
`;

test("a policy of Kubernetes has the routes of other files of its folder", async () => {
  const folder = folderOf({
    "old/policy.yaml": POLICY,
    "old/route.yaml": ROUTE,
    "old/tsconfig.json": "{ // no resource\n}",
    "new/policy.yaml": POLICY.replace("requests: 2", "requests: 1"),
    "new/route.yaml": ROUTE,
  });
  const { code, out } = await diff(folder);
  expect(code).toBe(0);
  expect(out).toContain("1 client would lose 33.3 % of its requests");
  expect(out).not.toContain("question");
});

test("a folder of a revision is read as one of this moment", async () => {
  const folder = folderOf({
    "tyk/a.json": API,
    "tyk/policies.json": policies(3),
    "tyk/x.png": "\0",
  });
  for (const args of [
    ["init", "-q"],
    ["add", "-A"],
    ["-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "a"],
  ])
    spawnSync("git", args, { cwd: folder });
  writeFileSync(join(folder, "tyk/policies.json"), policies(1));
  const args = ["diff", "--git", "HEAD:tyk", "tyk", "--log", "access.log"];
  const { code, out, err } = await weir(folder, args);
  expect([code, err]).toEqual([0, ""]);
  expect(out).toContain("1 client would lose 66.7 % of its requests");
  expect(out).toContain("before: HEAD:tyk (tyk)");
});

test("a folder of files of two programs needs --kind", async () => {
  const files = { "policy.yaml": POLICY, "apps/a.json": API };
  const folder = folderOf(
    Object.fromEntries(
      Object.entries(files).flatMap(([name, text]) => [
        [`old/${name}`, text],
        [`new/${name}`, text],
      ]),
    ),
  );
  const { code, err } = await diff(folder);
  expect([code, err.split("\n")[0]]).toEqual([
    2,
    "weir diff: old has files of tyk and of envoy-gateway; --kind selects one",
  ]);
  expect((await diff(folder, "--kind", "envoy-gateway")).code).toBe(0);
});

test("a folder without configurations is one sentence, also with --kind", async () => {
  const empty = folderOf({ "old/a.json": "{}", "new/apps/a.json": API });
  const { code, err } = await diff(empty);
  expect([code, err]).toEqual([
    2,
    expect.stringMatching(
      /^weir diff: old is a folder without files of tyk, .*; name the main file/,
    ),
  ]);
  const wrong = await diff(empty, "--kind", "nginx");
  expect(wrong.err).toContain("old is a folder without files of nginx; name the main file");
});
