import { describe, expect, test } from "vitest";
import {
  gatewayCount,
  initialHealth,
  isOpen,
  isProbeDue,
  recordFailure,
  recordSuccess,
} from "#src/limiter/core/health.ts";
import { micros, SECOND } from "#src/kit/units.ts";

const at = (seconds: number) => micros(seconds * SECOND);
const EXPIRY = at(4);

describe("a store that fails (ALG-C8)", () => {
  test("changes over with the first failure, and back with the first answer", () => {
    const health = initialHealth();
    expect([recordFailure(health, 1, at(0)), recordFailure(health, 1, at(0))]).toEqual([
      true,
      false,
    ]);
    expect([recordSuccess(health, at(1), EXPIRY), recordSuccess(health, at(1), EXPIRY)]).toEqual([
      true,
      false,
    ]);
  });

  test("is no longer waited for after five failures in a row", () => {
    const health = initialHealth();
    for (let i = 0; i < 4; i++) recordFailure(health, 1, at(0));
    recordSuccess(health, at(0), EXPIRY);
    for (let i = 0; i < 4; i++) recordFailure(health, 1, at(0));
    expect(isOpen(health)).toBe(false);
    recordFailure(health, 1, at(0));
    expect(isOpen(health)).toBe(true);
  });

  test("is looked for once a second, beginning a second after the fifth", () => {
    const health = initialHealth();
    for (let i = 0; i < 5; i++) recordFailure(health, 1, at(0));
    const probes = [0, 0.999, 1, 1.5, 2, 2, 3.5, 4].filter((s) => isProbeDue(health, at(s)));
    expect(probes).toEqual([1, 2, 3.5]);
  });

  test("is looked for a second after it was looked for last, however late that failed", () => {
    const health = initialHealth();
    for (const seconds of [0, 0.01, 0.02, 0.03, 0.04]) recordFailure(health, 1, at(seconds));
    expect(isProbeDue(health, at(1.039))).toBe(false);
    expect(isProbeDue(health, at(1.04))).toBe(true);
    recordFailure(health, 1, at(1.5));
    expect(isProbeDue(health, at(2.04))).toBe(true);
  });

  test("that answers is not looked for", () => {
    expect(isProbeDue(initialHealth(), at(9))).toBe(false);
  });
});

describe("the count of gateways (ALG-C8, ALG-C1)", () => {
  test("is the one before the failure until heartbeats have arrived for drl_expiry again", () => {
    const health = initialHealth();
    expect(gatewayCount(health, 5, at(0))).toBe(5);
    recordFailure(health, 5, at(1));
    recordFailure(health, 1, at(2)); // by now no heartbeat arrives
    expect(gatewayCount(health, 1, at(9))).toBe(5);
    recordSuccess(health, at(10), EXPIRY);
    expect(gatewayCount(health, 2, at(13.999999))).toBe(5);
    expect(gatewayCount(health, 4, at(14))).toBe(4);
    expect(gatewayCount(health, 3, at(15))).toBe(3);
  });

  test("thaws then, however often the store has answered meanwhile", () => {
    const health = initialHealth();
    recordFailure(health, 5, at(0));
    for (const seconds of [10, 11, 12, 13]) recordSuccess(health, at(seconds), EXPIRY);
    expect(gatewayCount(health, 2, at(14))).toBe(2);
  });

  test("stays frozen when the store fails again before that", () => {
    const health = initialHealth();
    recordFailure(health, 5, at(0));
    recordSuccess(health, at(1), EXPIRY);
    recordFailure(health, 2, at(2));
    expect(gatewayCount(health, 2, at(6))).toBe(5);
  });
});
