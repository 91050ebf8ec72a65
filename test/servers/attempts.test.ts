import { expect, test } from "vitest";
import { micros } from "../../src/core/units.ts";
import { attempts } from "../../src/servers/attempts.ts";

function tired(address: string): ReturnType<typeof attempts> {
  const all = attempts(() => micros(1_000_000_000));
  for (let i = 0; i < 20; i++) {
    expect(all.waitOf(address)).toBe(0);
    all.failed(address);
  }
  return all;
}

test.each([
  ["192.0.2.1", "192.0.2.1", 60],
  ["192.0.2.1", "192.0.2.2", 0],
  ["2001:db8::1", "2001:db8:0:0:ffff::2", 60],
  ["2001:db8::1", "2001:db8:0:1::1", 0],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::", 60],
  ["::1", "::2", 60],
  ["::ffff:192.0.2.1", "::ffff:192.0.2.2", 0],
])("where %s has failed too often, %s waits %d s", (one, other, seconds) => {
  expect(tired(one).waitOf(other)).toBe(seconds);
});
