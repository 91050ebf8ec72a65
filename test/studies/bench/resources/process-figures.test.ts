import { expect, test } from "vitest";
import {
  describeOthers,
  busyUsOfMachine,
  cpuUsOfSchedstat,
  cpuUsOfStat,
  figuresOfPs,
  survivorBytesOf,
  rssBytesOfStatus,
} from "#src/studies/bench/resources/process-figures.ts";
import { gatewayFigures, sumOf } from "#src/studies/bench/resources/prometheus.ts";
import { footprintOf, redisInfo, usageBetween } from "#src/studies/bench/resources/redis-info.ts";

test("processor time of a process is read after its name, whatever the name contains", () => {
  const stat = "71 (a) b (c) S 1 71 71 0 -1 4194560 1 2 3 4 250 50 0 0 20 0 7 0 1";
  expect(cpuUsOfStat(stat)).toBe(3_000_000);
  expect(cpuUsOfSchedstat("1500000 20 3\n")).toBe(1_500);
});

test("memory is the resident part", () => {
  expect(rssBytesOfStatus("VmHWM:\t  9000 kB\nVmRSS:\t    2048 kB\n")).toBe(2_048 * 1_024);
});

test.each([
  ["  0:01.25  1024", { cpuUs: 1_250_000, rssBytes: 1_048_576 }],
  ["00:00:03   2048\n", { cpuUs: 3_000_000, rssBytes: 2_097_152 }],
  ["1-02:00:00 1", { cpuUs: 26 * 3_600 * 1e6, rssBytes: 1_024 }],
  ["", null],
])("ps prints %j", (line, figures) => {
  expect(figuresOfPs(line)).toEqual(figures);
});

test("idle time and the wait for a disk count for no process", () => {
  const stat = "cpu  100 20 30 4000 500 6 7 8 0 0\ncpu0 1 1 1 1\n";
  expect(busyUsOfMachine(stat)).toBe(171 * 10_000);
});

const others = (othersUs: number) => ({ othersUs, tookUs: 1_000_000, cores: 2 });

test("a machine is too busy if others take more than a tenth of it", () => {
  expect(describeOthers(others(190_000), "during")).toBe(null);
  expect(describeOthers(others(500_000), "during")).toContain("took 25 % of the machine's 2 cores");
  expect(describeOthers(others(500_000), "before")).toContain(
    "take 25 % of the machine's 2 cores: this run cannot be compared",
  );
});

const PAGE = `# TYPE nodejs_gc_duration_seconds histogram
nodejs_gc_duration_seconds_sum{kind="minor"} 0.25
nodejs_gc_duration_seconds_count{kind="minor"} 9
nodejs_gc_duration_seconds_sum{kind="major"} 0.5
nodejs_eventloop_lag_p99_seconds 0.0125
weir_gc_seconds_total 0.8
weir_memory_budgets 4
weir_memory_entries 12
`;

test("a page of metrics is read by names, over all labels", () => {
  expect(sumOf(PAGE, "nodejs_gc_duration_seconds_sum")).toBe(0.75);
  expect(sumOf(PAGE, "nodejs_gc_duration_seconds")).toBe(null);
  expect(gatewayFigures(PAGE)).toEqual({
    loopP99Ms: 2.5,
    gcUs: 800_000,
    budgets: 4,
    entries: 12,
  });
  expect(gatewayFigures("")).toEqual({ loopP99Ms: null, gcUs: 0, budgets: null, entries: null });
});

const info = (commands: string, more = ""): string =>
  `# Memory\r\nused_memory:1048576\r\n${more}\r\n# Commandstats\r\n${commands}`;

test("the usage between two readings of Redis excludes the commands of the readings", () => {
  const before = redisInfo(
    info(
      "cmdstat_evalsha:calls=10,usec=100,usec_per_call=10.00\r\ncmdstat_mget:calls=20,usec=40\r\n",
      "used_cpu_user:1.000000\r\ntotal_net_input_bytes:100\r\ntotal_net_output_bytes:50",
    ),
  );
  const after = redisInfo(
    info(
      "cmdstat_evalsha:calls=14,usec=160\r\ncmdstat_mget:calls=28,usec=60\r\ncmdstat_info:calls=9,usec=900\r\ncmdstat_client|setinfo:calls=2,usec=7\r\ncmdstat_publish:calls=1,usec=1\r\n",
      "used_cpu_user:1.002000\r\nused_cpu_sys:0.000500\r\ntotal_net_input_bytes:300\r\ntotal_net_output_bytes:90",
    ),
  );
  expect(usageBetween(before, after)).toEqual({
    cpuUs: expect.closeTo(2_500, 3) as number,
    networkBytes: 240,
    calls: 12,
    sent: { count: 4, us: 60 },
  });
});

test("without a script each command counts as received", () => {
  const used = usageBetween(
    redisInfo(info("cmdstat_eval:calls=5,usec=50\r\n")),
    redisInfo(info("cmdstat_eval:calls=5,usec=50\r\ncmdstat_zadd:calls=3,usec=12\r\n")),
  );
  expect(used).toMatchObject({ calls: 3, sent: { count: 3, us: 12 } });
});

test("keys of Redis with one name in braces belong to one budget", () => {
  const names = ["p:{a}z", "p:{a}c", "p:{b}z", "p:{b}c"];
  const sample = [{ bytes: 300, entries: 9 }, null, { bytes: 100, entries: 1 }];
  expect(footprintOf(names, sample)).toEqual({ budgets: 2, bytes: 400, entries: 10 });
  expect(footprintOf([], [])).toBe(null);
  expect(footprintOf(["p:{a}"], [null])).toBe(null);
});

test("bytes that outlive a collection are those promoted and those that stay young", () => {
  const line = (pid: number, kind: string): string =>
    `[${pid}:0x3bff7000:0]     7148 ms: pause=2.8 mutator=2096.3 gc=${kind} reduce_memory=0 promoted=25048 quarantined_size=0 new_space_survived=594992 nodes_died_in_new=30 `;
  expect(survivorBytesOf(line(826, "s"), 826)).toBe(620_040);
  expect(survivorBytesOf(line(826, "mc"), 826)).toBeNull(); // a collection of old objects
  expect(survivorBytesOf(line(82, "s"), 826)).toBeNull();
  expect(survivorBytesOf("ready", 826)).toBeNull();
});
