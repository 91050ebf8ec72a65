// Clients on busy machines: their requests leave late, and their searches take long.
import { expect, test } from "vitest";
import { rng, type Rng } from "#src/kit/chance/rng.ts";
import { SECOND } from "#src/kit/units.ts";
import { answerIdentify } from "#src/show/answers/identify.ts";
import { Identifier } from "#src/studies/identify/identify.ts";
import { buildIdentifyResult } from "#src/studies/identify/result.ts";
import type { ProbeTarget } from "#src/studies/identify/target.ts";
import { createVirtualTarget } from "#src/studies/identify/virtual-target.ts";
import { createBusyClient } from "./busy-client.ts";
import { createOwnServer } from "./own-server.ts";

const NETWORK = { oneWayUs: 500, jitterUs: 200, loss: 0, storeUs: 300, clockUs: 0 };
const ONE_BUDGET = { credential: false, address: false, path: false };
const CAPS = { requests: 5_000, durationUs: 150 * SECOND };

/** 10 per 3 s, in windows of the clock. */
function createClockWindow(random: Rng): ProbeTarget {
  const server = createOwnServer(() => {
    let [window, count] = [-1, 0];
    return (atUs) => {
      const current = Math.floor(atUs / (3 * SECOND));
      if (current !== window) [window, count] = [current, 0];
      return { isAdmitted: ++count <= 10, workUs: 0 };
    };
  });
  return createVirtualTarget(server, ONE_BUDGET, NETWORK, random);
}

test("windows of the clock are identified even if requests leave late", async () => {
  const random = rng(3, "busy");
  const target = createBusyClient(createClockWindow(random), 400_000, random);
  const { behaviour, timing } = await new Identifier(target, CAPS, 3).identify([]);
  expect(behaviour).toEqual({ name: "clock_window", capacity: 10, spanUs: 3 * SECOND });
  expect(timing.lateUs).toBeGreaterThan(200_000);
});

/** The same target by a machine that needs this many times as long to compute. */
function slowDown(target: ProbeTarget, times: number): ProbeTarget {
  const start = process.cpuUsage();
  const nowUs = (): number => {
    const { user, system } = process.cpuUsage(start);
    return target.nowUs() + times * (user + system);
  };
  const lagUs = (): number => nowUs() - target.nowUs();
  return {
    ...target,
    nowUs,
    send: async (groups) => {
      const lateUs = lagUs();
      const probed = await target.send(
        groups.map((each) => ({ ...each, atUs: each.atUs - lateUs })),
      );
      return probed.map((each, index) => ({
        ...each,
        atUs: groups[index]!.atUs,
        responses: each.responses.map((response) => ({
          ...response,
          sentUs: response.sentUs + lateUs,
          receivedUs: response.receivedUs + lateUs,
        })),
      }));
    },
  };
}

test("a search on a slow machine ends with the time", async () => {
  const target = slowDown(createClockWindow(rng(1, "slow")), 400);
  const found = await new Identifier(target, CAPS, 1).identify([]);
  expect(found.durationUs).toBeLessThan(1.2 * CAPS.durationUs);
});

test("an unconfirmed limit has bounds as wide as requests were slow, and its likely number", async () => {
  const random = rng(6, "busy");
  const target = createBusyClient(createClockWindow(random), 400_000, random);
  const found = await new Identifier(target, { ...CAPS, durationUs: 40 * SECOND }, 6).identify([]);
  const [only] = found.left;
  const [fromUs, toUs] = only!.rangeUs!;
  expect(toUs - fromUs).toBeGreaterThan(2 * found.timing.spreadUs);
  const [first, second] = answerIdentify(buildIdentifyResult("t", 6, found, null));
  expect(first!.text).toMatch(/^Probably 10 per about 3 s in fixed windows, not confirmed: /);
  expect(second!.id).toBe("busy");
});
