// Bundles src and its packages into few files, because a start spends most of its time on loading many small ones.
import { cpSync, existsSync, readdirSync } from "node:fs";
import http from "node:http";
import { basename, join, posix, relative, sep } from "node:path";
import { rolldown, type OutputOptions, type Plugin } from "rolldown";
import { parseSync, Visitor } from "rolldown/utils";

/** Bundled alone: an old Node must parse it to report that it is too old. */
const FIRST = "cli/weir";

/** Bundled alone: it runs where there is no Node. */
const CORE = "library/core";

/** First files of processes and threads. They start by a computed path, which the bundler cannot follow. */
const STARTS = [
  "cli/start",
  "lab/run/run-worker",
  "lab/run/real-worker",
  "gateway/serving/load-process",
  "gateway/management/records/sqlite-worker",
  "cli/replay-worker",
  "studies/implementations/prove-worker",
  "studies/pareto/cell-worker",
  "studies/swarm/swarm-worker",
  "studies/try/try-worker",
  "studies/worst/search-worker",
  "studies/identify/check-worker",
  "studies/replay/piece-worker",
  "studies/bench/with-parent",
  "studies/bench/controls/serve",
  "studies/bench/load/alarm",
  "studies/bench/load/sender",
  "library/weir",
  "library/vitest",
];

/** One folder for each: its translator is a bundle of its own, and all that is not Weir's own code is copied. */
const IMPLEMENTATIONS = "lab/implementations";
const TRANSLATOR = "translate.ts";

/** Not bundled: users install them for what needs them, or only a checkout has a use for them. */
const APART = [
  "@duckdb/node-api",
  "autocannon",
  "bullmq",
  "vitest",
  "express",
  "express-rate-limit",
  "http-proxy-middleware",
  "@fastify/http-proxy",
  "@fastify/rate-limit",
  "pg-native",
  "acorn",
  "rolldown",
  "marked",
];

/** Bundled, and its static files are copied: it serves them from its own folder. */
const SERVING = "@fastify/swagger-ui";
const SERVED = "swagger-ui";
/** Its page loads the bundle of the same program. */
const NOT_SERVED = "swagger-ui.js";

/** Writes the bundles into a folder, and returns the paths of all modules in them. */
export async function bundle(root: string, folder: string): Promise<ReadonlySet<string>> {
  const modules = new Set<string>();
  const sources = join(root, "src");
  const write = async (starts: readonly string[], plugin: Plugin, options: OutputOptions) => {
    const bundled = await rolldown({
      cwd: root,
      platform: "node",
      input: Object.fromEntries(starts.map((start) => [start, join(sources, `${start}.node.ts`)])),
      external: (id) => APART.some((name) => id === name || id.startsWith(`${name}/`)),
      plugins: [plugin, httpWithoutFetch, undiciInPart, requireByEval, withoutIndents],
    });
    const { output } = await bundled.write({
      dir: folder,
      format: "esm",
      entryFileNames: "[name].node.js",
      // A tenth of the package: the licences are in a file of their own, and the sources have the comments.
      comments: { legal: false, jsdoc: false, annotation: true },
      ...options,
    });
    for (const chunk of output)
      if (chunk.type === "chunk") for (const id of chunk.moduleIds) modules.add(id);
    await bundled.close();
  };
  await write([FIRST], startApart, {});
  await write(STARTS, places(sources), { chunkFileNames: "parts/[name]-[hash].js" });
  const writeAlone = async (input: string, file: string): Promise<void> => {
    const bundled = await rolldown({ cwd: root, platform: "neutral", input });
    const { output } = await bundled.write({ file, format: "esm" });
    for (const id of output[0].moduleIds) modules.add(id);
    await bundled.close();
  };
  await writeAlone(join(sources, `${CORE}.ts`), join(folder, `${CORE}.js`));
  cpSync(join(root, "node_modules", SERVING, "static"), join(folder, SERVED, "static"), {
    recursive: true,
    filter: (file) => basename(file) !== NOT_SERVED,
  });
  for (const [translator, to] of copyImplementations(sources, folder))
    await writeAlone(translator, to);
  return modules;
}

/** Returns each translator with the file that its bundle is written to. */
function copyImplementations(
  sources: string,
  folder: string,
): readonly (readonly [translator: string, to: string])[] {
  const from = join(sources, IMPLEMENTATIONS);
  const names = readdirSync(from, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  return names.flatMap((name) => {
    const to = join(folder, IMPLEMENTATIONS, name);
    cpSync(join(from, name), to, { recursive: true, filter: (file) => !file.endsWith(".ts") });
    const translator = join(from, name, TRANSLATOR);
    return existsSync(translator) ? [[translator, join(to, "translate.js")] as const] : [];
  });
}

const startApart: Plugin = {
  name: "start-apart",
  resolveId: (id) => (id === "./start.node.ts" ? { id: "./start.node.js", external: true } : null),
};

const HTTP = "node:http";
const HTTP_IN_PART = `\0${HTTP}`;
/** Reading one of them loads the implementation of Node's fetch. */
const OF_FETCH: ReadonlySet<string> = new Set(["WebSocket", "CloseEvent", "MessageEvent"]);

/** An `import` of it reads all that it exports, which takes a fifth of the start of a gateway. */
const httpWithoutFetch: Plugin = {
  name: "http-without-fetch",
  resolveId: (id, _, { kind }) => (id === HTTP && kind !== "require-call" ? HTTP_IN_PART : null),
  load: (id) =>
    id === HTTP_IN_PART
      ? [
          `const http = process.getBuiltinModule("${HTTP}");`,
          ...Object.keys(http)
            .filter((name) => !OF_FETCH.has(name))
            .map((name) => `export const ${name} = /* @__PURE__ */ (() => http.${name})();`),
        ].join("\n")
      : null,
};

/** Its index loads five times as much, for fetch, caches and mocks. The build fails if src imports anything else of it. */
const undiciInPart: Plugin = {
  name: "undici-in-part",
  load: (id) =>
    id.replaceAll(sep, "/").endsWith("/node_modules/undici/index.js")
      ? [
          'import api from "./lib/api/index.js";',
          'import buildConnector from "./lib/core/connect.js";',
          'import Agent from "./lib/dispatcher/agent.js";',
          'import Dispatcher from "./lib/dispatcher/dispatcher.js";',
          'import Pool from "./lib/dispatcher/pool.js";',
          "Object.assign(Dispatcher.prototype, api);", // as the index does
          "export { Agent, buildConnector, Pool };",
        ].join("\n")
      : null,
};

/** `hdr-histogram-js` hides a module of Node from bundlers, and a bundle has no `require`. */
const requireByEval: Plugin = {
  name: "require-by-eval",
  transform: (code, id) =>
    id.includes("hdr-histogram-js")
      ? code.replaceAll(
          /eval\('require\("zlib"\)\.(\w+)'\)/g,
          'process.getBuiltinModule("node:zlib").$1',
        )
      : null,
};

/** A bundle never builds what it has: pages, and the compiler of charts, which is a thirtieth of the package. */
const IS_SOURCE = 'extname(import.meta.filename) === ".ts"';

const PLACE = "__PLACE_OF__";

const placeOf = (kind: string, path: string): string => `${PLACE}("${kind}", "${path}")`;

/** Gives each module of src, in any chunk, the path that it would have as a file of its own in dist. */
const places = (sources: string): Plugin => ({
  name: "places",
  transform: (code, id) => {
    if (id.startsWith(sources + sep) && code.includes("import.meta.")) {
      const file = relative(sources, id).replaceAll(sep, "/").replace(/\.ts$/, ".js");
      return code
        .replaceAll(IS_SOURCE, "false")
        .replaceAll(/\bimport\.meta\.(url|filename|dirname)\b/g, (_, kind: string) =>
          placeOf(kind, kind === "dirname" ? posix.dirname(file) : file),
        );
    }
    const [, inside] = id.replaceAll(sep, "/").split(`/node_modules/${SERVING}/`);
    return inside === undefined || !code.includes("__dirname")
      ? null
      : code.replaceAll("__dirname", placeOf("dirname", posix.join(SERVED, posix.dirname(inside))));
  },
  renderChunk: (code, { fileName }) =>
    code.includes(PLACE)
      ? code.replaceAll(
          new RegExp(`${PLACE}\\("(\\w+)", "([^"]+)"\\)`, "g"),
          (_, kind: string, path: string) => {
            const way = posix.relative(posix.dirname(fileName), path);
            return kind === "url"
              ? `new URL("${way}", import.meta.url).href`
              : `process.getBuiltinModule("node:path").join(import.meta.dirname, "${way}")`;
          },
        )
      : null,
});

/** A stack has the same lines without the indents, which are a twentieth of the bundles. */
const withoutIndents: Plugin = {
  name: "without-indents",
  generateBundle: (_, output) => {
    for (const chunk of Object.values(output))
      if (chunk.type === "chunk") chunk.code = withoutIndent(chunk.fileName, chunk.code);
  },
};

/** Each line of code without its indent. The lines of template literals are texts, and keep theirs. */
function withoutIndent(fileName: string, code: string): string {
  const texts: { readonly start: number; readonly end: number }[] = [];
  const { program } = parseSync(fileName, code);
  const visitor = new Visitor({
    TemplateElement: ({ start, end }) => void texts.push({ start, end }),
  });
  visitor.visit(program);
  texts.sort((a, b) => a.start - b.start); // those inside a template come after it
  let [end, result] = [0, ""];
  for (const text of texts) {
    result += stripIndents(code.slice(end, text.start)) + code.slice(text.start, text.end);
    end = text.end;
  }
  return result + stripIndents(code.slice(end));
}

const stripIndents = (piece: string): string => piece.replaceAll(/\n[\t ]+/g, "\n");
