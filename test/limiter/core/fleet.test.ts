import { describe, expect, test } from "vitest";
import {
  countActive,
  fleetOfOne,
  removeGateway,
  recordHeartbeat,
} from "#src/limiter/core/fleet.ts";
import { micros } from "#src/kit/units.ts";

const EXPIRY = micros(4_000);
const at = (us: number) => micros(us);

describe("the number of active gateways (ALG-C4)", () => {
  test("a gateway without heartbeats of others counts itself", () => {
    expect(countActive(fleetOfOne(), at(1e15), EXPIRY)).toBe(1);
  });

  test("each gateway with a heartbeat counts once", () => {
    const fleet = fleetOfOne();
    recordHeartbeat(fleet, "b", at(0), EXPIRY);
    recordHeartbeat(fleet, "c", at(1), EXPIRY);
    recordHeartbeat(fleet, "b", at(2), EXPIRY);
    expect(countActive(fleet, at(3), EXPIRY)).toBe(3);
  });

  test.each([
    [3_999, 3],
    [4_000, 2], // b's heartbeat is 4,000 old, which is no longer within
    [4_999, 2],
    [5_000, 1],
  ])("at %d there are %d", (us, count) => {
    const fleet = fleetOfOne();
    recordHeartbeat(fleet, "b", at(0), EXPIRY);
    recordHeartbeat(fleet, "c", at(1_000), EXPIRY);
    expect(countActive(fleet, at(us), EXPIRY)).toBe(count);
  });

  test("a heartbeat by a clock that has gone back ends as soon as that clock has it", () => {
    const fleet = fleetOfOne();
    recordHeartbeat(fleet, "b", at(10_000), EXPIRY);
    recordHeartbeat(fleet, "b", at(5_000), EXPIRY);
    expect(countActive(fleet, at(8_999), EXPIRY)).toBe(2);
    expect(countActive(fleet, at(9_000), EXPIRY)).toBe(1);
  });

  test("a shorter expiry counts at once", () => {
    const fleet = fleetOfOne();
    recordHeartbeat(fleet, "b", at(0), EXPIRY);
    expect(countActive(fleet, at(2_000), EXPIRY)).toBe(2);
    expect(countActive(fleet, at(2_000), micros(2_000))).toBe(1);
  });

  test("a gateway with a new heartbeat counts again", () => {
    const fleet = fleetOfOne();
    recordHeartbeat(fleet, "b", at(0), EXPIRY);
    expect(countActive(fleet, at(9_000), EXPIRY)).toBe(1);
    recordHeartbeat(fleet, "b", at(9_001), EXPIRY);
    expect(countActive(fleet, at(9_002), EXPIRY)).toBe(2);
  });

  test("a gateway that announces its end stops counting at once, and the others do not", () => {
    const fleet = fleetOfOne();
    recordHeartbeat(fleet, "b", at(0), EXPIRY);
    recordHeartbeat(fleet, "c", at(1_000), EXPIRY);
    expect(countActive(fleet, at(2_000), EXPIRY)).toBe(3);
    removeGateway(fleet, "b", at(2_000), EXPIRY);
    expect(countActive(fleet, at(2_000), EXPIRY)).toBe(2);
    removeGateway(fleet, "stranger", at(2_000), EXPIRY);
    expect(countActive(fleet, at(4_999), EXPIRY)).toBe(2);
    expect(countActive(fleet, at(5_000), EXPIRY)).toBe(1);
  });
});
