// The documentation as pages of the site.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { gzipSync } from "node:zlib";
import { PNG } from "pngjs";
import { expect, test } from "vitest";
import { readImplementationsRun } from "#src/studies/implementations/result.ts";
import { isFailure } from "#src/kit/reading/failure.ts";
import { decode } from "#src/lab/scenario/read/decode.ts";
import { escapeHtml } from "#src/show/html/escape.ts";
import { siteScenarioIn, stateOf } from "#src/show/site/address.ts";
import type { SearchEntry } from "#src/show/site/docs/document-page.ts";
import { pathOfFinding, WITHOUT } from "#src/show/site/implementations/findings.ts";
import { readMarkdown, slugOf } from "#src/show/site/docs/markdown.ts";
import { BUILT_SITE, decodeSite } from "#src/show/site/site-files.node.ts";
import { entry } from "../../built.ts";

const root = join(import.meta.dirname, "../../..");

/** As the build of these sources has left them. */
const files = decodeSite(readFileSync(join(entry(), "../../show/site", BUILT_SITE)));

const textOf = (path: string): string => String(files.get(path));

const linksIn = (page: string): readonly string[] =>
  [...textOf(page).matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, to = ""]) =>
    to.replaceAll("&amp;", "&"),
  );

const pages = (): readonly string[] => [...files.keys()].filter((path) => path.endsWith(".html"));

const idsIn = (page: string): ReadonlySet<string> =>
  new Set([...textOf(page).matchAll(/ id="([^"]*)"/g)].map(([, id = ""]) => id));

test("each file of the documentation is a page, and the search has its headings", () => {
  const documents = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md") && !name.endsWith("README.md"))
    .map((name) => `docs/${name.replaceAll("\\", "/").replace(/\.md$/, ".html")}`);
  expect(documents.length).toBeGreaterThan(50);
  expect(documents.filter((path) => !files.has(path))).toEqual([]);
  const found = JSON.parse(textOf("assets/search.json")) as readonly SearchEntry[];
  const missing = found.filter(({ path, id }) => !idsIn(path).has(id));
  expect(missing).toEqual([]);
  const has = new Set(found.map(({ path }) => path));
  expect(documents.filter((path) => !has.has(path))).toEqual([]);
  expect(
    found.find(({ id, path }) => path.startsWith("docs/") && id === "fixed-window")?.text,
  ).toMatch(/counts admitted requests/);
});

test("each link of each page leads to a page of the site, and to a heading on it", () => {
  const broken = pages().flatMap((page) =>
    linksIn(page).flatMap((to) => {
      if (/^(?:https?:|data:|mailto:)/.test(to)) return [];
      const [path = "", id = ""] = to.split("#");
      const target = path === "" ? page : posix.join(posix.dirname(page), path);
      const file =
        target.endsWith("/") || target === "." ? posix.join(target, "index.html") : target;
      const isThere = files.has(file) || files.has(`${file}/index.html`);
      const needsHeading = id !== "" && file.endsWith(".html") && !file.startsWith("playground/");
      return isThere && (!needsHeading || idsIn(file).has(id)) ? [] : [`${page}: ${to}`];
    }),
  );
  expect(broken).toEqual([]);
});

test("each scenario that a page leads to is one that the playground reads", async () => {
  const fragments = new Set(
    pages().flatMap((page) =>
      linksIn(page).flatMap((to) => /playground\/(#.*)/.exec(to)?.[1] ?? []),
    ),
  );
  const ofSite = JSON.parse(textOf("assets/scenarios.json")) as Readonly<Record<string, string>>;
  const missing: string[] = [];
  const texts = [...fragments].filter((fragment) => siteScenarioIn(fragment) === null);
  expect(texts.length).toBeGreaterThan(40);
  for (const fragment of texts) {
    const state = await stateOf(fragment);
    if (state === null || isFailure(state)) throw new Error(fragment);
    if (decode(state.file, state.text).scenario === null) missing.push(state.file);
  }
  // Those of the suite are decoded by its own test.
  const ids = [...fragments].flatMap((fragment) => siteScenarioIn(fragment) ?? []);
  expect(ids.length).toBeGreaterThan(150);
  missing.push(...ids.filter((id) => !Object.hasOwn(ofSite, id)));
  expect(missing).toEqual([]);
});

test("no page is above 1 MB before it is used", () => {
  const known = new Map<string, number>(); // most pages have the same scripts and the same style
  const sizeOf = (path: string): number => {
    const size = known.get(path) ?? gzipSync(files.get(path)!).length;
    known.set(path, size);
    return size;
  };
  const sizes = pages().map((page) => {
    const parts = linksIn(page).filter((to) => /\.(?:js|css|png|svg)$/.test(to));
    const paths = parts.map((to) => posix.join(posix.dirname(page), to));
    return [page, [page, ...paths].reduce((sum, path) => sum + sizeOf(path), 0)] as const;
  });
  expect(sizes.length).toBeGreaterThan(60);
  expect(sizes.filter(([, bytes]) => bytes > 1_000_000)).toEqual([]);
});

test("each cell of the table of implementations leads to its evidence and its command", () => {
  const saved = readdirSync(join(root, "reports/implementations"), {
    recursive: true,
    encoding: "utf8",
  })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => name.endsWith(".json") && !name.startsWith("proofs/"));
  expect(saved.length).toBeGreaterThan(40);
  const table = linksIn("implementations/index.html");
  const findings: string[] = [];
  for (const name of saved) {
    const run = readImplementationsRun(
      readFileSync(join(root, "reports/implementations", name), "utf8"),
    );
    if (isFailure(run)) throw new Error(name);
    const id = name.replace(/\.json$/, "");
    const path = `implementations/${id}.html`;
    const page = textOf(path);
    for (const { behaviour, verdict, again, source } of run.implementations[0]!.verdicts) {
      expect.soft(table).toContain(`../${path}#${behaviour}`);
      expect.soft(page, id).toContain(again.replaceAll("&", "&amp;"));
      if (verdict !== "contradicts") continue;
      const finding = pathOfFinding({ id }, behaviour);
      findings.push(finding);
      expect.soft(table).toContain(`../${finding}`);
      expect.soft(page).toContain(`/${finding}"`);
      expect.soft(textOf(finding)).toContain(`--only ${behaviour}</code>`);
      expect.soft(textOf(finding)).toContain(escapeHtml(source!));
    }
    const { holds, contradicts } = run.footer;
    const badge = textOf(`implementations/${id}.svg`);
    expect.soft(badge, id).toContain(`${holds} `);
    expect.soft(badge.includes("its documentation"), id).toBe(contradicts > 0);
  }
  expect(
    pages()
      .filter((path) => path.includes("/findings/"))
      .toSorted(),
  ).toEqual(findings.toSorted());
});

test("each page has a preview, and pages with an experiment one of their own", () => {
  const previewOf = (page: string): string =>
    posix.join(
      posix.dirname(page),
      /<meta property="og:image" content="([^"]*)"/.exec(textOf(page))?.[1] ?? "",
    );
  const previews = new Map(pages().map((page) => [page, previewOf(page)]));
  expect([...previews].filter(([, image]) => !files.has(image))).toEqual([]);
  const own = pages().filter((page) => previews.get(page) !== previews.get("index.html"));
  expect(own).toEqual(
    expect.arrayContaining(["algorithms/gcra.html", "implementations/nginx.html"]),
  );
  const drawn = new Set(own.map((page) => previews.get(page)));
  expect(drawn.size).toBeGreaterThan(40);
  const { data } = PNG.sync.read(files.get(previews.get("algorithms/gcra.html")!)!);
  const colours = new Set<string>();
  for (let at = 0; at < data.length; at += 4 * 97) colours.add(data.toString("hex", at, at + 3));
  expect([...colours]).toEqual(expect.arrayContaining(["ffffff", "2f7fb8", "d4571b"]));
});

test("each behaviour has words for a limiter that lacks it", () => {
  const behaviours = readdirSync(join(root, "scenarios/behaviours"));
  expect(
    Object.keys(WITHOUT)
      .map((id) => `${id}.yaml`)
      .toSorted(),
  ).toEqual(behaviours.toSorted());
});

test("the search finds algorithms and implementations", () => {
  const found = JSON.parse(textOf("assets/search.json")) as readonly SearchEntry[];
  const paths = new Set(found.map(({ path }) => path));
  const sections = pages().filter(
    (path) => /^(?:algorithms|implementations)\//.test(path) && !path.endsWith("index.html"),
  );
  expect(sections.length).toBeGreaterThan(60);
  expect(sections.filter((path) => !paths.has(path))).toEqual([]);
});

test("Markdown becomes markup, and nothing in its words does", () => {
  const links = {
    addressOf: (to: string) => (to === "none.ts" ? null : to.replace(".md", ".html")),
    playgroundOf: (code: string) => (code === "id: a" ? "playground/#1" : null),
  };
  const { title, about, contents, headings, pieces } = readMarkdown(
    [
      "# A `<b>` & c",
      "",
      "One **two** <!-- not seen --> [three](x.md), [four](none.ts) &lt;five&gt;.",
      "",
      "## Again",
      "",
      "```yaml",
      "id: a",
      "```",
      "",
      "- `<i>`",
      "",
      "## Again",
      "",
      "| a | b |",
      "| - | - |",
      "| <script>x</script> | 2 |",
    ].join("\n"),
    links,
  );
  const markup = String(contents);
  expect(title).toBe("A <b> & c");
  expect(about).toBe("One two three, four <five>.");
  expect(headings.map(({ id }) => id)).toEqual(["a-b--c", "again", "again-1"]);
  expect(markup).toContain("<code>&lt;b&gt;</code> &amp; c</h1>");
  expect(markup).toContain('<a href="x.html">three</a>, four &lt;five&gt;.');
  expect(markup).toContain('<a href="playground/#1">');
  expect(markup).not.toMatch(/<script|<i>|not seen/);
  expect(pieces.map(({ text }) => text)).toEqual([
    "One two three, four <five>.",
    "id: a <i>",
    "a b x 2",
  ]);
});

test("headings have the addresses that GitHub gives them", () => {
  expect(slugOf("What `.ci/run` does")).toBe("what-cirun-does");
  expect(slugOf("Add a word: `always`, `never`")).toBe("add-a-word-always-never");
});

test("the README has each page in the group of its folder, and the site the same groups", () => {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const [, ...groups] = readme.slice(readme.indexOf("## Reading on")).split(/^### /m);
  const pagesOf = (group: string): readonly string[] =>
    [...group.matchAll(/^\| \[[^\]]+\]\(([^)]+\.md)\)/gm)].map(([, file = ""]) => file);
  const folders = groups.map((group) => {
    const inFolders = pagesOf(group).filter((file) => /^docs\/(?!decisions\/)/.test(file));
    const folder = posix.dirname(inFolders[0]!);
    const there = readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);
    expect(inFolders.toSorted()).toEqual(there.toSorted());
    return folder;
  });
  expect(new Set(folders).size).toBe(5);
  const others = ["docs/decisions", "docs/figures", "docs/house.svg", "docs/recipes"];
  const inDocs = readdirSync(join(root, "docs")).map((name) => `docs/${name}`);
  expect(inDocs.toSorted()).toEqual([...folders, ...others, "docs/limit.png"].toSorted());
  const names = groups.map((group) => group.slice(0, group.indexOf("\n")));
  for (const path of ["docs/index.html", "docs/serve/serving.html", "contributing.html"]) {
    const [nav = ""] = /<nav class="pages"[^]*?<\/nav>/.exec(textOf(path))!;
    const shown = nav.split('<p class="group">').slice(1);
    expect(shown.map((group) => group.slice(0, group.indexOf("<")))).toEqual(names);
    expect(shown.map((group) => group.match(/<li>/g)!.length)).toEqual(
      groups.map((group) => pagesOf(group).length),
    );
  }
});

test("no page of the documentation is above 25 kB", () => {
  const large = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => [name, statSync(join(root, "docs", name)).size] as const)
    .filter(([, bytes]) => bytes > 25_000);
  expect(large).toEqual([]);
});

test("the address of a heading before pages had folders and parts leads to it", () => {
  for (const [old, to] of [
    ["serving.html#keys", "serve/serving.html#keys"],
    ["benchmarking.html#the-suites", "inside/single-parts.html#the-suites"],
    ["benchmarking.html#results", "serve/benchmarking.html#results"],
    ["implementations.html#the-manifest", "reference/implementation-manifest.html#the-manifest"],
    ["management.html#webhooks", "serve/webhooks.html#webhooks"],
    ["reliability.html#the-wire", "serve/wire.html#the-wire"],
    ["replay.html#read-any-log", "reference/log-formats.html#read-any-log"],
    ["scenario-format.html#a-key", "reference/scenario-world.html#a-key"],
  ] as const) {
    const [path, id] = old.split("#");
    const links = linksIn(`docs/${path}`).filter((link) => link.endsWith(`#${id}`));
    expect(links).toEqual([`../docs/${to}`]);
  }
});
