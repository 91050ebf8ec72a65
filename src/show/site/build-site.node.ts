// Builds the site: bundles its scripts and renders its pages. Everything is a file, so that any web server can host it.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { templates } from "../figures/templates.ts";
import { STYLE } from "../html/style.ts";
import { Failure, requireValue } from "../../kit/reading/failure.ts";
import { scenarioSchema } from "../../lab/scenario/page/schema.ts";
import { siteScenarioIn } from "./address.ts";
import { algorithmPages } from "./algorithms/algorithm-pages.node.ts";
import { documentPages } from "./docs/document-pages.node.ts";
import { fileOfExample, pictureHtml, SITE_EXAMPLES } from "./examples.ts";
import { formScenario } from "./form.ts";
import { homePage } from "./home/home-page.ts";
import { FIRST_CONFIGURATION } from "./home/own-html.ts";
import { runExperiments } from "./home/run-experiments.ts";
import { implementationPages } from "./implementations/implementation-pages.node.ts";
import { playgroundPage, type PicturedExample } from "./playground-page.ts";
import { previewPng } from "./previews/png.node.ts";
import type { PreviewRect } from "./previews/preview.ts";
import { readConfiguration } from "./read-configuration.ts";
import { runScenario } from "./run-scenario.ts";
import { sitePageHtml, type SitePage } from "./shell.ts";
import { SITE_STYLE } from "./style.ts";

export interface BuiltSite {
  /** Files by path from the root of the site. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** The paths of all modules in the site's scripts. */
  readonly modules: ReadonlySet<string>;
}

const SCRIPTS = join(import.meta.dirname, "script");

/** Scripts bundled separately: workers share modules with each other alone, and `scheme` runs before a page is drawn. */
const APART = ["scheme", "documents", "implementations", "moved", "service-worker"];

/** Pages that are cached in advance, for use without a network. */
const AHEAD = ["index.html", "playground/index.html", "algorithms/index.html"];

const VERSION_DIGITS = 16;

/** `root` is the root of the project or of the package, whose scenarios and pages become part of the site. */
export async function buildSite(root: string): Promise<BuiltSite> {
  const files = new Map<string, string | Buffer>();
  const modules = new Set<string>();
  const addScripts = async (names: readonly string[]): Promise<void> => {
    const bundler = await rolldown({
      input: Object.fromEntries(names.map((name) => [name, join(SCRIPTS, `${name}.ts`)])),
      platform: "browser",
    });
    const { output } = await bundler.generate({
      format: "esm",
      minify: true,
      entryFileNames: "[name].js",
      chunkFileNames: "[name]-[hash].js",
    });
    await bundler.close();
    for (const chunk of output) {
      if (chunk.type !== "chunk") throw new Error(`${chunk.fileName} is no script`);
      files.set(`assets/${chunk.fileName}`, chunk.code);
      for (const id of chunk.moduleIds) modules.add(id);
    }
  };
  await addScripts(["playground", "limit", "home"]); // bundled together, because they draw charts
  await addScripts(["worker", "log-worker", "configuration-worker"]);
  for (const name of APART) await addScripts([name]);
  files.set("assets/site.css", `${STYLE}${SITE_STYLE}`);
  files.set("assets/templates.json", JSON.stringify(templates()));
  files.set("assets/scenario.schema.json", JSON.stringify(scenarioSchema()));
  const examples = await examplesIn(join(root, "scenarios"));
  for (const { id, text } of examples) files.set(`assets/${id}.yaml`, text);
  const documents = await documentPages(root);
  for (const image of documents.images) files.set(image, readFileSync(join(root, image)));
  const foreign = await implementationPages(root);
  for (const [path, badge] of foreign.badges) files.set(path, badge);
  const algorithms = await algorithmPages(root, foreign.implementations);
  const sections = [algorithms, foreign, documents];
  files.set("assets/search.json", JSON.stringify(sections.flatMap(({ found }) => found)));
  const pages = sections.flatMap((section) => section.pages);
  files.set("assets/scenarios.json", JSON.stringify(scenariosOn(pages, root)));
  const configuration = requireValue(readConfiguration(FIRST_CONFIGURATION));
  const home = homePage(await runExperiments(), configuration);
  const previews = new Map<readonly PreviewRect[], string>();
  for (const page of [home, playgroundPage(examples), ...pages]) {
    const rects = page.preview ?? home.preview!;
    const preview = previews.get(rects) ?? addPreview(files, rects);
    previews.set(rects, preview);
    files.set(page.path, String(sitePageHtml(page, preview)));
  }
  addServiceWorker(files);
  return {
    files: new Map([...files].map(([path, contents]) => [path, Buffer.from(contents)])),
    modules,
  };
}

/** Named by its contents: sites that show links keep images by their address, and a changed image has another one. */
function addPreview(files: Map<string, string | Buffer>, rects: readonly PreviewRect[]): string {
  const image = previewPng(rects);
  const digest = createHash("sha256").update(image).digest("hex").slice(0, VERSION_DIGITS);
  const path = `previews/${digest}.png`;
  files.set(path, image);
  return path;
}

/** The texts of all scenarios that pages link to by id, in one file that is loaded when the first of them is opened. */
function scenariosOn(pages: readonly SitePage[], root: string): Readonly<Record<string, string>> {
  const ids = new Set(
    pages.flatMap(({ contents }) =>
      [...String(contents).matchAll(/playground\/(#scenario=[^"]*)"/g)].map(([, fragment = ""]) =>
        siteScenarioIn(fragment)!,
      ),
    ),
  );
  return Object.fromEntries(
    [...ids]
      .toSorted()
      .map((id) => [id, readFileSync(join(root, "scenarios", `${id}.yaml`), "utf8")]),
  );
}

/** Moves the service worker to the root, because it serves only its folder and below. Adds a digest of all files. */
function addServiceWorker(files: Map<string, string | Buffer>): void {
  const built = "assets/service-worker.js";
  const script = files.get(built);
  files.delete(built);
  const hash = createHash("sha256");
  for (const [path, contents] of files) hash.update(`${path}\n`).update(contents);
  const site = {
    version: hash.digest("hex").slice(0, VERSION_DIGITS),
    files: [...files.keys()],
    ahead: [...files.keys()].filter((path) => path.startsWith("assets/") || AHEAD.includes(path)),
  };
  files.set("service-worker.js", `self.WEIR_SITE=${JSON.stringify(site)};\n${script as string}`);
}

/** The examples with their texts and the pictures of their runs. */
async function examplesIn(
  folder: string,
): Promise<readonly (PicturedExample & { readonly text: string })[]> {
  const pictured: (PicturedExample & { readonly text: string })[] = [];
  for (const example of SITE_EXAMPLES) {
    const { id, form } = example;
    const text =
      form === null ? readFileSync(join(folder, `${id}.yaml`), "utf8") : formScenario(form);
    const steps = runScenario({ file: fileOfExample(example), text, seed: 1 });
    let step = await steps.next();
    while (step.done !== true) step = await steps.next();
    const run = requireValue(step.value ?? new Failure(`${id} does not run`));
    const marks = await Promise.all([...Array(run.length()).keys()].map((at) => run.marks(at)));
    const picture = pictureHtml(marks.filter((each) => each !== null));
    pictured.push({ ...example, text, picture });
  }
  return pictured;
}
