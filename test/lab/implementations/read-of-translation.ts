// Random worlds that a program can express are written by its translator, read again, and decided by both.
import * as fc from "fast-check";
import { expect } from "vitest";
import {
  APIS,
  KEYS,
  PATHS,
  RICH,
  world,
  type WorldParts,
} from "#src/studies/swarm/arbitrary/worlds.ts";
import {
  findImplementations,
  type Implementation,
} from "#src/lab/implementations/catalogue.node.ts";
import {
  findUnsupported,
  SOMEWHERE,
  type Configured,
} from "#src/lab/implementations/translation.ts";
import { readWantedWorld, type WantedWorld } from "#src/lab/implementations/wanted.ts";
import type { ConfigurationFile, ConfigurationReader } from "#src/lab/implementations/reading.ts";
import { isFailure, requireValue } from "#src/kit/reading/failure.ts";
import type { JsonMap } from "#src/kit/reading/shape.ts";
import { readConfiguration } from "#src/limiter/world/read.ts";
import { SEPARATOR, type NameTable } from "#src/studies/replay/names.ts";
import { startWorld } from "#src/studies/replay/worlds.ts";
import { REJECTED } from "#src/studies/replay/candidate-limiter.ts";
import { holds } from "../../runs.ts";
import { mustRead, openOf, playerOf, START, type Sent } from "./read-and-play.ts";

interface TranslationReader {
  readonly name: string; // such as haproxy/rate
  readonly file: string; // the translated file that is read
  readonly reader: ConfigurationReader;
  readonly parts?: Partial<WorldParts>;
  /** Changes a world, so that the program can express more of them. */
  readonly change?: (raw: JsonMap) => JsonMap;
  /** Changes the translated file, such as a condition of Weir's own program. */
  readonly rewrite?: (text: string, wanted: WantedWorld) => string;
  readonly clientsAre?: "keys" | "addresses";
  /** Fields of every request that is sent. */
  readonly sends?: (key: string) => Partial<Sent>;
  /** What --set gives, if it depends on the world. */
  readonly valuesOf?: (wanted: WantedWorld) => Readonly<Record<string, string>>;
  /** Other translated files, and those of its setup, which are in the same folder. */
  readonly othersOf?: (translation: Configured) => readonly ConfigurationFile[];
  /** The gateway options of the world; left out: the profile with this name. */
  readonly gateway?: JsonMap;
  /** Periods that the program can express, in seconds. */
  readonly periods?: readonly [number, number];
}

/** Requests of keys to paths of APIs, at times of which many are equal. */
const requests = fc.array(
  fc.record({
    wait: fc.constantFrom(0, 0, 0, 0.001, 0.4, 1, 7, 33),
    key: fc.constantFrom(...KEYS),
    method: fc.constantFrom("GET", "POST"),
    api: fc.constantFrom(...APIS),
    path: fc.constantFrom("/", ...PATHS),
  }),
  { minLength: 40, maxLength: 120 },
);

const wholeLimits = (raw: JsonMap, [short, long]: readonly [number, number]): JsonMap =>
  JSON.parse(
    JSON.stringify(raw, (name, value: unknown) => {
      if (typeof value !== "number") return value;
      if (name === "per") return value < 10 ? short : long;
      return name === "rate" ? Math.max(1, Math.ceil(value)) : value;
    }),
  ) as JsonMap;

/** APIs without keys that count each address: programs select their requests by the beginning of the path. */
export const byAddress = (raw: JsonMap, per = 60): JsonMap => ({
  apis: Object.fromEntries(
    Object.keys(raw["apis"] as JsonMap).map((id, index) => [
      id,
      { listen: `/${id}`, keyless: true, rate: 2 + index, per, key_by: "ip" },
    ]),
  ),
});

/** Nothing looks at the warnings. */
const QUIETLY = { hasEffectiveWarnings: false };

/** Requires that the reader decides what the translator writes as the world decides. Returns how much was compared. */
export async function decidesAsWorld(
  {
    name,
    file,
    reader,
    parts = {},
    change = (raw) => raw,
    sends = (key) => ({ ip: "", headers: { authorization: key } }),
    valuesOf = () => ({}),
    rewrite = (text) => text,
    othersOf,
    gateway = { profile: name },
    periods = [1, 60],
    clientsAre = "keys",
  }: TranslationReader,
  runs: number,
): Promise<{ readonly worlds: number; readonly refused: number }> {
  const all = requireValue(await findImplementations(name));
  const { manifest, translate, variant } = all[0] as Implementation;
  const [compared, refusals] = [{ worlds: 0 }, { refused: 0 }];
  const worlds = world({
    ...RICH,
    ...parts,
    smoothing: "none",
    quotas: false,
    apiQuotas: false,
    patterns: false,
  });
  holds(
    fc.property(worlds, requests, (raw, sent) => {
      const whole = change(wholeLimits(raw as unknown as JsonMap, periods));
      const { configuration } = readConfiguration({ ...whole, gateway }, [], QUIETLY);
      if (configuration === null) throw new Error("the world has errors");
      const wanted = readWantedWorld(configuration);
      if (wanted.limits.length === 0 || findUnsupported(manifest, wanted).length > 0) return;
      const translation = translate!(wanted, { ...SOMEWHERE, variant });
      if (isFailure(translation) || "cannot" in translation) return;
      const read = mustRead(reader, rewrite(translation.files[file]!, wanted), {
        values: valuesOf(wanted),
        ...(othersOf === undefined ? {} : { others: othersOf(translation) }),
      });
      expect(openOf(read).filter((line) => !line.includes(" question "))).toEqual([]);
      compared.worlds++;
      const names = { clients: [] as string[], targets: [] as string[] };
      const separator = String.fromCodePoint(SEPARATOR);
      const own = startWorld(
        { kind: "world", file: "world.yaml", configuration, clientsAre },
        {
          clients: { names: names.clients },
          targets: { names: names.targets } as unknown as NameTable,
          sender: [],
        },
      );
      const decide = playerOf(read);
      const numberOf = (of: string[], each: string): number =>
        of.includes(each) ? of.indexOf(each) : of.push(each) - 1;
      let at = 0;
      for (const { wait, key, method, api, path } of sent) {
        at += wait;
        const target = `/${api}${path}`;
        const request: Sent = { at, method, path: target, ...sends(key) };
        const decided = own.decide(
          numberOf(names.clients, key),
          numberOf(names.targets, `${method} ${target}${separator}`),
          Math.round(1_000_000 * (START + at)),
        );
        if (decided === REJECTED) continue;
        if (decided !== 0) refusals.refused++;
        const isAdmitted = decide(request);
        if (isAdmitted !== (decided === 0))
          expect({ ...request, isAdmitted }).toEqual({ ...request, isAdmitted: decided === 0 });
      }
    }),
    runs,
  );
  return { ...compared, ...refusals };
}
