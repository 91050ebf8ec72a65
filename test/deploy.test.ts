// Image, compose file and manifests, by Weir's own readers. `npm run nightly -- shipped` has linters, and starts the image.
import { existsSync, globSync, readFileSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { readSettings } from "#src/gateway/settings/read.ts";
import { readWorldFile } from "#src/gateway/settings/world.ts";
import { SETTING_NAMES, variableOf } from "#src/gateway/settings/table.ts";
import { commandOf, stepsOf } from "./shipped/dockerfile.ts";

const root = join(import.meta.dirname, "..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");
const { version } = JSON.parse(read("package.json")) as { readonly version: string };

interface Service {
  readonly image: string;
  readonly build?: string;
  readonly volumes?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, unknown>>;
  readonly healthcheck?: unknown;
  readonly read_only?: boolean;
}
const compose = parse(read("compose.yaml"), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: object;
};

/** Names that Weir reads of an environment, apart from those of its settings. */
const VARIABLES = [...SETTING_NAMES.map(variableOf), "WEIR_CONFIG", "WEIR_UNPACKED"];

const worldErrors = (text: string): readonly string[] =>
  readWorldFile({ file: "world.yaml", text }).errors;

test.each(["amd64", "arm64"])(
  "the image for %s has its executable, and is not root",
  (architecture) => {
    const { image, steps } = stepsOf(read("Dockerfile"), { TARGETARCH: architecture });
    const last = (name: string) => steps.findLast((step) => step.name === name)!;
    expect(image).toMatch(/^debian:\w+-slim$/);
    const sources = steps.filter(({ name }) => name === "COPY").map(({ words }) => words[0]!);
    const ending = architecture === "amd64" ? "x64" : architecture;
    expect(sources).toEqual([`release/weir-*-linux-${ending}`, "deploy/image/health.mjs"]);
    const sent = read(".dockerignore")
      .split("\n")
      .filter((line) => line.startsWith("!"));
    const files = [`release/weir-${version}-linux-${ending}`, "deploy/image/health.mjs"];
    for (const file of files)
      expect(sent.some((pattern) => matchesGlob(file, pattern.slice(1)))).toBe(true);
    expect(last("USER").words).toEqual(["10001:10001"]);
    // Without a shell in front of it, the program gets the signals.
    expect(last("ENTRYPOINT")).toMatchObject({ isList: true, words: ["weir"] });
    expect(last("CMD")).toMatchObject({ isList: true, words: ["serve"] });
    expect(commandOf(last("HEALTHCHECK"))).toEqual(["weir", "/usr/local/lib/weir/health.mjs"]);
    const names = steps
      .filter(({ name }) => name === "ENV")
      .map(({ words }) => words[0]!.split("=")[0]);
    expect(VARIABLES).toEqual(expect.arrayContaining(names));
  },
);

test("the files that compose mounts are settings and a world without a problem", () => {
  const settings = { file: "weir.yaml", text: read("deploy/compose/weir.yaml") };
  const {
    settings: values,
    errors,
    warnings,
  } = readSettings({
    file: settings,
    environment: {},
    flags: new Map(),
  });
  expect([errors, warnings]).toEqual([[], []]);
  expect(worldErrors(read("deploy/compose/world.yaml"))).toEqual([]);
  // Hosts are the names of services.
  const hosts = [values!.records, values!["store.url"], values!.upstream!];
  expect(hosts.map((address) => new URL(address).hostname)).toEqual([
    "postgres",
    "redis",
    "upstream",
  ]);
  for (const name of Object.keys(compose.services["gateway"]!.depends_on!))
    expect(compose.services).toHaveProperty(name);
});

test("each service of compose has a check, and all but the database a root that is read-only", () => {
  const services = Object.entries(compose.services);
  const writable = services.filter(([, service]) => service.read_only !== true);
  expect(writable.map(([name]) => name)).toEqual(["postgres"]);
  const ofOthers = services.filter(([, { build }]) => build === undefined);
  for (const [, service] of ofOthers) expect(service.healthcheck).toHaveProperty("test");
  const mounted = services.flatMap(([, { volumes = [] }]) =>
    volumes.map((one) => one.split(":")[0]!),
  );
  for (const from of mounted)
    expect(from in compose.volumes || existsSync(join(root, from))).toBe(true);
  const variables = services.flatMap(([, { environment = {} }]) => Object.keys(environment));
  const own = variables.filter((variable) => variable.startsWith("WEIR_"));
  expect(VARIABLES).toEqual(expect.arrayContaining(own));
});

interface Container {
  readonly image: string;
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly command?: readonly string[];
}
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly stringData?: Readonly<Record<string, string>>;
  readonly spec: {
    readonly selector?: Readonly<Record<string, unknown>>;
    readonly replicas?: number;
    readonly minAvailable?: number;
    readonly completions?: number;
    readonly ports?: readonly { readonly targetPort: string }[];
    readonly template?: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: {
        readonly terminationGracePeriodSeconds?: number;
        readonly containers: readonly Container[];
      };
    };
  };
}
const manifests = globSync("deploy/kubernetes/*.yaml", { cwd: root })
  .toSorted()
  .flatMap((file) => parseAllDocuments(read(file)).map((one) => one.toJS() as Manifest));
const ofKind = (kind: string): readonly Manifest[] => manifests.filter((one) => one.kind === kind);
const pods = [...ofKind("Deployment"), ...ofKind("Job")];
const containers = pods.flatMap(({ spec }) => spec.template!.spec.containers);

test("every selector of Kubernetes selects pods, and every service a port that they have", () => {
  const selecting = [...ofKind("Service"), ...ofKind("PodDisruptionBudget")];
  expect(selecting).toHaveLength(3);
  for (const { spec } of selecting) {
    const labels = (spec.selector!["matchLabels"] ?? spec.selector) as Record<string, string>;
    const selected = pods.filter(
      ({ spec: { template } }) => template!.metadata.labels["app"] === labels["app"],
    );
    expect(selected).toHaveLength(1);
    const names = selected[0]!.spec.template!.spec.containers[0]!.ports!.map(({ name }) => name);
    for (const { targetPort } of spec.ports ?? []) expect(names).toContain(targetPort);
    expect(selected[0]!.spec.replicas).toBeGreaterThan(spec.minAvailable ?? 0);
  }
});

test("Weir in Kubernetes is of this version, with settings and a world without a problem", () => {
  const own = containers.filter(({ image }) => image.startsWith("weir:"));
  expect(own.map(({ image }) => image)).toEqual([`weir:${version}`, `weir:${version}`]);
  const environment = Object.fromEntries(own[0]!.env!.map(({ name, value }) => [name, value]));
  expect(VARIABLES).toEqual(expect.arrayContaining(Object.keys(environment)));
  const { settings, errors } = readSettings({ file: null, environment, flags: new Map() });
  expect(errors).toEqual([]);
  const names = ofKind("Service").map(({ metadata }) => metadata.name);
  expect(names).toContain(new URL(settings!["store.url"]).hostname);
  const [world] = ofKind("Secret");
  expect(worldErrors(world!.stringData!["world.yaml"]!)).toEqual([]);
  const { terminationGracePeriodSeconds } = pods.find(({ metadata }) => metadata.name === "weir")!
    .spec.template!.spec;
  expect(terminationGracePeriodSeconds).toBeGreaterThan(30 + 5);
});

test("no two pods of the sweep try the same world", () => {
  const [job] = ofKind("Job");
  const [sweep] = job!.spec.template!.spec.containers;
  const worlds = Number(sweep!.env![0]!.value);
  const seedAt = (index: number): number => {
    const [, formula = ""] = /--seed "\$\(\((.*?)\)\)"/.exec(sweep!.command![2]!) ?? [];
    expect(formula).toBe("1 + WORLDS * JOB_COMPLETION_INDEX");
    return 1 + worlds * index;
  };
  expect(seedAt(1) - seedAt(0)).toBe(worlds);
  expect(job!.spec.completions).toBeGreaterThan(1);
});
