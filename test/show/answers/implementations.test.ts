// Each sentence of the answers of weir implementations run and prove has its premise in the document.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { answerImplementations } from "#src/show/answers/implementations.ts";
import { answerProve } from "#src/show/answers/prove.ts";
import {
  isMostlyOpen,
  NOTHING_COMPARED,
  proofFooterOf,
  proofVerdictOf,
  type ImplementationProof,
  type ImplementationsProof,
  type ProofCounts,
} from "#src/studies/implementations/proof.ts";
import {
  footerOf,
  type ImplementationRun,
  type ImplementationsRun,
} from "#src/studies/implementations/result.ts";
import { VERDICTS, type ImplementationVerdict } from "#src/studies/implementations/verdict.ts";
import type { Answer } from "#src/lab/report/answer.ts";
import { holds } from "../../runs.ts";

const textOf = (answer: Answer, id: string): string | undefined =>
  answer.find((each) => each.id === id)?.text;

const limiter = (
  id: string,
  verdicts: readonly ImplementationVerdict[],
  missing: string | null = null,
): ImplementationRun => ({
  id,
  name: `${id} by name`,
  version: "1.2.3",
  kind: "decide",
  language: "js",
  clock: "virtual",
  missing,
  verdicts: verdicts.map((verdict, at) => ({
    behaviour: `behaviour-${at}`,
    verdict,
    evidence: [`seen ${at}`],
    sentence: null,
    source: null,
    again: `weir run ${at} --implementation ${id}`,
    confirmed: null,
  })),
});

const runOf = (...implementations: readonly ImplementationRun[]): ImplementationsRun => ({
  format: "weir-implementations-run/1",
  weir: "1.0.0",
  commit: null,
  date: "2026-11-24T00:00:00.000Z",
  seed: 1,
  behaviours: [],
  implementations,
  footer: footerOf(implementations),
});

test("one limiter: whether it keeps its word in what could be seen", () => {
  const of = (...verdicts: readonly ImplementationVerdict[]): Answer =>
    answerImplementations(runOf(limiter("one", verdicts)));
  expect(of("holds", "holds", "unsupported").map(({ text }) => text)).toEqual([
    "one (1.2.3) does what was expected in all 2 behaviours that could be seen.",
    "Not seen: 1 behaviour that it cannot express.",
  ]);
  expect(of("holds", "documented", "differs").map(({ text }) => text)).toEqual([
    "one (1.2.3) contradicts its documentation in none of 3 behaviours that could be seen: 1 hold.",
    "1 behaviour (behaviour-2) is decided differently from the claimed algorithm, without a word in the documentation.",
    "1 behaviour (behaviour-1) is decided differently, as documented.",
  ]);
  expect(of("holds", "contradicts").map(({ text }) => text)).toEqual([
    "one (1.2.3) contradicts its own documentation in 1 of 2 behaviours that could be seen.",
    "one contradicts it in behaviour-1: seen 1. See it again: weir run 1 --implementation one",
  ]);
  expect(of("open")[0]!.text).toBe("one (1.2.3) showed none of the behaviours.");
  expect(textOf(of("open"), "unseen")).toContain("1 that the times of real requests leave open");
  expect(textOf(of("failed"), "failed")).toBe("1 behaviour of one could not be run.");
});

test("several limiters: which contradict their documentation, and which were not run", () => {
  const run = runOf(
    limiter("one", ["contradicts", "differs"]),
    limiter("two", ["holds"]),
    limiter("three", [], "it is not installed"),
  );
  expect(answerImplementations(run).map(({ id }) => id)).toEqual([
    "promise",
    "example",
    "differs",
    "not-run",
  ]);
  expect(textOf(answerImplementations(run), "promise")).toBe(
    "1 of 2 limiters contradicts its own documentation: one.",
  );
  expect(textOf(answerImplementations(run), "not-run")).toBe(
    "three was not run: it is not installed.",
  );
  const kind = runOf(limiter("one", ["holds"]), limiter("two", ["holds"]));
  expect(answerImplementations(kind).map(({ text }) => text)).toEqual([
    "None of 2 limiters contradicts its own documentation in 2 behaviours that could be seen: 2 hold.",
  ]);
});

type Claim = (text: string, run: ImplementationsRun) => unknown;

const countOf = (run: ImplementationsRun, ...wanted: readonly ImplementationVerdict[]): number =>
  run.implementations
    .flatMap(({ verdicts }) => verdicts)
    .filter(({ verdict }) => wanted.includes(verdict)).length;

const CLAIMS: Readonly<Record<string, Claim>> = {
  promise: (text, run) => {
    const broken = run.implementations.filter(({ verdicts }) =>
      verdicts.some(({ verdict }) => verdict === "contradicts"),
    );
    const ran = run.implementations.filter(({ missing }) => missing === null);
    const seen = countOf(run, "holds", "contradicts", "differs", "documented");
    if (ran.length > 1 && broken.length > 0)
      expect(text).toMatch(new RegExp(`^${broken.length} of ${ran.length} limiters contradict`));
    else if (seen > 0) expect(text).toContain(`${seen} behaviour`);
    for (const { id } of broken) expect(text).toContain(id);
    expect(/none of|None of|all|the behaviour|in the /.test(text) && broken.length > 0).toBe(false);
  },
  example: (text, run) => {
    expect(countOf(run, "contradicts")).toBeGreaterThan(0);
    expect(text).toContain("See it again: weir run ");
  },
  differs: (text, run) => expect(text.startsWith(`${countOf(run, "differs")} `)).toBe(true),
  documented: (text, run) => expect(text.startsWith(`${countOf(run, "documented")} `)).toBe(true),
  failed: (text, run) => expect(text.startsWith(`${countOf(run, "failed")} `)).toBe(true),
  unseen: (text, run) => {
    expect(text.includes("cannot express")).toBe(countOf(run, "unsupported") > 0);
    expect(text.includes("leave open")).toBe(countOf(run, "open") > 0);
  },
  "not-run": (_, { footer }) => expect(footer.notRun).toBeGreaterThan(0),
};

test("no sentence about random verdicts contradicts them", () => {
  const occurred = new Set<string>();
  const verdicts = fc.array(fc.constantFrom(...VERDICTS), { maxLength: 4 });
  const rows = fc.array(fc.tuple(verdicts, fc.nat({ max: 4 })), { maxLength: 3 });
  holds(
    fc.property(rows, (all) => {
      const run = runOf(
        ...all.map(([each, missing], at) =>
          missing === 0
            ? limiter(`limiter-${at}`, [], "it is not installed")
            : limiter(`limiter-${at}`, each),
        ),
      );
      for (const { id, text } of answerImplementations(run)) {
        occurred.add(id);
        CLAIMS[id]!(text, run);
      }
    }),
    300,
  );
  expect([...occurred].toSorted()).toEqual(Object.keys(CLAIMS).toSorted());
});

// ---------------------------------------------------------------- profiles

const WANTED = 20;

function proofOf(
  id: string,
  counts: Partial<ProofCounts>,
  different: Partial<ImplementationProof> = {},
): ImplementationProof {
  const all = { ...NOTHING_COMPARED, ...counts };
  return {
    id,
    name: id,
    version: "1.2.3",
    clock: "virtual",
    model: {},
    resolutionUs: null,
    roundingUs: null,
    missing: null,
    verdict: proofVerdictOf(all, WANTED),
    cutBy: null,
    seconds: 1,
    counts: all,
    isMostlyOpen: isMostlyOpen(all),
    difference:
      all.differing === 0
        ? null
        : {
            seed: 7,
            request: 3,
            requests: 9,
            sentence: "it admits, its profile refuses",
            scenario: "",
            again: `weir implementations prove ${id} --seed 7 --worlds 1`,
          },
    failure: all.failed === 0 ? null : "it ended",
    again: "",
    ...different,
  };
}

const proofsOf = (...implementations: readonly ImplementationProof[]): ImplementationsProof => ({
  format: "weir-implementations-proof/1",
  weir: "1.0.0",
  commit: null,
  date: "2026-11-24T00:00:00.000Z",
  seed: 1,
  worlds: WANTED,
  implementations,
  footer: proofFooterOf(implementations),
});

const GOOD = { worlds: 20, decisions: 1_000, refused: 300 };

test("one profile: in how many worlds, by how many decisions, and the smallest difference", () => {
  const of = (counts: Partial<ProofCounts>): readonly string[] =>
    answerProve(proofsOf(proofOf("one", counts))).map(({ text }) => text);
  expect(of(GOOD)).toEqual([
    "one (1.2.3) decides as its profile in 20 of 20 random worlds.",
    "It made 1,000 decisions, and refused or delayed 300 requests.",
  ]);
  expect(of({ ...GOOD, differing: 2 })).toEqual([
    "one (1.2.3) differs from its profile in 2 of 20 random worlds.",
    "The smallest difference is request 3 of 9: it admits, its profile refuses. See it again: weir implementations prove one --seed 7 --worlds 1",
    "It made 1,000 decisions, and refused or delayed 300 requests.",
  ]);
  expect(of({ ...GOOD, worlds: 5 })).toContain(
    "one was compared in fewer worlds than wanted, without a difference.",
  );
  expect(of({ ...GOOD, refused: 0 })).toContain(
    "one refused nothing, so a wrong profile would have looked the same.",
  );
  expect(of({ ...GOOD, open: 600 })).toEqual([
    expect.stringContaining("one (1.2.3) decides"),
    expect.stringContaining("600 are left open (60.0 %)"),
    "For one the proof is weak: more than half of the decisions are open.",
  ]);
  expect(of({ ...GOOD, failed: 1 })).toContain("1 world could not be run, first by one: It ended.");
});

test("several profiles: which differ, and which were not run", () => {
  const missing = { missing: "it is not installed", verdict: null };
  const proof = proofsOf(
    proofOf("one", { ...GOOD, differing: 1 }),
    proofOf("two", GOOD),
    proofOf("three", {}, missing),
  );
  expect(answerProve(proof).map(({ text }) => text)).toEqual([
    "1 of 2 limiters differs from its profile: one.",
    expect.stringMatching(/^The smallest difference of one is request 3 of 9/),
    "2 limiters made 2,000 decisions, and refused or delayed 600 requests.",
    "three was not run: it is not installed.",
  ]);
  expect(answerProve(proofsOf(proofOf("one", GOOD), proofOf("two", GOOD)))[0]!.text).toBe(
    "2 of 2 limiters decide as their profiles, in 20 random worlds each; none was seen to differ.",
  );
});

test("readers of configurations are compared in configurations, and no profile is named", () => {
  const of = (...all: readonly ImplementationProof[]): readonly string[] =>
    answerProve({ ...proofsOf(...all), of: "configurations" }).map(({ text }) => text);
  expect(of(proofOf("one", GOOD), proofOf("two", GOOD))[0]).toBe(
    "2 of 2 limiters decide as Weir reads their files, in 20 random configurations each; none was seen to differ.",
  );
  const bad = { ...GOOD, differing: 1 };
  expect(of(proofOf("one", bad), proofOf("two", GOOD))[0]).toBe(
    "1 of 2 limiters differs from what Weir reads in files: one.",
  );
  expect(of(proofOf("one", bad))[0]).toBe(
    "one (1.2.3) differs from what Weir reads in its files in 1 of 20 random configurations.",
  );
  const others = [
    { ...GOOD, worlds: 5 },
    { ...GOOD, refused: 0 },
    { ...GOOD, failed: 1 },
  ];
  const rest = others.flatMap((counts) => of(proofOf("one", counts))).join("\n");
  expect(rest).not.toMatch(/profile|world/);
});

type ProofClaim = (text: string, ran: readonly ImplementationProof[]) => unknown;

const sumOf = (ran: readonly ImplementationProof[], name: keyof ProofCounts): number =>
  ran.reduce((sum, { counts }) => sum + counts[name], 0);

const PROOF_CLAIMS: Readonly<Record<string, ProofClaim>> = {
  profile: (text, ran) => {
    const differing = ran.filter(({ counts }) => counts.differing > 0);
    if (ran.length > 1)
      expect(text).toContain(
        differing.length > 0
          ? `${differing.length} of ${ran.length} limiters differ`
          : `${ran.filter(({ verdict }) => verdict === "proved").length} of ${ran.length} limiters decide`,
      );
    else expect(text.includes("differs from its profile")).toBe(differing.length > 0);
  },
  difference: (_, ran) => expect(sumOf(ran, "differing")).toBeGreaterThan(0),
  decisions: (text, ran) =>
    expect(text).toContain(` ${sumOf(ran, "decisions").toLocaleString("en-US")} decisions`),
  partial: (text, ran) => {
    for (const { id, counts } of ran)
      if (text.includes(id)) expect(counts.worlds).toBeLessThan(WANTED);
  },
  vacuous: (text, ran) => {
    for (const { id, counts } of ran)
      if (text.includes(id)) expect(Math.min(counts.refused, counts.worlds)).toBe(0);
  },
  failed: (text, ran) => expect(text.startsWith(`${sumOf(ran, "failed")} world`)).toBe(true),
  weak: (text, ran) => {
    for (const { id, counts } of ran)
      expect(text.includes(id)).toBe(counts.open > counts.decisions / 2);
  },
};

test("no sentence about random counts contradicts them", () => {
  const occurred = new Set<string>();
  const counts = fc.record({
    worlds: fc.constantFrom(0, 7, WANTED),
    differing: fc.constantFrom(0, 0, 2),
    failed: fc.constantFrom(0, 0, 1),
    decisions: fc.integer({ min: 0, max: 3_000 }),
    refused: fc.constantFrom(0, 5),
    open: fc.constantFrom(0, 900),
  });
  holds(
    fc.property(fc.array(counts, { minLength: 1, maxLength: 3 }), (all) => {
      const ran = all.map((each, at) => proofOf(`limiter-${at}`, each));
      for (const { id, text } of answerProve(proofsOf(...ran))) {
        occurred.add(id);
        PROOF_CLAIMS[id]!(text, ran);
      }
    }),
    300,
  );
  expect([...occurred].toSorted()).toEqual(Object.keys(PROOF_CLAIMS).toSorted());
});
