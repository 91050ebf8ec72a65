// The manifest of a limiter that is not Weir's: how to install and start it, what it can express, and what its
// documentation claims.
import { commandLine } from "../../kit/command-line.ts";
import { durationAbove0 } from "../../kit/reading/duration.ts";
import { Failure } from "../../kit/reading/failure.ts";
import { report, type Path, type Problem } from "../../kit/reading/problems.ts";
import { record } from "../../kit/reading/record.ts";
import {
  anyMap,
  listOf,
  mandatory,
  mapOf,
  matching,
  oneOf,
  optional,
  reportName,
  text,
  wholeNumber,
  yesOrNo,
  type Values,
} from "../../kit/reading/shape.ts";
import { formatProblem, readSource } from "../../kit/reading/source.ts";
import { SCOPES } from "../../limiter/core/budget.ts";

/** `http`: a server that receives requests. `decide`: a program that decides by lines of JSON. */
export const KINDS = ["http", "decide"] as const;

/** `virtual`: decides at the time that it is given. `virtual-forward`: does so, but the time must never go back. */
export const CLOCKS = ["real", "virtual", "virtual-forward"] as const;

const REGISTRIES = ["npm", "pip", "cargo", "go", "maven", "apt", "owner", "none"] as const;
export type Registry = (typeof REGISTRIES)[number];

const install = record("an installation", {
  registry: mandatory(
    oneOf(REGISTRIES),
    "Where its packages come from; `owner`: its owner installs it.",
  ),
  packages: optional(listOf(text), [], "Packages with their exact versions."),
  build: optional(
    listOf(listOf(text, 1)),
    [],
    "Commands that build it, in the folder of the installation.",
  ),
  variable: optional(
    text,
    null,
    "With `owner`: the environment variable that has the path of the program.",
  ),
  size: optional(
    matching("a size in MB, such as 12 MB", /^\d+(?:\.\d+)? MB$/),
    null,
    "What it takes on the disk.",
  ),
});

const ready = record("a readiness check", {
  path: optional(text, "/weir-ready", "A path outside every limit."),
  status: optional(wholeNumber(100, 599), 204, "Its status."),
  within: mandatory(durationAbove0, "The longest start."),
});

/** How a reset is written: seconds from now, or a timestamp in seconds or milliseconds since 1970. */
const RESETS = ["seconds", "epoch_seconds", "epoch_milliseconds"] as const;

const headerFields = {
  limit: optional(text, null, "The header with the limit."),
  remaining: optional(text, null, "The header with what remains."),
  reset: optional(text, null, "The header with the reset."),
  reset_is: optional(oneOf(RESETS), "seconds", "How the reset is written."),
  retry_after: optional(text, null, "The header with the wait."),
};
const headers = record("header names", headerFields);
export type LimitHeaderNames = Values<typeof headerFields>;

const claim = record("a claim", {
  holds: mandatory(yesOrNo, "Whether its documentation promises the behaviour, or excludes it."),
  sentence: mandatory(text, "The sentence of its documentation."),
  source: mandatory(text, "The page or file of the sentence."),
});

/** A feature outside the limiter. No behaviour examines features, so a sentence of the documentation must prove it. */
const feature = record("a feature", {
  of: mandatory(oneOf(["smoothing", "merging"]), "Which part of the specification."),
  sentence: mandatory(text, "The sentence of its documentation or its source."),
  source: mandatory(text, "The page or file of the sentence."),
});

/** How limits can be changed while the implementation runs. */
const CHANGES = ["none", "restart", "reload"] as const;

const capabilities = record("capabilities", {
  scopes: mandatory(listOf(oneOf(SCOPES), 1), "The budgets that it can count by."),
  levels: optional(wholeNumber(1, 9), 1, "How many limits one request can meet."),
  by: optional(
    listOf(oneOf(["credential", "ip", "header"]), 1),
    ["credential"],
    "What identifies a client. By `ip` alone: each key sends from an address of its own.",
  ),
  burst: optional(yesOrNo, false, "Whether a limit can have a burst apart from its rate."),
  cost: optional(yesOrNo, false, "Whether a request can have a cost."),
  headers: optional(yesOrNo, false, "Whether a client reads limit, remaining or reset."),
  waits: optional(yesOrNo, false, "Whether a refusal has the time to wait."),
  change: optional(oneOf(CHANGES), "none", "How a limit is changed."),
  store: optional(oneOf(["none", "redis"]), "none", "The store that it counts in."),
});

const variant = record("a variant", {
  about: mandatory(text, "How it decides, in a sentence."),
  model: optional(anyMap, {}, "Options of Weir's gateway, before those of the manifest."),
  rounding: optional(durationAbove0, null, "In place of the manifest's."),
  claims: optional(mapOf(claim), {}, "Further claims of its documentation."),
  features: optional(listOf(feature), [], "Further parts of the specification that it has."),
});

const fields = {
  name: mandatory(text, "What people call it."),
  about: mandatory(text, "How it decides, in a sentence."),
  version: mandatory(text, "The pinned version."),
  kind: mandatory(oneOf(KINDS), "A server, or a program that decides by lines."),
  language: optional(text, "", "The language of its programs."),
  needs: optional(listOf(text), [], "Programs that have to be on the PATH."),
  install: mandatory(install, "How it is installed."),
  start: mandatory(
    listOf(text, 1),
    "Its command; {port}, {dir}, {home}, {folder} and {variant} are replaced.",
  ),
  env: optional(mapOf(text), {}, "Variables of its environment."),
  ready: optional(ready, null, "Of a server: how it shows that it is ready."),
  clock: mandatory(oneOf(CLOCKS), "Whose time it decides by."),
  resolution: optional(
    durationAbove0,
    null,
    "The unit that it counts time in: nearer to an edge, decisions are open.",
  ),
  rounding: optional(
    durationAbove0,
    null,
    "In virtual time: by how much numbers that it rounds move an edge. Nearer to one, decisions are open.",
  ),
  refusal: optional(wholeNumber(300, 599), 429, "The status of a refusal."),
  headers: optional(headers, null, "Headers that it writes; left out: none."),
  model: mandatory(anyMap, "Options of Weir's gateway that describe how it decides."),
  capabilities: mandatory(capabilities, "What it can express."),
  claims: optional(mapOf(claim), {}, "What its documentation has about a behaviour, by its id."),
  features: optional(
    listOf(feature),
    [],
    "Parts of the specification that it has besides its limiter.",
  ),
  variants: optional(
    mapOf(variant),
    {},
    "Several ways to use one installation: each is an implementation, called NAME/VARIANT.",
  ),
};

export const manifestShape = record("a manifest", fields);
export type Manifest = Values<typeof fields>;

export function selectVariant(manifest: Manifest, name: string): Manifest {
  const { about, model, rounding, claims, features } = manifest.variants[name]!;
  return {
    ...manifest,
    about,
    model: { ...manifest.model, ...model },
    rounding: rounding ?? manifest.rounding,
    claims: { ...manifest.claims, ...claims },
    features: [...manifest.features, ...features],
  };
}

/** The name of an implementation and of its folder. */
export const implementationName = matching(
  "a name of small letters, digits and hyphens",
  /^[a-z][a-z0-9-]*$/,
);

/** `behaviours` has the names that claims can have. */
export function readManifest(
  file: string,
  written: string,
  behaviours: readonly string[],
): Manifest | Failure {
  const source = readSource(file, written, {
    one: "manifest",
    many: "manifests",
    whenEmpty: `${commandLine("implementations new NAME")} writes one that works`,
    insteadOfAlias: "write the value out",
  });
  const problems: Problem[] = [];
  const manifest =
    source.value === undefined ? undefined : manifestShape.read(source.value, [], problems);
  // The protocol names one limit in each question, so a second limit would never be evaluated.
  if (manifest?.kind === "decide" && manifest.capabilities.levels > 1)
    report(
      problems,
      "SCN-VALUE",
      ["capabilities", "levels"],
      "a limiter that decides by lines evaluates one limit for each request",
      "remove levels",
    );
  if (manifest !== undefined) reportUnknownClaims(manifest, behaviours, problems);
  const all = [...source.problems, ...problems.map(source.place)];
  if (manifest !== undefined && all.length === 0) return manifest;
  return new Failure(
    ...all
      .toSorted((a, b) => a.line - b.line || a.column - b.column)
      .map((each) => formatProblem({ ...each, code: each.code.replace(/^SCN-/, "IMPL-") })),
  );
}

/** Reports claims that no behaviour examines: such a claim has no effect, which no verdict would reveal. */
function reportUnknownClaims(
  { claims, variants }: Manifest,
  behaviours: readonly string[],
  problems: Problem[],
): void {
  const places: readonly (readonly [Path, Manifest["claims"]])[] = [
    [["claims"], claims],
    ...Object.entries(variants).map(
      ([name, variant]) => [["variants", name, "claims"], variant.claims] as const,
    ),
  ];
  for (const [at, some] of places)
    for (const name of Object.keys(some))
      if (!behaviours.includes(name))
        reportName(
          problems,
          "SCN-UNKNOWN-FIELD",
          [...at, name],
          `no behaviour is called "${name}"`,
          name,
          behaviours,
          "docs/answer/implementations.md has the list of behaviours",
        );
}
