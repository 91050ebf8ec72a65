// The access log: a line of JSON for each finished request and for each event of the limiter. Text from clients is
// escaped, so that no client can forge a line.
import { createHash } from "node:crypto";
import { openSync, closeSync } from "node:fs";
import { destination, pino, type DestinationStream, type Logger } from "pino";
import { budgetName } from "../../limiter/core/budget.ts";
import { ALL_CLIENTS } from "../../limiter/core/client.ts";
import { retryAfterSeconds } from "../../limiter/core/decision.ts";
import type { LimiterEvent } from "../../limiter/core/events.ts";
import {
  isRevealing,
  maskBudget,
  maskTarget,
  startOfPath,
  type Masking,
} from "../without-credentials.ts";
import type { Exchange, Observer } from "./observer.ts";

const LOG_LEVELS = ["info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

interface AccessLogOptions {
  readonly to: "stdout" | { readonly file: string };
  readonly level: LogLevel; // the lowest level that is written
  readonly isCredential: IsCredential;
  /** Called once when writing begins to fail. Until writing works again, up to MOST_WAITING_BYTES are buffered. */
  readonly onFailure: (error: Error) => void;
}

/** Whether an id is also a credential: some keys have no other id. Such an id is masked in every line. */
export type IsCredential = (id: string) => boolean;

export interface AccessLog {
  readonly observer: Observer;
  /** Opens a new file with the configured name, after log rotation has renamed the present file. */
  readonly reopen: () => void;
  readonly close: () => Promise<void>;
}

/** Lines are buffered until they reach this size together, for at most FLUSH_MS. */
const TOGETHER_BYTES = 8_192;
const FLUSH_MS = 1_000;
const LONGEST_CLOSE_MS = 1_000; // limits the wait for a full disk or an unread pipe when the gateway ends
/** The size of the buffer while the log cannot be written. Lines beyond it are lost and counted. */
const MOST_WAITING_BYTES = 16_777_216;

/** Throws the system's error if the file cannot be written. The folder must exist. */
export function accessLog({ to, level, isCredential, onFailure }: AccessLogOptions): AccessLog {
  if (to !== "stdout") closeSync(openSync(to.file, "a", 0o640));
  const stream = destination({
    dest: to === "stdout" ? 1 : to.file,
    append: true,
    sync: false,
    minLength: TOGETHER_BYTES,
    maxLength: MOST_WAITING_BYTES,
  });
  const logger = loggerTo(stream, level);
  let lost = 0;
  stream.on("drop", () => lost++);
  let isClosed = false;
  let isFailing = false;
  stream.on("write", () => {
    isFailing = false;
  });
  stream.on("error", (error: Error) => {
    if (!isFailing) onFailure(error);
    isFailing = true;
  });
  const flush = setInterval(() => {
    if (lost > 0) {
      logger.error({ kind: "log", lost });
      lost = 0;
    }
    stream.flush();
  }, FLUSH_MS).unref();
  return {
    observer: observerOf(logger, isCredential),
    reopen: () => {
      if (to === "stdout") return;
      if (!isFailing) stream.flushSync(); // while writing fails, a flush would never end
      stream.reopen();
    },
    close: async () => {
      clearInterval(flush);
      if (isClosed) return;
      isClosed = true;
      await new Promise<void>((resolve) => {
        const late = setTimeout(resolve, LONGEST_CLOSE_MS);
        const over = (): void => {
          clearTimeout(late);
          resolve();
        };
        // Not `flush`: it would report the end of a write in progress, and lines added since its start would be lost.
        stream.once("close", over).once("error", over);
        stream.end();
      });
      stream.destroy();
    },
  };
}

export const loggerTo = (stream: DestinationStream, level: LogLevel): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: false,
      formatters: { level: (label) => ({ level: label }) },
    },
    stream,
  );

export const observerOf = (logger: Logger, isCredential: IsCredential): Observer => ({
  onEvent: (event) => {
    const level = ALARMING.has(event.event) ? "warn" : "info";
    if (logger.isLevelEnabled(level)) logger[level](lineOfEvent(event, isCredential));
  },
  onUpstreamChange: (upstream, isUp, atUs) => {
    if (logger.isLevelEnabled("warn"))
      logger.warn({ kind: "upstream", time: time(atUs), upstream, up: isUp });
  },
  onRejection: (reason, atUs, connection) => {
    // Requests that are rejected have a line of their own, so only connections are logged here.
    if (connection !== undefined && logger.isLevelEnabled("warn"))
      logger.warn({ kind: "connection", time: time(atUs), reason, client: connection });
  },
  onExchange: (exchange) => {
    const level = levelOf(exchange);
    if (logger.isLevelEnabled(level)) logger[level](lineOf(exchange, isCredential));
  },
});

const ALARMING: ReadonlySet<LimiterEvent["event"]> = new Set([
  "StoreUnavailable",
  "StoreRecovered",
  "PolicyMissing",
  "AccessNotEnforced",
] as const);

function levelOf({ status, isWhole }: Exchange): LogLevel {
  if (status >= 500) return "error";
  return status >= 400 || !isWhole ? "warn" : "info";
}

const LONGEST = 2_048;
const cut = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);

const time = (us: number): string => new Date(us / 1_000).toISOString();
const milliseconds = (us: number): number => Math.round(us) / 1_000;

function lineOf(exchange: Exchange, isCredential: IsCredential): Readonly<Record<string, unknown>> {
  const { request, outcome, status, startUs, endUs, upstream, upstreamUs, isWhole } = exchange;
  const decision = outcome?.decision ?? null;
  const session = outcome?.session ?? null;
  const level = decision?.level ?? null;
  // Whether the request may contain an unknown credential: not if an API that needs no key admitted it.
  const isStrange = session === null && (outcome?.api == null || outcome.refused !== null);
  const masking: Masking = { own: request.credential, isCredential, isStrange };
  return {
    kind: "request",
    time: time(startUs),
    method: cut(request.method),
    path: formatTarget(request.target, masking),
    status: status === 0 ? null : status,
    durationMs: milliseconds(endUs - startUs),
    upstream,
    upstreamMs: upstreamUs < 0 ? null : milliseconds(upstreamUs),
    bytes: exchange.bytesSent,
    api: outcome?.api?.id ?? null,
    ...nameFields(
      session?.key.id ?? null,
      level === null ? null : budgetName(level.budget, outcome?.client ?? ALL_CLIENTS),
      masking,
    ),
    reason: exchange.rejected ?? outcome?.refused?.reason ?? null,
    retryAfter: decision === null ? null : retryAfterSeconds(decision),
    delayMs: decision === null || decision.delayUs === 0 ? null : milliseconds(decision.delayUs),
    whole: isWhole,
    client: exchange.clientAddress,
    requestId: exchange.requestId === null ? null : formatId(exchange.requestId, masking),
  };
}

const lineOfEvent = (
  { event, stampUs, key, api, budget, value }: LimiterEvent,
  isCredential: IsCredential,
) => ({
  kind: "event",
  time: time(stampUs),
  event,
  api,
  ...nameFields(key, budget, { own: null, isCredential, isStrange: false }),
  value,
});

const nameFields = (key: string | null, budget: string | null, masking: Masking) => {
  const shown = budget === null ? null : maskBudget(budget, masking);
  return key !== null && masking.isCredential(key)
    ? { key: MASK, budget: shown?.replaceAll(key, MASK) ?? null }
    : { key, budget: shown };
};

const MASK = "***";

export const formatTarget = (target: string, masking: Masking): string =>
  maskTarget(startOfPath(target, LONGEST), masking) + (target.length > LONGEST ? "…" : "");

/** The longest request id that is searched for credentials, because a longer search takes milliseconds. */
const LONGEST_ID = 128;

/**
 * If the id may be a credential, only its hash is written, which can be compared but not read. A long id is hashed too,
 * because cutting it could leave half of a credential.
 */
function formatId(id: string, masking: Masking): string {
  if (id.length > LONGEST_ID) return proofOf(id);
  if (isRevealing(id, { ...masking, isStrange: false })) return MASK;
  return masking.isStrange && isRevealing(id, masking) ? proofOf(id) : id;
}

const proofOf = (id: string): string =>
  `sha256:${createHash("sha256").update(id, "latin1").digest("hex").slice(0, 16)}`;
