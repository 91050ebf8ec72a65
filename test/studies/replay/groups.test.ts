import { expect, test } from "vitest";
import * as fc from "fast-check";
import { RequestGroups } from "#src/studies/replay/groups.ts";
import { holds } from "../../runs.ts";

test("groups have each request once, and those of a client in the order of their times", () => {
  const groups = new RequestGroups(1); // used again, as a replay does
  holds(
    fc.property(
      fc.constantFrom(3, 1000, 1_000_000), // more clients than groups: neighbours share one
      fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 1, maxLength: 60 }),
      (clientCount, drawn) => {
        const clients = Int32Array.from(drawn, (each) => Math.floor(each * clientCount));
        const count = clients.length;
        const atUs = Float64Array.from(clients.keys(), (each) => 1000 * each);
        const targets = new Int32Array(count);
        const arrivals = { count, clients, atUs, targets };
        groups.group(arrivals, Int32Array.from(clients.keys()), clientCount);
        groups.place(0, arrivals, atUs);
        const order = [...groups.steps.subarray(0, count)];
        expect(order.toSorted((a, b) => a - b)).toEqual([...clients.keys()]);
        expect([...groups.clients.subarray(0, count)]).toEqual(order.map((at) => clients[at]));
        expect([...groups.atUs.subarray(0, count)]).toEqual(order.map((at) => atUs[at]));
        const last = new Map<number, number>();
        for (const at of order) {
          expect(at).toBeGreaterThan(last.get(clients[at]!) ?? -1);
          last.set(clients[at]!, at);
        }
      },
    ),
    100,
  );
});

test("few clients are sorted by their numbers", () => {
  const groups = new RequestGroups(1);
  const clients = Int32Array.of(2, 0, 2, 1, 0);
  const columns = { atUs: new Float64Array(5), targets: new Int32Array(5) };
  groups.group({ count: 5, clients, ...columns }, Int32Array.of(0, 1, 2, 3, 4), 3);
  expect([...groups.steps]).toEqual([1, 4, 3, 0, 2]);
});
