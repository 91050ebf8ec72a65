// Builds the section "Implementations" from manifests, saved results and saved proofs of profiles.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  footerOf,
  readImplementationsRun,
  type ImplementationsRun,
} from "../../../studies/implementations/result.ts";
import type { LimitersPart } from "../../../lab/report/limiters.ts";
import { runPart } from "../../../studies/implementations/run-part.ts";
import { readSavedProofs } from "../../../studies/implementations/saved-proofs.node.ts";
import type { SavedProofs } from "../../../studies/implementations/saved-proof.ts";
import {
  findImplementations,
  ownImplementations,
  type Implementation,
} from "../../../lab/implementations/catalogue.node.ts";
import { isFailure } from "../../../kit/reading/failure.ts";
import { withProfile } from "../../../limiter/spec/profiles.ts";
import { beginWithAnswer } from "../../answers/answer.ts";
import { answerImplementations } from "../../answers/implementations.ts";
import { playgroundOf, playgroundWith } from "../address.ts";
import type { DocumentEntry, SearchEntry } from "../docs/document-page.ts";
import type { SitePage } from "../shell.ts";
import { badgeSvg } from "./badge.ts";
import {
  findingEntries,
  findingPage,
  pathOfFinding,
  sentenceOfFinding,
  type SiteFinding,
} from "./findings.ts";
import {
  implementationPage,
  implementationsIndex,
  pathOfBadge,
  pathOfImplementation,
  titleOf,
  type ShownBehaviour,
} from "./implementation-page.ts";
import type { ImplementationResult, SiteImplementation } from "./site-implementation.ts";

const FOLDER = "reports/implementations";

export interface ImplementationSite {
  readonly implementations: readonly SiteImplementation[];
  readonly pages: readonly SitePage[];
  readonly found: readonly SearchEntry[]; // entries of the search
  readonly badges: ReadonlyMap<string, string>; // SVG by path
}

export async function implementationPages(root: string): Promise<ImplementationSite> {
  const known = (await Promise.all(ownImplementations().map(findAll))).flat();
  const runs = new Map(
    known.flatMap(({ id }) => {
      const run = readRun(root, id);
      return run === null ? [] : [[id, run] as const];
    }),
  );
  const [newest] = [...runs.values()].toSorted((a, b) => b.date.localeCompare(a.date));
  if (newest === undefined) throw new Error(`${FOLDER} has no result`);
  const all = [...runs.values()].flatMap((run) => run.implementations);
  const proofs = proofsIn(root, all);
  const implementations = known.map((each) => siteImplementation(each, runs.get(each.id), proofs));
  const without = implementations.filter(({ result }) => result === null);
  const complete = [...all, ...without.map(notRun)];
  const together = { ...newest, implementations: complete, footer: footerOf(complete) };
  const behaviours = newest.behaviours.map(behaviourWithAddress);
  const part = partOf(together, proofs);
  const findings = await findingsOf(part, implementations);
  const entries: readonly DocumentEntry[] = implementations.map((each) => ({
    name: each.id,
    path: pathOfImplementation(each.id),
    about: each.manifest.about,
  }));
  return {
    implementations,
    pages: [
      implementationsIndex(part, findings, behaviours, without),
      ...implementations.map((each) => implementationPage(each, entries)),
      ...findings.map((each) => findingPage(each, findingEntries(findings))),
    ],
    found: [...implementations.map(searchEntryOf), ...findings.map(entryOfFinding)],
    badges: new Map(
      implementations.map(({ id, result }) => [
        pathOfBadge(id),
        String(badgeSvg(id, result?.counts ?? null)),
      ]),
    ),
  };
}

/** In the order of the table. */
async function findingsOf(
  { limiters, behaviours }: LimitersPart,
  implementations: readonly SiteImplementation[],
): Promise<readonly SiteFinding[]> {
  const contradictions = limiters.flatMap((limiter) =>
    limiter.cells.flatMap((cell) => (cell.verdict === "contradicts" ? [{ limiter, cell }] : [])),
  );
  return Promise.all(
    contradictions.map(async ({ limiter, cell }): Promise<SiteFinding> => {
      const { behaviour, scenario } = cell;
      const file = `scenarios/behaviours/${behaviour}.yaml`;
      return {
        implementation: implementations.find(({ id }) => id === limiter.id)!,
        cell,
        title: behaviours.find(({ id }) => id === behaviour)!.title,
        sentence: sentenceOfFinding(limiter, behaviour),
        path: pathOfFinding(limiter, behaviour),
        address: scenario === null ? null : await playgroundWith(file, scenario),
      };
    }),
  );
}

const entryOfFinding = ({ path, sentence, title, cell }: SiteFinding): SearchEntry => ({
  path,
  page: "Implementations",
  id: "contents",
  heading: sentence,
  text: [title, cell.documentation ?? "", ...cell.evidence].join(" "),
});

const partOf = (run: ImplementationsRun, proofs: SavedProofs): LimitersPart =>
  beginWithAnswer(runPart(run, proofs), answerImplementations(run));

const notRun = ({
  id,
  manifest: { name, version, kind, language, clock },
}: SiteImplementation): ImplementationsRun["implementations"][number] => ({
  id,
  name,
  version,
  kind,
  language,
  clock,
  missing: "no result is saved",
  verdicts: [],
});

async function findAll(name: string): Promise<readonly Implementation[]> {
  const found = await findImplementations(name);
  if (isFailure(found)) throw new Error(found.message);
  return found;
}

function readRun(root: string, id: string): ImplementationsRun | null {
  const file = join(root, FOLDER, `${id}.json`);
  if (!existsSync(file)) return null;
  const run = readImplementationsRun(readFileSync(file, "utf8"));
  if (isFailure(run)) throw new Error(`${file}: ${run.message}`);
  return run;
}

/** The saved proofs, with file paths as in a checkout. */
function proofsIn(root: string, runs: ImplementationsRun["implementations"]): SavedProofs {
  const folder = join(root, FOLDER, "proofs");
  return new Map(
    [...readSavedProofs(folder, runs)].map(([id, proof]) => [
      id,
      { ...proof, file: `${FOLDER}/proofs/${id}.json` },
    ]),
  );
}

function siteImplementation(
  { id, manifest }: Implementation,
  run: ImplementationsRun | undefined,
  proofs: SavedProofs,
): SiteImplementation {
  const { profile } = manifest.model;
  const options = withProfile(manifest.model);
  const { algorithm } = options;
  return {
    id,
    manifest,
    algorithm: typeof algorithm === "string" ? algorithm : "sliding_log", // the default (ALG-2)
    profile: typeof profile === "string" ? profile : null,
    options: Object.entries(options)
      .filter(([name]) => name !== "profile")
      .flatMap(([name, value]) => flatOption(name, value)),
    result: run === undefined ? null : resultOf(id, run, proofs),
  };
}

const flatOption = (name: string, value: unknown): readonly (readonly [string, string])[] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([inner, each]) => flatOption(`${name}.${inner}`, each))
    : [[name, String(value)]];

function resultOf(id: string, run: ImplementationsRun, proofs: SavedProofs): ImplementationResult {
  const part = partOf(run, proofs);
  const [limiter] = part.limiters;
  if (limiter === undefined) throw new Error(`${id} has a result without a run`);
  const { holds, contradicts } = run.footer;
  return { part, limiter, file: `${FOLDER}/${id}.json`, counts: { holds, contradicts } };
}

function behaviourWithAddress({
  id,
  title,
}: ImplementationsRun["behaviours"][number]): ShownBehaviour {
  return { id, title, address: playgroundOf(`behaviours/${id}`) };
}

function searchEntryOf(implementation: SiteImplementation): SearchEntry {
  const { id, manifest, algorithm, result } = implementation;
  const cells = result?.limiter.cells ?? [];
  const contradicted = cells.filter(({ verdict }) => verdict === "contradicts");
  return {
    path: pathOfImplementation(id),
    page: "Implementations",
    id: "contents",
    heading: titleOf(implementation),
    text: [
      manifest.about,
      `Version ${manifest.version}, ${algorithm}.`,
      ...contradicted.map(({ behaviour }) => `Contradicts its documentation: ${behaviour}.`),
      ...Object.values(manifest.claims).map(({ sentence }) => sentence),
    ].join(" "),
  };
}
