// The options of weir identify, or what is wrong with them.
import { readTarget, type TargetWords } from "../drivers/allowed-target.ts";
import type { HiddenNumbers } from "../identify/start-hidden.node.ts";
import type { HttpProbe } from "../identify/http-target.node.ts";
import type { IdentifyCaps } from "../identify/identify.ts";
import { durationIn } from "../reading/duration.ts";
import { Failure, isFailure } from "../reading/failure.ts";
import { SECOND } from "../core/units.ts";
import type { Arguments } from "./arguments.ts";
import { countIn } from "./bench-options.ts";
import { readHeader, readHeaders } from "./header-option.ts";

const WORDS: TargetWords = {
  url: "identify",
  credential: "pass them with --header 'Authorization: ...'",
};

const MOST_REQUESTS = 1_000_000;
const LONGEST_US = 48 * 3_600 * SECOND;
const MOST_RATE = 10_000;
const REFUSAL = 429;

export function capsIn(values: Arguments["values"], without: IdentifyCaps): IdentifyCaps | Failure {
  const requests = countIn(values, "requests", MOST_REQUESTS);
  if (isFailure(requests)) return requests;
  const length = values.get("max-duration");
  const durationUs = length === undefined ? without.durationUs : durationIn(length);
  if (durationUs === undefined || durationUs < SECOND || durationUs > LONGEST_US)
    return new Failure(`--max-duration must be a duration from 1s to 48h; got "${length}"`);
  return { requests: requests ?? without.requests, durationUs };
}

export function readIdentifyTarget(
  address: string,
  { values, lists }: Arguments,
): HttpProbe | Failure {
  const url = readTarget(address, lists.get("allow-target") ?? [], WORDS);
  if (isFailure(url)) return url;
  const headers = readHeaders("header", lists.get("header") ?? []);
  if (isFailure(headers)) return headers;
  const other = values.get("other-header");
  const otherHeader = other === undefined ? null : readHeader("other-header", other);
  if (isFailure(otherHeader)) return otherHeader;
  const otherPath = values.get("other-path") ?? null;
  if (otherPath !== null && !otherPath.startsWith("/"))
    return new Failure(`--other-path must be a path, such as /other; got "${otherPath}"`);
  const status = countIn(values, "refusal", 599);
  if (isFailure(status)) return status;
  const isLoopback = /^127(?:\.\d+){3}$|^localhost$/.test(url.hostname);
  const refusal = status ?? REFUSAL;
  const otherAddress = values.get("other-address") ?? (isLoopback ? "127.0.0.2" : null);
  return { url, headers, otherHeader, otherPath, otherAddress, refusal };
}

/** The limit that an implementation is started with, and that identification has to find. */
export function readLimit(values: Arguments["values"]): HiddenNumbers | Failure {
  const rate = countIn(values, "rate", MOST_RATE);
  if (isFailure(rate)) return rate;
  const burst = countIn(values, "burst", MOST_RATE);
  if (isFailure(burst)) return burst;
  const per = values.get("per") ?? "1s";
  const perUs = durationIn(per);
  if (perUs === undefined || perUs < 1)
    return new Failure(`--per must be a duration, such as 10s; got "${per}"`);
  return { rate: rate ?? 10, perUs, burst };
}
