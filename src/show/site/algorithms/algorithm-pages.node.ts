// The pages of the section "Algorithms", built from the suite, saved results and measured costs.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Algorithm } from "../../../limiter/core/algorithms.ts";
import { REQUIREMENTS, type Requirement } from "../../../limiter/spec/requirements.ts";
import { svgOf } from "../../figures/svg.ts";
import { templates } from "../../figures/templates.ts";
import { trustMarkup } from "../../html/html.ts";
import type { Drawings } from "../../html/figure.ts";
import type { ScenarioReport } from "../../../lab/report/model.ts";
import { playgroundOf, playgroundWith } from "../address.ts";
import type { DocumentEntry, SearchEntry } from "../docs/document-page.ts";
import { readMarkdown } from "../docs/markdown.ts";
import type { SiteImplementation } from "../implementations/site-implementation.ts";
import { runScenario } from "../run-scenario.ts";
import type { SitePage } from "../shell.ts";
import {
  algorithmIndex,
  algorithmPage,
  pathOfSubject,
  type ShownProof,
  type ShownScenario,
  type ShownUser,
  type ShownWorstCase,
} from "./algorithm-page.ts";
import { costsOf } from "./costs.node.ts";
import {
  firstText,
  LIVE_FIGURE,
  LIVE_FILE,
  LIVE_LIMITS,
  liveFigure,
  type LiveRun,
} from "./live-limit.ts";
import { SUBJECTS, type Subject } from "./subjects.ts";

export interface SectionPages {
  readonly pages: readonly SitePage[];
  readonly found: readonly SearchEntry[]; // entries of the search
}

export async function algorithmPages(
  root: string,
  implementations: readonly SiteImplementation[],
): Promise<SectionPages> {
  const scenarios = provingScenarios(root);
  const entries: readonly DocumentEntry[] = SUBJECTS.map((subject) => ({
    name: subject.title,
    path: pathOfSubject(subject),
    about: subject.about,
  }));
  const pages: SitePage[] = [algorithmIndex(entries)];
  const found: SearchEntry[] = [];
  for (const subject of SUBJECTS) {
    const text = firstText(LIVE_LIMITS[subject.id]!);
    const first = await firstRun(text);
    const proofs = proofsOf(subject, scenarios);
    const shown = {
      subject,
      words: readMarkdown(subject.paragraphs.join("\n\n"), NO_LINKS).contents,
      first,
      address: await playgroundWith(LIVE_FILE, text),
      drawings: await drawingsOf(first.report),
      worst: await worstCaseOf(root, subject),
      costs: costsOf(root, subject),
      users: usersOf(subject, implementations),
      proofs,
    };
    pages.push(algorithmPage(shown, entries));
    const [page, path] = [subject.title, pathOfSubject(subject)];
    const piece = (id: string, heading: string, words: readonly string[]): SearchEntry => ({
      path,
      page,
      id,
      heading,
      text: words.join(" ").replaceAll("`", ""),
    });
    found.push(
      piece("contents", subject.title, [subject.about, ...subject.paragraphs]),
      piece("worst", `${subject.title}: worst case`, shown.worst?.sentences ?? []),
      piece(
        "specification",
        `${subject.title}: specification`,
        proofs.map(({ requirement }) => `${requirement.id} ${requirement.text}`),
      ),
    );
  }
  return { pages, found };
}

const NO_LINKS = { addressOf: () => null, playgroundOf: () => null };

async function firstRun(text: string): Promise<LiveRun> {
  const warnings: string[] = [];
  for await (const message of runScenario({ file: LIVE_FILE, text, seed: 1 })) {
    if (message.kind === "done") return { report: message.report, warnings };
    if (message.kind === "read") warnings.push(...message.problems.map(({ sentence }) => sentence));
  }
  throw new Error(`this scenario does not run: ${warnings.join("; ")}\n${text}`);
}

async function drawingsOf(report: ScenarioReport): Promise<Drawings> {
  const figure = liveFigure(report);
  if (figure === undefined) return new Map();
  return new Map([[LIVE_FIGURE, trustMarkup(await svgOf(figure, templates()))]]);
}

async function worstCaseOf(root: string, subject: Subject): Promise<ShownWorstCase | null> {
  if (subject.algorithm !== null) return worstOf(root, subject.algorithm);
  if (subject.worst === undefined) return null;
  const { scenario: id, sentences } = subject.worst;
  const file = `scenarios/${id}.yaml`;
  return {
    command: `weir run ${file}`,
    sentences,
    scenario: readFileSync(join(root, file), "utf8"),
    address: playgroundOf(id),
  };
}

const savedWorst = z.object({
  question: z.object({ algorithm: z.string(), rate: z.number(), perUs: z.number() }),
  scenario: z.string(),
});

/** Reads a saved result of `weir worst`, because a new search takes a second. */
async function worstOf(root: string, algorithm: Algorithm): Promise<ShownWorstCase> {
  const file = join(root, "reports/worst", `${algorithm}.json`);
  const { question, scenario } = savedWorst.parse(JSON.parse(readFileSync(file, "utf8")));
  const { rate, perUs } = question;
  const [, about = ""] = /^about: >\n((?: {2}.*\n)+)/m.exec(scenario) ?? [];
  return {
    command: `weir worst --algorithm ${algorithm} --rate ${rate} --per ${perUs / 1e6}s --search-time 1s`,
    // Omits the first line, which has the command and its seed.
    sentences: about
      .split("\n")
      .slice(1)
      .map((line) => line.trim())
      .filter((line) => line !== ""),
    scenario,
    address: await playgroundWith(`scenarios/regressions/worst-${algorithm}.yaml`, scenario),
  };
}

const usersOf = (
  subject: Subject,
  implementations: readonly SiteImplementation[],
): readonly ShownUser[] =>
  implementations
    .filter(({ id }) => !id.startsWith("weir/")) // the same code as on this page
    .flatMap((each) => {
      const use = useOf(subject, each);
      if (use === null) return [];
      const { id, manifest } = each;
      const { name, version, about } = manifest;
      return [{ id, name: id.includes("/") ? `${name} (${id})` : name, version, about, ...use }];
    });

type Use = Pick<ShownUser, "evidence">;

/** How an implementation uses a subject; null if it does not. `features` names what it uses outside of its limiter. */
export function useOf(
  { id, algorithm }: Subject,
  { algorithm: own, manifest: { capabilities, features } }: SiteImplementation,
): Use | null {
  const evidence = features.find(({ of }) => of === id) ?? null;
  const isUsed =
    evidence !== null ||
    (algorithm !== null && algorithm === own) ||
    (id === "headers" && capabilities.headers) ||
    (id === "retries" && capabilities.waits);
  return isUsed ? { evidence } : null;
}

interface ProvingScenario extends ShownScenario {
  readonly proves: ReadonlySet<string>;
  readonly text: string;
}

/** Reads only the heads of the files: decoding all variants of the suite would double the time for these pages. */
function provingScenarios(root: string): readonly ProvingScenario[] {
  const files = globSync("scenarios/**/*.yaml", { cwd: root })
    .map((file) => file.replaceAll("\\", "/"))
    .toSorted();
  return files.map((file) => {
    const text = readFileSync(join(root, file), "utf8");
    const title = /^title: (.*)$/m.exec(text)?.[1];
    if (title === undefined) throw new Error(`${file} has no title`);
    const id = file.slice("scenarios/".length, -".yaml".length);
    return {
      id,
      title: title.replace(/^(["'])(.*)\1$/, "$2"),
      proves: new Set(provenIn(text)),
      text,
      address: playgroundOf(id),
    };
  });
}

/** The requirements that a scenario and its expectations prove. */
export const provenIn = (text: string): readonly string[] =>
  [...text.matchAll(/\bproves:\s*\[([^\]]*)\]/g)].flatMap(([, ids = ""]) =>
    ids.split(",").map((id) => id.trim()),
  );

const isOf = ({ id, section }: Requirement, named: string): boolean =>
  named === id || named === section || id.startsWith(`${named}-`);

export function proofsOf(
  { requirements, algorithm }: Subject,
  scenarios: readonly ProvingScenario[],
): readonly ShownProof[] {
  // Sentences that are only about this algorithm come first.
  const sentences = requirements.flatMap((named) =>
    REQUIREMENTS.filter((requirement) => isOf(requirement, named)),
  );
  return sentences.map((requirement) => ({
    requirement,
    scenarios: scenarios
      .filter(({ proves }) => proves.has(requirement.id))
      .filter(({ text }) => algorithm === null || isAbout(text, requirement, algorithm))
      .map(({ id, title, address }) => ({ id, title, address })),
  }));
}

/** True if a scenario shows the requirement for this algorithm: in "Algorithms", it has to name it or `all`. */
const isAbout = (text: string, { section }: Requirement, algorithm: Algorithm): boolean =>
  section !== "Algorithms" || new RegExp(`\\b(?:${algorithm}|algorithm: all)\\b`).test(text);
