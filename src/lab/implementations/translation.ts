// The result of a translator for one world: files and arguments for an implementation, or why a limit is impossible.
import { formatDuration, micros } from "../../kit/units.ts";
import { Failure } from "../../kit/reading/failure.ts";
import type { Manifest } from "./manifest.ts";
import type { WantedLimit, WantedWorld } from "./wanted.ts";

/** Where a server is started, and where it forwards admitted requests. */
export interface Site {
  readonly port: number;
  readonly spare: readonly [number, number, number]; // ports for services that the server starts itself
  readonly upstream: { readonly host: string; readonly port: number };
  readonly dir: string; // the folder of this run
  readonly home: string; // the folder of the installation
  readonly variant: string | null; // name of a variant in the manifest
  readonly generation: number; // starts at 1, increases with each change of the limits
  readonly redis: { readonly host: string; readonly port: number } | null;
}

export interface Configured {
  readonly files: Readonly<Record<string, string>>; // by path below the folder of this run
  /** The lines of the limits for a configuration that exists, if each limit of the world is of every request. */
  readonly excerpt?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Requests to the server's own API, sent in order once the server is ready, for example to create keys. */
  readonly setup?: readonly SetupRequest[];
  /** The ids of the limits that this configuration enforces. If a limit of the world is missing, the run stops. */
  readonly enforces: readonly string[];
}

export interface SetupRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Inexpressible {
  readonly cannot: readonly [string, ...string[]];
}

export type Translation = Configured | Inexpressible;

/** A translator whose result has been checked. A failure has the reasons why it cannot translate. */
export type Translate = (wanted: WantedWorld, site: Site) => Configured | Failure;

/** Translators return plain objects, because a user's translator cannot import Weir's classes. */
export function decodeTranslation(file: string, value: unknown): Configured | Failure {
  const { cannot, files, enforces } = (value ?? {}) as Partial<Configured & Inexpressible>;
  if (Array.isArray(cannot) && cannot.length > 0) return new Failure(...(cannot as string[]));
  if (typeof files === "object" && Array.isArray(enforces)) return value as Configured;
  throw new Error(
    `${file} translated a world to ${JSON.stringify(value)}; return { files, enforces }, or { cannot: ["sentence"] }`,
  );
}

/** A text such as "5 per 1s (key)". */
export const describeLimit = ({ rate, perUs, scope }: WantedLimit): string =>
  `${rate} per ${formatDuration(micros(perUs))} (${scope})`;

/** Sentences about limits that the capabilities in the manifest exclude. If there are none, the translator decides. */
export function findUnsupported(
  {
    name,
    kind,
    capabilities: { scopes, levels, by, burst },
  }: Pick<Manifest, "name" | "kind" | "capabilities">,
  { limits }: WantedWorld,
): readonly string[] {
  const foreign = limits.filter(({ scope }) => !scopes.includes(scope));
  const smoothed = limits.filter(({ isSmoothed }) => isSmoothed);
  const odd = limits.filter(
    ({ rate }) => kind === "decide" && (rate < 1 || !Number.isInteger(rate)),
  );
  const unidentified = limits.filter((limit) => !limit.isForAll && !canIdentify(by, limit));
  const apart = limits.filter((limit) => !burst && limit.burst !== Math.floor(limit.rate));
  const deepest = mostLevels(limits);
  return [
    ...foreign.map((limit) => `${name} has no limit of this scope: ${describeLimit(limit)}`),
    ...odd.map((limit) => `${name} takes integers from 1: ${describeLimit(limit)}`),
    ...smoothed.map((limit) => `${name} smooths no limit: ${describeLimit(limit)}`),
    ...unidentified.map(
      (limit) =>
        `${name} does not identify a client by its ${identityOf(limit)}: ${describeLimit(limit)}`,
    ),
    ...apart.map(
      (limit) =>
        `${name} has no burst apart from the rate: ${limit.burst} of ${describeLimit(limit)}`,
    ),
    ...(deepest > levels
      ? [`a request meets ${deepest} limits, and ${name} evaluates ${levels} for a request`]
      : []),
  ];
}

type ClientIdentity = "credential" | "ip" | "header" | "pattern";

const identityOf = ({ by }: Pick<WantedLimit, "by">): ClientIdentity =>
  typeof by === "string" ? by : "header";

/** An implementation that knows only addresses can still separate keys: each key sends from its own address. */
const canIdentify = (by: readonly ClientIdentity[], limit: WantedLimit): boolean =>
  by.includes(identityOf(limit)) || (by.join("") === "ip" && identityOf(limit) === "credential");

/** The most limits that one request meets: requests to other APIs or of other keys meet other limits. */
function mostLevels(limits: readonly WantedLimit[]): number {
  const places = limits.flatMap((limit) =>
    limit.places.map(({ path, credentials }) => ({ path, credentials, level: levelOf(limit) })),
  );
  const ofApis = [...Map.groupBy(places, ({ path }) => path).values()];
  return Math.max(0, ...ofApis.map(mostLevelsAt));
}

interface PlacedLevel {
  readonly credentials: readonly string[]; // empty for every client
  readonly level: string;
}

function mostLevelsAt(places: readonly PlacedLevel[]): number {
  const ofAll = places.filter(({ credentials }) => credentials.length === 0);
  const levels = new Map<string | null, Set<string>>([[null, new Set()]]);
  for (const { credentials, level } of places)
    for (const credential of credentials)
      levels.set(credential, (levels.get(credential) ?? new Set()).add(level));
  return Math.max(
    ...[...levels.values()].map(
      (own) => new Set([...own, ...ofAll.map(({ level }) => level)]).size,
    ),
  );
}

const LEVEL_OF = {
  "api-endpoint": "api",
  api: "api",
  "key-endpoint": "key",
  "key-api": "key",
  key: "key",
  "quota-api": "quota of an api",
  quota: "quota",
} as const;

/** A request meets at most one limit of each level. */
export const levelOf = ({ scope }: Pick<WantedLimit, "scope">): string => LEVEL_OF[scope];

/** Throws if a translator omitted a limit without a reason. */
export function requireAll(name: string, { limits }: WantedWorld, { enforces }: Configured): void {
  const lost = limits.filter(({ id }) => !enforces.includes(id));
  if (lost.length > 0)
    throw new Error(
      `the translator of ${name} left out ${lost.map(describeLimit).join(" and ")} without a reason`,
    );
}

/** A site for trial translations, from which nothing is started. */
export const SOMEWHERE: Omit<Site, "variant"> = {
  port: 1,
  spare: [2, 3, 4],
  upstream: { host: "127.0.0.1", port: 5 },
  dir: "/tmp",
  home: "/tmp",
  generation: 1,
  redis: { host: "127.0.0.1", port: 6 },
};

/** A text that is equal for worlds that one running server can serve. */
export const identify = (
  { translate, variant }: { readonly translate: Translate | null; readonly variant: string | null },
  wanted: WantedWorld,
): string => JSON.stringify(translate?.(wanted, { ...SOMEWHERE, variant }));
