// The files of weir recommend --out: a world with the limit, the worst hour as a scenario, and foreign configurations.
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { findImplementation } from "../lab/implementations/catalogue.node.ts";
import { findUnsupported, SOMEWHERE } from "../lab/implementations/translation.ts";
import { readWantedWorld } from "../lab/implementations/wanted.ts";
import { Failure, isFailure, requireValue } from "../kit/reading/failure.ts";
import { countText, many, percent, thousands } from "../kit/reading/legible.ts";
import { whyUnreadable, writeWhole } from "../kit/reading/text-file.node.ts";
import { listRefused } from "../studies/recommend/choice.ts";
import type { FoundRate, Recommendation } from "../studies/recommend/recommendation.ts";
import { refusalsOf } from "../studies/recommend/refusals.ts";
import type { ShownName } from "../studies/recommend/result.ts";
import { isTargetMet } from "../studies/recommend/search.ts";
import { formatWorld, SERVE } from "../studies/recommend/world.ts";
import { findWorstHour, formatWorstHour } from "../studies/recommend/worst-hour.ts";
import { limitText, type ReplayLimit } from "../studies/replay/candidates.ts";
import type { Selector } from "../studies/replay/selectors.ts";
import { createFolders, whyNoFolder } from "../kit/reading/folder.node.ts";
import { readWorldFile } from "../gateway/settings/world.ts";
import { specCalled } from "../limiter/spec/by-algorithm.ts";
import { optionsFrom } from "../limiter/world/options.ts";

/** The values of --to, with the implementation that each one means. */
const TRANSLATED: Readonly<Record<string, (algorithm: string) => string>> = {
  nginx: () => "nginx",
  haproxy: (algorithm) =>
    specCalled(algorithm)?.countsAttempts === true ? "haproxy/rate" : "haproxy/admitted",
  envoy: () => "envoy",
  spring: () => "spring-cloud-gateway",
  tyk: (algorithm) => `tyk/${TYK[algorithm] ?? "rolling-window"}`,
};

const TYK: Readonly<Record<string, string>> = {
  drl: "drl",
  sentinel: "sentinel",
  fixed_window: "fixed-window",
};

export const TRANSLATED_NAMES = Object.keys(TRANSLATED);

/** The values of --to, and whether each is a whole configuration, or only lines to paste. */
export interface WantedTargets {
  readonly targets: readonly string[];
  readonly isComplete: boolean;
}

/** A written file, or why it was not written. */
export interface FileReport {
  readonly file: string;
  readonly isWritten: boolean;
  readonly about: string;
}

/** Why the folder of --out cannot be used, or null. A folder with files may contain another recommendation. */
export function whyUnusable(folder: string): string | null {
  if (folder === "") return "--out needs the name of a folder, such as --out recommended";
  const unwritable = whyNoFolder(folder);
  if (unwritable !== null) return `--out ${unwritable}`;
  try {
    if (!existsSync(folder) || readdirSync(folder).length === 0) return null;
  } catch (error) {
    return `--out ${folder}: ${whyUnreadable(error)}`;
  }
  return `--out ${folder} has files; choose a folder that is empty or does not exist`;
}

export async function writeFiles(
  folder: string,
  { targets, isComplete }: WantedTargets,
  key: readonly Selector[],
  recommended: Recommendation,
  found: FoundRate,
  shownName: ShownName,
): Promise<readonly FileReport[]> {
  const { limit } = found;
  const refusedIds = listRefused(found, recommended);
  const write = (file: string, text: string): void => {
    createFolders(dirname(join(folder, file)));
    writeWhole(join(folder, file), text);
  };
  const hour = findWorstHour(limit, recommended.decided, refusedIds);
  write("worst-hour.yaml", formatWorstHour(limit, hour, shownName));
  const refused = hour.clients.reduce((sum, each) => sum + each.refused, 0);
  const isCutOff = refused === 0 && refusedIds.length > 0;
  const reports: FileReport[] = [
    {
      file: "worst-hour.yaml",
      isWritten: true,
      about: `${countText(hour.clients.length, "client")} with ${countText(refused, "refused request")}, for weir run${isCutOff ? "; the log has refusals in this hour, because of requests of earlier hours" : ""}`,
    },
  ];
  const text = checkWorld(formatWorld(limit, key));
  if (isFailure(text)) {
    const names = ["world.yaml", ...targets];
    return [...reports, ...names.map((file) => notWritten(file, text.message))];
  }
  write("world.yaml", text);
  reports.push({
    file: "world.yaml",
    isWritten: true,
    about: `${limitText(limit.limit)} by ${limit.by.name}, for ${
      limit.by.kind === "profile"
        ? "weir replay --world and translators; a profile decides in virtual time only"
        : "weir serve and weir replay --world"
    }`,
  });
  for (const target of targets) {
    const translated = await translateTo(target, isComplete, text, recommended, found);
    if (isFailure(translated)) reports.push(notWritten(target, translated.message));
    else {
      for (const [name, content] of Object.entries(translated.files))
        write(join(target, name), content);
      reports.push({
        file: Object.keys(translated.files)
          .map((name) => `${target}/${name}`)
          .join(", "),
        isWritten: true,
        about: translated.about,
      });
    }
  }
  return reports;
}

/** Returns the generated world, or its errors: a world with a header that usually contains secrets is invalid. */
function checkWorld(text: string | Failure): string | Failure {
  if (isFailure(text)) return text;
  const { configuration, errors } = readWorldFile({ file: "world.yaml", text });
  return configuration === null ? new Failure(...errors) : text;
}

const notWritten = (file: string, why: string): FileReport => ({
  file,
  isWritten: false,
  about: why.replaceAll("\n", "; "),
});

/** What can have the limit: `serve`, if a gateway can, and names of --to. */
export async function listShippable(
  key: readonly Selector[],
  { limit }: FoundRate,
): Promise<readonly string[]> {
  const text = checkWorld(formatWorld(limit, key));
  if (isFailure(text) || limit.by.kind === "profile") return [];
  const translated = await Promise.all(
    TRANSLATED_NAMES.map(async (name) => {
      const translation = await translateWorld(name, false, text, limit);
      return isFailure(translation) ? [] : [name];
    }),
  );
  return [SERVE, ...translated.flat()];
}

async function translateTo(
  target: string,
  isComplete: boolean,
  world: string,
  recommended: Recommendation,
  { limit }: FoundRate,
): Promise<{ readonly files: Files; readonly about: string } | Failure> {
  const translated = await translateWorld(target, isComplete, world, limit);
  if (isFailure(translated)) return translated;
  const { files, model, burst } = translated;
  return { files, about: effectOf(model, burst, recommended, { limit }) };
}

type Files = Readonly<Record<string, string>>;

interface TranslatedWorld {
  readonly files: Files;
  readonly model: Readonly<Record<string, unknown>>; // how the program counts
  readonly burst: number;
}

async function translateWorld(
  target: string,
  isComplete: boolean,
  world: string,
  limit: ReplayLimit,
): Promise<TranslatedWorld | Failure> {
  const name = TRANSLATED[target]!(limit.by.name);
  const { manifest, translate, variant } = requireValue(await findImplementation(name));
  const { configuration } = readWorldFile({ file: "world.yaml", text: world });
  const wanted = readWantedWorld(configuration!);
  const cannot = findUnsupported(manifest, wanted);
  if (cannot.length > 0) return new Failure(...cannot);
  const translation = translate!(wanted, {
    ...SOMEWHERE,
    port: 8080,
    upstream: { host: "127.0.0.1", port: 3000 },
    redis: { host: "127.0.0.1", port: 6379 },
    variant,
  });
  if (isFailure(translation)) return translation;
  // A world of formatWorld has one limit, of every request.
  const files = isComplete ? translation.files : translation.excerpt!;
  const { burst = 1 } = wanted.limits[0] ?? {};
  return { files, model: manifest.model, burst };
}

/** What the foreign limiter would refuse with the same numbers, according to its profile. */
function effectOf(
  model: Readonly<Record<string, unknown>>,
  burst: number,
  { decided, all, totals, target }: Recommendation,
  { limit }: Pick<FoundRate, "limit">,
): string {
  const plain = optionsFrom(model);
  const options =
    plain.algorithm === "gcra" && burst > 1 ? optionsFrom({ ...model, burst }) : plain;
  const name = String(model["profile"] ?? model["algorithm"]);
  if (options.imitation?.keys != null)
    return `it drops the budgets of all but ${options.imitation.keys} clients; replay the log with --profile ${name} to see what it refuses`;
  const refused = refusalsOf({ ...limit, options }, decided, all);
  const isMet = isTargetMet(refused, target, totals);
  return `as ${name} it refuses ${thousands(refused.goodRequests)} of ${thousands(totals.requests)} requests (${percent(refused.goodRequests / totals.requests)}), of ${many(refused.goodClients, "client")}${isMet ? "" : ": the target is missed"}`;
}
