// Compares a program with the rules that a reader finds in random configurations of the program's own language.
import { readFileSync } from "node:fs";
import { Agent } from "node:http";
import { basename, join, matchesGlob } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  exchange,
  type ExchangeResult,
  type LostExchange,
} from "../../lab/drivers/exchange.node.ts";
import { startOwnRedis } from "../../lab/drivers/own-redis.node.ts";
import { until } from "../../lab/drivers/open-loop.node.ts";
import type { Implementation } from "../../lab/implementations/catalogue.node.ts";
import type { Includes } from "../../lab/implementations/reading.ts";
import { serveImplementation } from "../../lab/implementations/serve.node.ts";
import type { Site } from "../../lab/implementations/translation.ts";
import { isFailure, requireValue } from "../../kit/reading/failure.ts";
import { compareConfiguration, describeRequest } from "./compare-configuration.ts";
import type { ComparedWorld } from "./compare-decisions.ts";
import { createCut } from "./cut.node.ts";
import { ENVOY_CONFIGURATIONS } from "./draw-envoy.ts";
import { ENVOY_RATELIMIT_CONFIGURATIONS } from "./draw-envoy-ratelimit.ts";
import { HAPROXY_CONFIGURATIONS } from "./draw-haproxy.ts";
import { NGINX_CONFIGURATIONS } from "./draw-nginx.ts";
import { SPRING_CONFIGURATIONS } from "./draw-spring.ts";
import { VARNISH_CONFIGURATIONS } from "./draw-varnish.ts";
import type {
  ConfigurationProgram,
  DecisionsOfLog,
  DrawnConfiguration,
  PlayedDecision,
} from "./drawn-configuration.ts";
import type { ProofCut } from "./proof.ts";
import {
  countDiffering,
  failureTrial,
  type ProofWork,
  type WorldTrial,
  type WorldTrials,
} from "./trial.ts";

const PROGRAMS: readonly ConfigurationProgram[] = [
  NGINX_CONFIGURATIONS,
  HAPROXY_CONFIGURATIONS,
  VARNISH_CONFIGURATIONS,
  ENVOY_CONFIGURATIONS,
  ENVOY_RATELIMIT_CONFIGURATIONS,
  SPRING_CONFIGURATIONS,
];

/** Names of the implementations whose readers are compared with them. */
export const COMPARED_READERS: readonly string[] = PROGRAMS.map(({ reader }) => reader.kind);

/** Null: no reader of this implementation is compared with it. */
export const programOf = ({
  folder,
}: Pick<Implementation, "folder">): ConfigurationProgram | null =>
  PROGRAMS.find(({ reader }) => reader.kind === basename(folder)) ?? null;

/** Each program once, because its variants have the same reader. */
export const withoutVariants = (all: readonly Implementation[]): readonly Implementation[] =>
  all
    .filter(({ folder }, at) => all.findIndex((each) => each.folder === folder) === at)
    .map((each) => ({ ...each, id: basename(each.folder), variant: null }));

/** How many programs run at the same time. A run mostly waits. */
const AT_A_TIME = 8;

export async function tryConfigurations(
  implementation: Implementation,
  program: ConfigurationProgram,
  work: ProofWork,
): Promise<WorldTrials> {
  const cut = createCut(work);
  const trials: WorldTrial[] = [];
  let cutBy: ProofCut | null = null;
  for (let next = 0; next < work.worlds; next += AT_A_TIME) {
    cutBy = cut();
    if (cutBy !== null) break;
    const length = Math.min(AT_A_TIME, work.worlds - next);
    const seeds = Array.from({ length }, (_, at) => work.seed + next + at);
    const played = await Promise.all(
      seeds.map((seed) => play(implementation, program, seed).catch((error: unknown) => error)),
    );
    for (const [at, one] of played.entries())
      trials.push(await judge(implementation, program, seeds[at]!, one));
    work.progress(
      `${implementation.id}: ${trials.length} configurations, ${countDiffering(trials)} differ`,
    );
  }
  return { trials, cutBy };
}

/** A difference is confirmed by another run, alone: a busy machine may have caused it. */
async function judge(
  implementation: Implementation,
  program: ConfigurationProgram,
  seed: number,
  played: unknown,
): Promise<WorldTrial> {
  try {
    if (played instanceof Error) throw played;
    const compared = compare(program, played as PlayedConfiguration);
    if (compared.difference === null) return { kind: "compared", seed, compared };
    const again = compare(program, await play(implementation, program, seed));
    return again.difference === null
      ? { kind: "unconfirmed", seed, compared }
      : { kind: "compared", seed, compared: again };
  } catch (error) {
    return failureTrial(seed, error);
  }
}

export interface PlayedConfiguration {
  readonly drawn: DrawnConfiguration;
  readonly files: Readonly<Record<string, string>>;
  readonly decisions: readonly PlayedDecision[];
}

export function compare(
  { reader }: ConfigurationProgram,
  { drawn, files, decisions }: PlayedConfiguration,
): ComparedWorld {
  const main = { file: drawn.main, text: files[drawn.main]! };
  const configuration =
    drawn.configuration ??
    requireValue(reader.read(main, includesIn(files), drawn.values ?? new Map()));
  return compareConfiguration(configuration, drawn, decisions);
}

const includesIn =
  (files: Readonly<Record<string, string>>): Includes =>
  (pattern) =>
    Object.keys(files)
      .filter((name) => matchesGlob(name, pattern))
      .toSorted()
      .map((file) => ({ file, text: files[file]! }));

/** Starts the program with the configuration, and sends the requests at their times. */
export async function play(
  implementation: Implementation,
  program: ConfigurationProgram,
  seed: number,
): Promise<PlayedConfiguration> {
  const drawn = program.draw(seed);
  const store =
    implementation.manifest.capabilities.store === "redis" ? await startOwnRedis() : null;
  try {
    return await playAt(implementation, program, drawn, store?.place ?? null);
  } finally {
    await store?.stop();
  }
}

async function playAt(
  implementation: Implementation,
  program: ConfigurationProgram,
  drawn: DrawnConfiguration,
  redis: Site["redis"],
): Promise<PlayedConfiguration> {
  const started: { files: Readonly<Record<string, string>>; dir: string } = { files: {}, dir: "" };
  const served = await serveImplementation({
    implementation: {
      ...implementation,
      translate: (_, site: Site) => {
        started.files = drawn.filesAt(site);
        started.dir = site.dir;
        return { files: started.files, ...drawn.startAt?.(site), enforces: [] };
      },
    },
    wanted: { apis: [], credentials: [], limits: [] },
    upstream: new URL("http://127.0.0.1:1"), // these configurations have no upstream
    redis,
  });
  if (isFailure(served)) throw new Error(served.message);
  const addresses = new Set(drawn.requests.map(({ address }) => address));
  const agents = new Map(
    [...addresses].map((localAddress) => [
      localAddress,
      new Agent({ keepAlive: true, localAddress }),
    ]),
  );
  try {
    const startUs = Math.floor(1_000 * (performance.timeOrigin + performance.now()));
    const nowUs = (): number =>
      Math.floor(1_000 * (performance.timeOrigin + performance.now())) - startUs;
    const { decisions } = program;
    const rowHeader = "log" in decisions ? decisions.rowHeader : null;
    const sent = drawn.requests.map(async ({ atUs, address, method, target, headers }, row) => {
      await until(atUs, nowUs, undefined);
      return exchange(
        agents.get(address)!,
        {
          url: served.url,
          method,
          path: target,
          headers: { ...headers, ...(rowHeader === null ? {} : { [rowHeader]: `${row}` }) },
        },
        nowUs,
      );
    });
    const responses = await Promise.all(sent);
    return {
      drawn,
      files: started.files,
      decisions:
        "log" in decisions
          ? await readLog(decisions, join(started.dir, decisions.log), responses.length)
          : responses.map((response, row) =>
              decisionOf(response, row, startUs, decisions.refusals),
            ),
    };
  } finally {
    for (const agent of agents.values()) agent.destroy();
    await served.stop();
  }
}

function decisionOf(
  response: ExchangeResult | LostExchange,
  row: number,
  startUs: number,
  refusals: readonly number[],
): PlayedDecision {
  const [status, endUs] =
    "status" in response
      ? [response.status, response.receivedUs]
      : [response.reason === "broken" ? 0 : null, response.lostUs];
  if (status === null || (status === 0 && !refusals.includes(0)))
    throw new Error(`request ${row + 1} got no response`);
  return {
    row,
    fromUs: startUs + response.sentUs,
    toUs: startUs + endUs,
    isAdmitted: !refusals.includes(status),
    isCounted: null,
    status,
  };
}

const LOOKS = 60;
const LOOK_AGAIN_MS = 50;

/** A program may write a line some time after its response. */
async function readLog(
  { decisionsIn }: DecisionsOfLog,
  file: string,
  wanted: number,
): Promise<readonly PlayedDecision[]> {
  for (let look = 0; ; look++) {
    const decisions = decisionsIn(readFileSync(file, "utf8"));
    const { length } = decisions;
    if (length >= wanted) return decisions;
    if (look === LOOKS)
      throw new Error(`${wanted - length} of ${wanted} requests are not in the log`);
    await sleep(LOOK_AGAIN_MS);
  }
}

/** The files of a configuration, and its requests up to the one that differs. */
export function formatConfiguration(
  { draw }: ConfigurationProgram,
  seed: number,
  request: number,
): string {
  const drawn = draw(seed);
  const files = drawn.filesAt(EXAMPLE_SITE);
  return [
    ...Object.entries(files).map(([name, text]) => `# ${name}\n${text.trimEnd()}`),
    "# requests",
    ...drawn.requests
      .slice(0, request)
      .map((each) => `# ${(each.atUs / 1e6).toFixed(3)} s ${describeRequest(each)}`),
    "",
  ].join("\n");
}

const EXAMPLE_SITE: Site = {
  port: 8080,
  spare: [8081, 8082, 8083],
  upstream: { host: "127.0.0.1", port: 1 },
  dir: "/tmp/weir",
  home: "",
  variant: null,
  generation: 1,
  redis: { host: "127.0.0.1", port: 6379 },
};
