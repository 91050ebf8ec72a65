import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { plan } from "#src/lab/scenario/plan/plan.ts";
import { scenario } from "#src/studies/swarm/arbitrary/scenarios.ts";
import { BUSY, traffic, type SentRequest } from "#src/studies/swarm/arbitrary/traffic.ts";
import { RICH, world } from "#src/studies/swarm/arbitrary/worlds.ts";
import {
  documentOf,
  EXPECTED,
  flowsOf,
  formatScenario,
  NAME,
} from "#src/studies/swarm/as-scenario.ts";
import { KINDS } from "#src/studies/swarm/kinds.ts";
import { buildVariant, variantOf } from "#src/studies/swarm/trial.ts";
import type { Variant } from "#src/lab/scenario/types.ts";
import { configurationOf } from "./rig.ts";
import { holds } from "../runs.ts";

const parts = { ...RICH, thresholds: true, throttles: true, keyFirst: true };

const frame = { id: NAME, title: "found", about: null, proves: ["LIM-1"], expect: EXPECTED };

describe("a generated world as the text of a scenario file", () => {
  test("is read back as the world that it was made from", () => {
    holds(
      fc.property(world(parts), (raw) => {
        const traffic = [{ name: "one", as: "alice", send: "GET /orders", burst: 1 }];
        const text = formatScenario({ world: raw, around: {}, traffic, faults: [] });
        expect(variantOf(text).world.configuration).toEqual(configurationOf(raw));
      }),
      100,
    );
  });

  test("plans the requests that it was made from, each at its time", () => {
    const quiet = { apis: { orders: {}, bills: {} }, policies: {}, keys: {}, gateway: {} };
    const raw = {
      ...quiet,
      apis: { orders: { listen: "/orders" }, bills: { listen: "/bills" } },
      keys: { alice: {}, bob: {}, carol: {} },
    };
    const inOrder = (all: readonly SentRequest[]): readonly string[] =>
      all.map(({ atUs, as, path }) => `${atUs} ${as} ${path}`).toSorted();
    holds(
      fc.property(traffic(BUSY), (requests) => {
        const text = formatScenario({
          world: raw,
          around: {},
          traffic: flowsOf(requests),
          faults: [],
        });
        const { atUs, flow, flows } = plan(variantOf(text), NAME, 1);
        const planned = [...atUs].map((us, index): SentRequest => {
          const { as, path } = flows[flow[index]!]!;
          return { atUs: us, as, path };
        });
        expect(inOrder(planned)).toEqual(inOrder(requests));
      }),
      100,
    );
  });

  test("has every part of the world: decoding the text gives them again", () => {
    const everything = {
      world: parts,
      gateways: 3,
      skewed: true,
      slow: true,
      faults: true,
      configures: true,
      ramps: true,
    };
    holds(
      fc.property(scenario(everything), (raw) => {
        const text = formatScenario(raw, frame);
        const read = parse(text) as Readonly<Record<string, unknown>>;
        expect(read).toMatchObject({
          world: { ...raw.world, ...raw.around },
          traffic: raw.traffic,
        });
        expect(read["faults"] ?? []).toEqual(raw.faults);
        expect(variantOf(text).faults).toHaveLength(raw.faults.length);
      }),
      100,
    );
  });

  test.each(KINDS)("is run as its file would be: $name", ({ worlds }) => {
    holds(
      fc.property(worlds, (raw) => {
        const text = formatScenario(raw, frame);
        expect(parse(text)).toStrictEqual(documentOf(raw, frame));
        expect(withoutLines(buildVariant(raw, frame))).toStrictEqual(withoutLines(variantOf(text)));
      }),
      10,
    );
  });
});

const withoutLines = (variant: Variant): Variant => ({
  ...variant,
  expectations: variant.expectations.map((expectation) => ({ ...expectation, line: 0 })),
});
