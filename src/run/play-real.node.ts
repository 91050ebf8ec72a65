// Scenarios in real time: several worlds at a time in one thread, judged in this one.
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { isAcross } from "../check/across.ts";
import type { RealName } from "../drivers/by-name.node.ts";
import type { Calibration } from "../drivers/calibrate.node.ts";
import type { Offer } from "../drivers/driver.ts";
import { durationUs, reasonsAgainst, type RealTimeOptions } from "../drivers/support.ts";
import type { History } from "../scenario/history.ts";
import { decode } from "../scenario/read/decode.ts";
import type { Scenario, Variant } from "../scenario/types.ts";
import { keepRequestsYoung } from "../gateway/http/young.node.ts";
import { historyFolder } from "./history-folder.node.ts";
import { variantsMeant } from "./only.ts";
import type { Watch } from "./play-all.node.ts";
import type { Played, RunSettings } from "./play.node.ts";
import { toldInReal, runUntilDecided, type PlayedOrNot, type ToldOfReal } from "./real-results.ts";
import { besideFile, type Source } from "./scenario-files.node.ts";
import { selected } from "./selection.ts";

export interface RealSettings extends RunSettings, RealTimeOptions {
  readonly driver: RealName;
  readonly sample: number; // at most so many variants
  /** Capabilities, or drivers, whose absence is a failure. */
  readonly required: ReadonlySet<string>;
}

export type RealWork =
  | { readonly kind: "calibrate"; readonly id: number }
  | {
      readonly kind: "play";
      readonly id: number;
      readonly source: Source;
      readonly variant: string;
      readonly stretch: number;
    };

export type RealAnswer =
  | { readonly kind: "calibrated"; readonly id: number; readonly calibration: Calibration }
  | {
      readonly kind: "played";
      readonly id: number;
      readonly history: History;
      readonly isStoreLate: boolean;
    }
  | { readonly kind: "broken"; readonly id: number; readonly why: string };

/** More would wait for each other on a machine of two cores. */
const WORLDS_AT_A_TIME = 10;

export interface RealPlayers {
  readonly calibrate: () => Promise<Calibration>;
  readonly play: (sources: readonly Source[], watch: Watch) => AsyncGenerator<Played, void>;
  readonly dismiss: () => Promise<void>;
}

export function startRealPlayers(settings: RealSettings, offer: Offer): RealPlayers {
  keepRequestsYoung(); // for its threads too, in which gateways are served
  const file = `./real-worker.node${extname(import.meta.filename)}`;
  const worker = new Worker(new URL(file, import.meta.url), { workerData: settings });
  const waiting = new Map<number, (answer: RealAnswer) => void>();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined); // whoever waits for an answer hears of it
  worker.on("message", (answer: RealAnswer) => {
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  worker.on("error", failed.reject);
  let asked = 0;
  const ask: Ask = (work) => {
    const id = asked++;
    const answer = new Promise<RealAnswer>((resolve) => waiting.set(id, resolve));
    worker.postMessage({ ...work, id } satisfies RealWork, []);
    return Promise.race([answer, failed.promise]);
  };
  return {
    calibrate: async () => {
      const answer = await ask({ kind: "calibrate" });
      if (answer.kind !== "calibrated") throw new Error(`no calibration but ${answer.kind}`);
      return answer.calibration;
    },
    play: (sources, watch) => playAll({ settings, offer, ask }, sources, watch),
    dismiss: async () => void (await worker.terminate()),
  };
}

type Ask = (
  work:
    | { readonly kind: "calibrate" }
    | {
        readonly kind: "play";
        readonly source: Source;
        readonly variant: string;
        readonly stretch: number;
      },
) => Promise<RealAnswer>;

interface Table {
  readonly settings: RealSettings;
  readonly offer: Offer;
  readonly ask: Ask;
}

/** In the order of the files, whatever is done first. */
async function* playAll(
  table: Table,
  sources: readonly Source[],
  { underWay, stop }: Watch,
): AsyncGenerator<Played, void> {
  const free = lanes(WORLDS_AT_A_TIME);
  const busy = new Set<string>();
  let isOver = false;
  const folder = historyFolder(table.settings.histories);
  const playAt = async (
    { source, scenario, meant }: Meant,
    asked: RealSettings,
  ): Promise<{ readonly known: readonly PlayedOrNot[]; readonly told: ToldOfReal }> => {
    const outcomes = await Promise.all(
      neededFor(scenario, meant).map(async (variant): Promise<PlayedOrNot | null> => {
        const against = reasonsAgainst(table.offer, scenario, variant, asked);
        if (against.length > 0) return { kind: "unsupported", variant, against };
        const release = await free();
        try {
          if (isOver) return null;
          busy.add(source.file);
          underWay(busy);
          const { stretch } = asked;
          const work = { kind: "play", source, variant: variant.name, stretch } as const;
          return outcomeOf(variant, await table.ask(work));
        } finally {
          release();
        }
      }),
    );
    busy.delete(source.file);
    if (!isOver) underWay(busy);
    const known = outcomes.filter((outcome) => outcome !== null);
    return { known, told: toldInReal(asked, scenario, meant, known, source.text) };
  };
  const playOne = async (one: Meant): Promise<Played> => {
    // Lanes are given in order, so a repetition comes after everything else, when the machine has less to do.
    const { best, before } = await runUntilDecided(
      (by) => playAt(one, stretchedSettings(table, one, by)),
      () => isOver,
    );
    let fault: string | null = null;
    for (const outcome of best.known)
      if (outcome.kind === "played" && one.meant.has(outcome.variant.name))
        fault ??= folder.keep(outcome.history);
    const results = best.told.results.map((result) =>
      before === 0 || result.outcome === "unsupported"
        ? result
        : { ...result, playedBefore: before },
    );
    // Its traffic is as long as it took.
    const tookMs = results.map(({ virtualUs }) => virtualUs / 1_000);
    return { ...best.told, results, digests: [], tookMs, fault };
  };
  try {
    const all = meantOf(table, sources);
    const started = new Map(longestFirst(all).map((one) => [one, playOne(one)]));
    for (const promise of started.values()) promise.catch(() => undefined); // reported where it is awaited
    for (const one of all) {
      const next = await Promise.race([stop, started.get(one)!]);
      if (next === "stop") return;
      yield next;
    }
  } finally {
    isOver = true;
  }
}

/** The settings of the run, if the scenario cannot be slower: whole seconds cannot be stretched, and `--max-duration` holds. */
function stretchedSettings(
  { settings, offer }: Table,
  { scenario, meant }: Meant,
  by: number,
): RealSettings {
  const asked = { ...settings, stretch: settings.stretch * by };
  const isPlayable = neededFor(scenario, meant).every(
    (variant) =>
      reasonsAgainst(offer, scenario, variant, asked).length ===
      reasonsAgainst(offer, scenario, variant, settings).length,
  );
  return isPlayable ? asked : settings;
}

function outcomeOf(variant: Variant, answer: RealAnswer): PlayedOrNot {
  if (answer.kind === "played") return { ...answer, variant };
  return { kind: "broken", variant, why: answer.kind === "broken" ? answer.why : "not played" };
}

interface Meant {
  readonly source: Source;
  readonly scenario: Scenario;
  readonly meant: ReadonlySet<string>; // variants
}

function meantOf({ settings, offer }: Table, sources: readonly Source[]): readonly Meant[] {
  const all = sources.map((source): Meant => {
    const scenario = scenarioOf(source);
    return { source, scenario, meant: variantsMeant(scenario, settings.only) ?? new Set() };
  });
  if (settings.sample === Number.POSITIVE_INFINITY) return all;
  const candidates = all.flatMap(({ scenario, meant }) =>
    scenario.variants
      .filter(
        (variant) =>
          meant.has(variant.name) &&
          reasonsAgainst(offer, scenario, variant, settings).length === 0,
      )
      .map((variant) => ({ scenario, variant, durationUs: durationUs(variant) })),
  );
  const chosen = selected(candidates, settings.sample);
  return all.map(({ source, scenario }) => ({
    source,
    scenario,
    meant: new Set(
      chosen.filter((one) => one.scenario === scenario).map(({ variant }) => variant.name),
    ),
  }));
}

/** A long variant that starts last would run alone at the end. */
function longestFirst(all: readonly Meant[]): readonly Meant[] {
  const longestUs = ({ scenario, meant }: Meant): number =>
    Math.max(
      0,
      ...scenario.variants.filter(({ name }) => meant.has(name)).map((each) => durationUs(each)),
    );
  return all
    .map((one) => ({ one, us: longestUs(one) }))
    .toSorted((a, b) => b.us - a.us)
    .map(({ one }) => one);
}

function scenarioOf({ file, text }: Source): Scenario {
  const { scenario } = decode(file, text, besideFile(file));
  if (scenario === null) throw new Error(`${file} has faults that were not told`);
  return scenario;
}

/** Others are played only where one that is meant is compared with them. */
const neededFor = ({ variants }: Scenario, meant: ReadonlySet<string>): readonly Variant[] =>
  variants.some(
    ({ name, expectations }) =>
      meant.has(name) && expectations.some(({ measure }) => isAcross(measure)),
  )
    ? variants
    : variants.filter(({ name }) => meant.has(name));

/** As many at a time as there are lanes; in the order in which they came. */
function lanes(count: number): () => Promise<() => void> {
  let free = count;
  const queue: (() => void)[] = [];
  const release = (): void => {
    const next = queue.shift();
    if (next === undefined) free++;
    else next();
  };
  return async () => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => queue.push(resolve));
    return release;
  };
}
