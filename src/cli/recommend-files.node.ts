// The files of weir recommend --out: a world with the limit, the worst hour as a scenario, and foreign configurations.
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { findImplementation } from "../lab/implementations/catalogue.node.ts";
import { findUnsupported, SOMEWHERE } from "../lab/implementations/translation.ts";
import { readWantedWorld } from "../lab/implementations/wanted.ts";
import { Failure, isFailure, requireValue } from "../kit/reading/failure.ts";
import { countText, many, oneLine, percent, thousands } from "../kit/reading/legible.ts";
import { timeText } from "../kit/reading/periods.ts";
import { whyUnreadable, writeWhole } from "../kit/reading/text-file.node.ts";
import { countWords, listWords, namesOrCount } from "../show/answers/words.ts";
import { listRefused } from "../studies/recommend/choice.ts";
import type { Recommendation } from "../studies/recommend/recommendation.ts";
import { countGoodRequests } from "../studies/recommend/refusals.ts";
import type { ShownName, UnansweredRecommendation } from "../studies/recommend/result.ts";
import { isTargetMet } from "../studies/recommend/search.ts";
import { listShipped, type ShippedLimit } from "../studies/recommend/shipped.ts";
import { listLosing, lossesOf } from "../studies/recommend/together.ts";
import { formatWorld, SERVE } from "../studies/recommend/world.ts";
import { findWorstHour, formatWorstHour, type WorstHour } from "../studies/recommend/worst-hour.ts";
import { limitText, shortDuration } from "../studies/replay/candidates.ts";
import { isoTime } from "../studies/replay/result.ts";
import type { Selector } from "../studies/replay/selectors.ts";
import { createFolders, whyNoFolder } from "../kit/reading/folder.node.ts";
import { readWorldFile } from "../gateway/settings/world.ts";
import { optionsFrom } from "../limiter/world/options.ts";
import { targetNamed, TRANSLATED_NAMES } from "./recommend-targets.ts";

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
  readonly translation: Translation | null; // null: a file for Weir
}

type Translation = NonNullable<UnansweredRecommendation["files"][number]["translation"]>;

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

/** Writes the limits to ship, which are those of the first sentence. Of several, each has a world and a worst hour. */
export async function writeFiles(
  folder: string,
  { targets, isComplete }: WantedTargets,
  key: readonly Selector[],
  recommended: Recommendation,
  shownName: ShownName,
): Promise<readonly FileReport[]> {
  const shipped = listShipped(recommended);
  const write = (file: string, text: string): void => {
    createFolders(dirname(join(folder, file)));
    writeWhole(join(folder, file), text);
  };
  const nameAt = (client: number): string => oneLine(shownName(recommended.decided.names[client]!));
  const suffixOf = ({ limit }: ShippedLimit): string =>
    shipped.length === 1 ? "" : `-${shortDuration(limit.limit.perUs)}`;
  const reports: FileReport[] = [];
  for (const each of shipped) {
    const file = `worst-hour${suffixOf(each)}.yaml`;
    const refusedIds = listRefused(each, recommended);
    const hour = findWorstHour(each.limit, recommended.decided, refusedIds);
    write(file, formatWorstHour(each.limit, hour, shownName));
    const about = hourText(each, hour, refusedIds.length > 0);
    reports.push({ file, isWritten: true, about, translation: null });
  }
  const worlds = shipped.map((each) =>
    checkWorld(formatWorld(each.limit, key, forWhom(each, recommended, nameAt))),
  );
  for (const [index, text] of worlds.entries()) {
    const each = shipped[index]!;
    const file = `world${suffixOf(each)}.yaml`;
    if (isFailure(text)) {
      reports.push(notWritten(file, text.message, null));
      continue;
    }
    write(file, text);
    const about = worldText(each, forWhom(each, recommended, nameAt), shipped.length > 1);
    reports.push({ file, isWritten: true, about, translation: null });
  }
  const failed = worlds.find(isFailure);
  if (failed !== undefined)
    return [
      ...reports,
      ...targets.map((target) => notWritten(target, failed.message, withoutLimits(target))),
    ];
  for (const target of targets) {
    const translated = await translateTo(target, isComplete, key, recommended, nameAt);
    if (isFailure(translated))
      reports.push(notWritten(target, translated.message, withoutLimits(target)));
    else {
      for (const [name, content] of Object.entries(translated.files))
        write(join(target, name), content);
      reports.push({
        file: Object.keys(translated.files)
          .map((name) => `${target}/${name}`)
          .join(", "),
        isWritten: true,
        about: translated.about,
        translation: translated.translation,
      });
    }
  }
  return reports;
}

function hourText(
  { limit }: ShippedLimit,
  { startUs, clients }: WorstHour,
  doesLogRefuse: boolean,
): string {
  const refused = clients.reduce((sum, each) => sum + each.refused, 0);
  const sent = clients.reduce((sum, { timesUs }) => sum + timesUs.length, 0);
  const isBusiest = refused === 0 && !doesLogRefuse;
  const most = isBusiest ? "" : `, in which ${limitText(limit.limit)} refuses most`;
  const isCutOff = refused === 0 && doesLogRefuse;
  return `the ${isBusiest ? "busiest hour," : "hour"} from ${timeText(isoTime(startUs)).slice(0, 16)} UTC${most}: ${thousands(refused)} of ${countText(sent, "request")} of ${countText(clients.length, "client")} refused, for weir run${isCutOff ? "; the log has refusals in this hour, because of requests of earlier hours" : ""}`;
}

/** The clients that a limit is not for; null: it is for all. */
function forWhom(
  { outliers }: ShippedLimit,
  { leftOut }: Recommendation,
  nameAt: (client: number) => string,
): string | null {
  const without = outliers.length > 0 ? outliers : leftOut.map(({ client }) => client);
  return without.length === 0 ? null : namesOrCount(without.map(nameAt), "clients");
}

function worldText({ limit }: ShippedLimit, without: string | null, isOneOf: boolean): string {
  const use =
    limit.by.kind === "profile"
      ? "weir replay --world and translators; a profile decides in virtual time only"
      : "weir serve and weir replay --world";
  return `${limitText(limit.limit)} by ${limit.by.name}${without === null ? "" : `, found without ${without}`}, for ${use}${isOneOf ? "; a world has one limit of each request" : ""}`;
}

/** Returns the generated world, or its errors: a world with a header that usually contains secrets is invalid. */
function checkWorld(text: string | Failure): string | Failure {
  if (isFailure(text)) return text;
  const { configuration, errors } = readWorldFile({ file: "world.yaml", text });
  return configuration === null ? new Failure(...errors) : text;
}

const notWritten = (
  file: string,
  why: string,
  translation: FileReport["translation"],
): FileReport => ({
  file,
  isWritten: false,
  about: why.replaceAll("\n", "; "),
  translation,
});

const withoutLimits = (to: string): Translation => ({
  to,
  effect: null,
  mostClients: null,
  hasAll: false,
});

/** What can have the limits, or some of them: `serve`, if a gateway can, and names of --to. */
export async function listShippable(
  key: readonly Selector[],
  recommended: Recommendation,
): Promise<readonly string[]> {
  const shipped = listShipped(recommended);
  const worlds = shipped.map(({ limit }) => checkWorld(formatWorld(limit, key, null)));
  if (worlds.some(isFailure) || shipped.some(({ limit }) => limit.by.kind === "profile")) return [];
  const translated = await Promise.all(
    TRANSLATED_NAMES.map(async (name) =>
      isFailure(await translateMost(name, false, key, shipped)) ? [] : [name],
    ),
  );
  return [SERVE, ...translated.flat()];
}

async function translateTo(
  target: string,
  isComplete: boolean,
  key: readonly Selector[],
  recommended: Recommendation,
  nameAt: (client: number) => string,
): Promise<
  { readonly files: Files; readonly about: string; readonly translation: Translation } | Failure
> {
  const shipped = listShipped(recommended);
  const translated = await translateMost(target, isComplete, key, shipped);
  if (isFailure(translated)) return translated;
  const { files, models, held, isInOrder, why } = translated;
  const some = `has ${listWords(held.map(({ limit }) => limitText(limit.limit)))} only: ${why.replaceAll("\n", "; ")}; `;
  const { about, ...effect } = effectOf(models, held, isInOrder, recommended, nameAt);
  return {
    files,
    about: `${why === "" ? "" : some}${about}`,
    translation: { to: target, ...effect, hasAll: why === "" },
  };
}

type Files = Readonly<Record<string, string>>;

interface TranslatedLimits {
  readonly files: Files;
  readonly models: readonly Readonly<Record<string, unknown>>[]; // how the program counts each of `held`
  readonly held: readonly ShippedLimit[];
  readonly isInOrder: boolean; // whether a limit has counted what a later one refuses
  readonly why: string; // why it has not all limits; empty: it has
}

/** The limits in a program's language, as many as it can have. */
async function translateMost(
  target: string,
  isComplete: boolean,
  key: readonly Selector[],
  shipped: readonly ShippedLimit[],
): Promise<TranslatedLimits | Failure> {
  const { whyOne } = targetNamed(target);
  if (shipped.length > 1 && whyOne !== null)
    return new Failure(`${whyOne}, and these are ${shipped.length}; write one by --per TIME`);
  const all = await translateLimits(target, isComplete, key, shipped);
  if (!isFailure(all) || shipped.length === 1) return all;
  const alone = await Promise.all(
    shipped.map(async (each) => translateLimits(target, isComplete, key, [each])),
  );
  const held = shipped.filter((_, index) => !isFailure(alone[index]));
  if (held.length === 0) return all;
  const why = alone.flatMap((each) => (isFailure(each) ? each.problems : []));
  const some = await translateLimits(target, isComplete, key, held);
  return isFailure(some) ? some : { ...some, why: why.length === 0 ? all.message : why.join("; ") };
}

async function translateLimits(
  target: string,
  isComplete: boolean,
  key: readonly Selector[],
  held: readonly ShippedLimit[],
): Promise<TranslatedLimits | Failure> {
  const [first] = held;
  const algorithm = first!.limit.by.name;
  const { implementationFor, isInOrder } = targetNamed(target);
  const name = implementationFor(algorithm);
  const { manifest, translate, variant } = requireValue(await findImplementation(name));
  // A world of formatWorld has one limit, of every request.
  const worlds = held.map(({ limit }) => {
    const text = requireValue(formatWorld(limit, key, null));
    return readWantedWorld(readWorldFile({ file: "world.yaml", text }).configuration!);
  });
  const wanted = { ...worlds[0]!, limits: worlds.flatMap(({ limits }) => limits) };
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
  const files = isComplete ? translation.files : translation.excerpt!;
  const models = wanted.limits.map(({ burst }) =>
    optionsFrom(manifest.model).algorithm === "gcra" && burst > 1
      ? { ...manifest.model, burst }
      : manifest.model,
  );
  return { files, models, held, isInOrder: isInOrder(algorithm), why: "" };
}

/** What the foreign limiter would refuse with the same numbers, according to its profile. */
function effectOf(
  models: TranslatedLimits["models"],
  held: readonly ShippedLimit[],
  isInOrder: boolean,
  { decided, all, totals, target, badTotal }: Recommendation,
  nameAt: (client: number) => string,
): Pick<Translation, "effect" | "mostClients"> & { readonly about: string } {
  const name = String(models[0]!["profile"] ?? models[0]!["algorithm"]);
  const limits = held.map(({ limit }, index) => ({
    ...limit,
    options: optionsFrom(models[index]!),
  }));
  const keys = limits[0]!.options.imitation?.keys;
  if (keys != null)
    return {
      about: `it drops the budgets of all but ${keys} clients; replay the log with --profile ${name} to see what it refuses`,
      effect: null,
      mostClients: keys,
    };
  const losses = lossesOf(limits, decided, listLosing(limits, decided, all), { isInOrder });
  const outliers = new Set(held.flatMap((each) => each.outliers));
  const others = losses.filter(({ client, good }) => good > 0 && !outliers.has(client));
  const sum = (of: readonly { readonly good: number }[]): number =>
    of.reduce((total, { good }) => total + good, 0);
  const ofOutliers = countGoodRequests(decided, Int32Array.from(outliers)).reduce(
    (total, each) => total + each,
    0,
  );
  const rest = {
    requests: totals.requests - ofOutliers,
    clients: totals.clients - outliers.size,
  };
  const lost = sum(losses) - sum(others);
  const refused = { goodRequests: sum(others), goodClients: others.length };
  const isMet = isTargetMet(refused, target, rest);
  const ofOthers = outliers.size === 0 ? "" : " of the others";
  const apart =
    outliers.size === 0
      ? ""
      : `, and ${countWords(lost)} of the ${thousands(ofOutliers)} of ${namesOrCount([...outliers].map(nameAt), "clients")}`;
  const notBad = badTotal === 0 ? "" : " that are not bad";
  return {
    about: `as ${name} it refuses ${thousands(refused.goodRequests)} of ${thousands(rest.requests)} requests${notBad}${ofOthers} (${percent(refused.goodRequests / rest.requests)}), of ${many(refused.goodClients, "client")}${apart}${isMet ? "" : ": the target is missed"}`,
    effect: {
      refused: refused.goodRequests,
      requests: rest.requests,
      refusedClients: refused.goodClients,
      isMet,
    },
    mostClients: null,
  };
}
