import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newImplementation } from "#src/lab/implementations/new-implementation.node.ts";
import { folderWith, weir } from "./weir.ts";

const FILES = {
  plain: "a file, and no folder",
  "a.log": '192.0.2.1 - - [10/Oct/2025:13:55:36 +0000] "GET / HTTP/1.1" 200 10\n',
  "a.yaml": `title: one request
world:
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: 5, per: 1 } }
traffic: [{ as: alice, send: GET /orders, burst: 1 }]
expect: [{ id: one, count: { status: 200 }, equals: 1 }]
`,
  ...Object.fromEntries(
    Object.entries(newImplementation("mine")).map(([name, text]) => [`mine/${name}`, text]),
  ),
};

test.each([
  "identify http://127.0.0.1:9/ --out plain/x.yaml",
  "identify --implementation ./mine --out plain/x.yaml",
  "implementations run ./mine --out plain",
  "implementations run ./mine --only five-of-ten --html plain/x.html",
  "implementations prove ./mine --worlds 1 --out plain",
  "try --limit 5/s --rate 8/s --for 2s --algorithm fixed_window --scenario plain/x.yaml",
  "worst --algorithm fixed_window --rate 5 --per 1s --out plain/x.yaml",
  "bench truth --out plain/x.json",
  "bench core --quick --out plain/x.json",
  "bench core --quick --html plain/x.html",
  "bench gateway --quick --out plain/x.json",
  "bench gateway --against . --out plain/x.json",
  "pareto --quick --out plain/x.json",
  "pareto --quick --html plain/x.html",
  "site --out plain",
  "recommend a.log --per 1m --out plain",
  "recommend a.log --per 1m --html plain/x.html",
  "replay a.log --limit 5/1m --html plain/x.html",
  "implementations new plain/x --kind http",
  "run a.yaml --reference plain/x.json --write",
  "run a.yaml --out junit=new/x.xml --out json=plain/x.json",
  "run a.yaml --history plain",
  "run a.yaml --html plain/x.html",
  "try --limit 5/s --rate 8/s --for 2s --html new/x.html --scenario plain/x.yaml",
  "implementations run ./mine --html new/x.html --out plain",
  "bench truth --html new/x.html --out plain/x.json",
])("weir %s: a place where nothing can be saved is an error before the work", async (line) => {
  const folder = folderWith(FILES);
  const { code, out, err } = await weir(folder, line.split(" "));
  expect(err).toMatch(
    /^(?:weir \w+: )?(?:--out )?plain\S*: a (?:file of this name exists already|part of the path is not a folder)\n/,
  );
  expect(out).toBe("");
  expect(code).toBe(2);
  expect(readdirSync(folder).toSorted()).toEqual(["a.log", "a.yaml", "mine", "plain"]);
});

test("missing folders are created when there is something to save", async () => {
  const folder = folderWith(FILES);
  const places = "--html new/a/x.html --out junit=new/b/x.xml --history new/c".split(" ");
  expect(await weir(folder, ["run", "a.yaml", ...places])).toMatchObject({ code: 0 });
  expect(readdirSync(join(folder, "new")).toSorted()).toEqual(["a", "b", "c"]);
  const wrong = ["run", "a.yaml", "--history", "none", "--target", "http://127.0.0.1:9"];
  expect(await weir(folder, wrong)).toMatchObject({ code: 3 });
  expect(readdirSync(folder).toSorted()).toEqual(["a.log", "a.yaml", "mine", "new", "plain"]);
});

test("a place where something can be saved is left as it is before the work", async () => {
  const folder = folderWith({ ...FILES, "folder.json/file": "" });
  const args = ["run", "a.yaml", "--write", "--reference"];
  expect(await weir(folder, [...args, "new/kept.json"])).toMatchObject({ code: 0 });
  expect(readdirSync(`${folder}/new`)).toEqual(["kept.json"]);
  const { code, err } = await weir(folder, ["identify", "http://127.0.0.1:9", "--out", "new"]);
  expect(err).toContain("new already exists; choose another file");
  expect(code).toBe(2);
});
