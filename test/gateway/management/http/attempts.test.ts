import { expect, test } from "vitest";
import { micros, SECOND } from "#src/kit/units.ts";
import { attempts, MOST_COUNTED, MOST_FAILED } from "#src/gateway/management/http/attempts.ts";

function counting(): ReturnType<typeof attempts> & { clock: { seconds: number }; lines: string[] } {
  const clock = { seconds: 1_000 };
  const lines: string[] = [];
  const counted = attempts(
    () => micros(clock.seconds * SECOND),
    (line) => void lines.push(line),
  );
  return { ...counted, clock, lines };
}

function withMostFailed(address: string): ReturnType<typeof counting> {
  const all = counting();
  for (let i = 0; i < MOST_FAILED; i++) expect(all.fail("admin", address)).toBe(0);
  return all;
}

test.each([
  ["192.0.2.1", "192.0.2.1", 60],
  ["192.0.2.1", "192.0.2.2", 0],
  ["2001:db8::1", "2001:db8:0:0:ffff::2", 60],
  ["2001:db8::1", "2001:db8:0:1::1", 0],
  ["2001:db8:1:2:3:4:5:6", "2001:DB8:1:2::", 60],
  ["::1", "::2", 60],
  ["::ffff:192.0.2.1", "::ffff:192.0.2.2", 0],
  ["::ffff:192.0.2.1", "192.0.2.1", 60],
  ["fe80::1%eth0", "fe80::1%made-up", 60],
])("after too many from %s, a wrong one from %s waits %d s", (one, other, seconds) => {
  expect(withMostFailed(one).fail("admin", other)).toBe(seconds);
});

test("interfaces are counted apart", () => {
  const all = withMostFailed("192.0.2.1");
  expect(all.fail("portal", "192.0.2.1")).toBe(0);
  expect(all.fail("admin", "192.0.2.1")).toBe(60);
});

test("a minute after the first of them counting begins anew", () => {
  const all = withMostFailed("192.0.2.1");
  all.clock.seconds += 59;
  expect(all.fail("admin", "192.0.2.1")).toBe(1);
  all.clock.seconds += 1;
  expect(all.fail("admin", "192.0.2.1")).toBe(0);
});

test("a clock that is set back by an hour makes no client wait for it", () => {
  const all = withMostFailed("192.0.2.1");
  all.clock.seconds -= 600;
  expect(all.fail("admin", "192.0.2.1")).toBe(0);
});

test("no more than a bounded number of addresses is remembered, the newest ones", () => {
  const all = counting();
  const at = (i: number): string =>
    `2001:db8:${(i >> 16).toString(16)}:${(i & 65_535).toString(16)}::1`;
  for (let i = 0; i < 3 * MOST_COUNTED; i++) all.fail("admin", at(i));
  expect(all.entryCount()).toBe(MOST_COUNTED);
  for (let i = 1; i < MOST_FAILED; i++) all.fail("admin", at(3 * MOST_COUNTED - 1));
  expect(all.fail("admin", at(3 * MOST_COUNTED - 1))).toBe(60);
  all.clock.seconds += 60;
  all.fail("admin", "192.0.2.1");
  expect(all.entryCount()).toBe(1);
});

test("the log has one line a minute for each API at which a client guesses", () => {
  const all = withMostFailed("2001:db8::7");
  expect(all.lines).toEqual([]);
  for (let i = 0; i < 5; i++) all.fail("admin", "2001:db8::7");
  expect(all.lines).toEqual([
    "weir: more than 20 wrong credentials in a minute at admin, from 2001:db8::/64",
  ]);
  for (let i = 0; i <= MOST_FAILED; i++) all.fail("studio", "192.0.2.1");
  expect(all.lines).toHaveLength(2);
  all.clock.seconds += 60;
  for (let i = 0; i <= MOST_FAILED; i++) all.fail("admin", "192.0.2.1");
  expect(all.lines).toHaveLength(3);
});
