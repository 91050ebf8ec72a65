// Bundles src and its packages into few files, because a start spends most of its time on loading many small ones.
import { createRequire } from "node:module";
import { join, posix, relative, sep } from "node:path";
import { rolldown, type OutputOptions, type Plugin } from "rolldown";

/** Bundled alone: an old Node must parse it to report that it is too old. */
const FIRST = "cli/weir";

/** First files of processes and threads. They start by a computed path, which the bundler cannot follow. */
const STARTS = [
  "cli/start",
  "run/play-worker",
  "run/real-worker",
  "serving/load-worker",
  "management/records/sqlite-worker",
  "experiments/pareto/cell-worker",
  "experiments/swarm/swarm-worker",
  "bench/with-parent",
  "bench/controls/serve",
  "bench/load/alarm",
  "bench/load/sender",
];

/** Not bundled: they load files of their own at run time, or are optional. */
const APART = ["autocannon", "hdr-histogram-js", "pg-native"];

/** Bundled, but it serves static files from its own folder. */
const SERVING = "@fastify/swagger-ui";

export async function bundle(root: string, folder: string): Promise<void> {
  const { devDependencies } = createRequire(import.meta.url)("../package.json") as {
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  const apart = [...APART, ...Object.keys(devDependencies)];
  const sources = join(root, "src");
  const write = async (starts: readonly string[], plugin: Plugin, options: OutputOptions) => {
    const bundled = await rolldown({
      cwd: root,
      platform: "node",
      input: Object.fromEntries(starts.map((start) => [start, join(sources, `${start}.node.ts`)])),
      external: (id) => apart.some((name) => id === name || id.startsWith(`${name}/`)),
      plugins: [plugin],
    });
    await bundled.write({
      dir: folder,
      format: "esm",
      entryFileNames: "[name].node.js",
      ...options,
    });
    await bundled.close();
  };
  await write([FIRST], startApart, {});
  await write(STARTS, places(sources), { chunkFileNames: "parts/[name]-[hash].js" });
}

const startApart: Plugin = {
  name: "start-apart",
  resolveId: (id) => (id === "./start.node.ts" ? { id: "./start.node.js", external: true } : null),
};

const PLACE = "__PLACE_OF__";

const placeOf = (kind: string, path: string): string => `${PLACE}("${kind}", "${path}")`;

/** Gives each module of src, in any chunk, the path that it would have as a file of its own in dist. */
const places = (sources: string): Plugin => ({
  name: "places",
  transform: (code, id) => {
    if (id.startsWith(sources + sep) && code.includes("import.meta.")) {
      const file = relative(sources, id).replaceAll(sep, "/").replace(/\.ts$/, ".js");
      return code.replaceAll(/\bimport\.meta\.(url|filename|dirname)\b/g, (_, kind: string) =>
        placeOf(kind, kind === "dirname" ? posix.dirname(file) : file),
      );
    }
    const [, inside] = id.replaceAll(sep, "/").split(`/node_modules/${SERVING}/`);
    return inside === undefined || !code.includes("__dirname")
      ? null
      : code.replaceAll("__dirname", placeOf("package", posix.dirname(inside)));
  },
  renderChunk: (code, { fileName }) =>
    code.includes(PLACE)
      ? code.replaceAll(
          new RegExp(`${PLACE}\\("(\\w+)", "([^"]+)"\\)`, "g"),
          (_, kind: string, path: string) => {
            if (kind === "package")
              return `process.getBuiltinModule("node:url").fileURLToPath(new URL("${path}", import.meta.resolve("${SERVING}")))`;
            const way = posix.relative(posix.dirname(fileName), path);
            return kind === "url"
              ? `new URL("${way}", import.meta.url).href`
              : `process.getBuiltinModule("node:path").join(import.meta.dirname, "${way}")`;
          },
        )
      : null,
});
