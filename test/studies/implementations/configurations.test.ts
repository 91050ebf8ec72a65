// Readers against their programs: random configurations are started, get requests, and are compared by decisions. The
// command `weir implementations prove nginx --configurations` does the same with more of them.
import { describe, expect, test } from "vitest";
import { requireValue } from "#src/kit/reading/failure.ts";
import {
  findImplementation,
  findImplementations,
} from "#src/lab/implementations/catalogue.node.ts";
import { whyNotRunnable } from "#src/lab/implementations/home.node.ts";
import {
  compare,
  formatConfiguration,
  play,
  programOf,
  tryConfigurations,
  withoutVariants,
} from "#src/studies/implementations/configurations.node.ts";
import { NGINX_CONFIGURATIONS } from "#src/studies/implementations/draw-nginx.ts";

const nginx = requireValue(await findImplementation("nginx"));
const CONFIGURATIONS = 4;

const others = withoutVariants([
  ...requireValue(await findImplementations("haproxy")),
  ...requireValue(await findImplementations("varnish")),
  ...requireValue(await findImplementations("envoy")),
  ...requireValue(await findImplementations("envoy-ratelimit")),
  ...requireValue(await findImplementations("spring-cloud-gateway")),
]);

test.for([nginx, ...others].map((each) => [each.id, each] as const))(
  "%s decides as the rules that its reader finds in random configurations",
  async ([, implementation], context) => {
    const obstacle = whyNotRunnable(implementation);
    context.skip(obstacle !== null, obstacle ?? "");
    const { trials, cutBy } = await tryConfigurations(implementation, programOf(implementation)!, {
      seed: 1,
      worlds: CONFIGURATIONS,
      maxMs: 60_000,
      progress: () => undefined,
      isInterrupted: () => false,
    });
    expect(cutBy).toBeNull();
    expect(trials.flatMap((trial) => (trial.kind === "failed" ? [trial.why] : []))).toEqual([]);
    const compared = trials.flatMap((trial) => (trial.kind === "compared" ? [trial.compared] : []));
    expect(compared.map(({ difference }) => difference)).toEqual(compared.map(() => null));
    const sum = (of: (each: (typeof compared)[number]) => number): number =>
      compared.reduce((total, each) => total + of(each), 0);
    expect(sum(({ refused }) => refused)).toBeGreaterThan(50);
    expect(sum(({ open }) => open)).toBeLessThan(sum(({ decisions }) => decisions) / 3);
  },
);

describe.skipIf(whyNotRunnable(nginx) !== null)("nginx", () => {
  const program = programOf(nginx)!;

  test("differs from rules that are wrong", async () => {
    const seed = 2;
    const played = await play(nginx, program, seed);
    const wrong = (change: (text: string) => string): string | undefined => {
      const files = Object.fromEntries(
        Object.entries(played.files).map(([name, text]) => [name, change(text)]),
      );
      return compare(program, { ...played, files }).difference?.sentence;
    };
    expect(wrong((text) => text)).toBeUndefined();
    expect(wrong((text) => text.replaceAll(/rate=\d+r\/./g, "rate=1000r/s"))).toMatch(/it refuses/);
    expect(wrong((text) => text.replaceAll(/ burst=\d+/g, ""))).toMatch(/it admits/);
    expect(wrong((text) => text.replaceAll(/limit_req zone[^;]*;/g, ""))).toMatch(
      /some limit counts it, and no rule does/,
    );
    const asTeapot = (text: string): string =>
      text
        .replaceAll(/limit_req_status \d+;/g, "")
        .replace("http {", "http { limit_req_status 418;");
    expect(wrong(asTeapot)).toMatch(/it refuses with \d+, and the rules with 418/);
  });
});

test("a seed always draws the same configuration, and its text names all files and requests", () => {
  const text = formatConfiguration(NGINX_CONFIGURATIONS, 5, 3);
  expect(text).toBe(formatConfiguration(NGINX_CONFIGURATIONS, 5, 3));
  expect(text).toMatch(/^# nginx.conf\n/);
  expect(text.split("# requests\n")[1]!.trimEnd().split("\n")).toHaveLength(3);
});

test("other implementations have no such proof", async () => {
  expect(programOf(requireValue(await findImplementation("limiter")))).toBeNull();
});
