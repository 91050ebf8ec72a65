// The management of a scenario's world in one program, without HTTP and database: the same operations and responses. It
// also runs in a browser.
import { decodeRequest } from "../../gateway/management/decode-request.ts";
import { attempts, type Attempts } from "../../gateway/management/http/attempts.ts";
import { findToken, rejectionOf } from "../../gateway/management/http/presented.ts";
import { MOST_BYTES, toRejection } from "../../gateway/management/http/rejections.ts";
import {
  requireJson,
  requireUtf8,
  unknownPathRejection,
  type AnyOperation,
} from "../../gateway/management/http/requests.ts";
import { INTERFACE, OPERATIONS } from "../../gateway/management/interfaces.ts";
import { readJson, writeJson, type JsonValue } from "../../gateway/management/json.ts";
import type { Management } from "../../gateway/management/management.ts";
import { hasPieces, inPieces } from "../../gateway/management/pieces.ts";
import { bytesOf, mostValues } from "../../gateway/management/records/bounds.ts";
import { recordsInPlainMemory } from "../../gateway/management/records/plain.ts";
import { Rejection } from "../../gateway/management/rejection.ts";
import { authorize } from "../../gateway/management/rights.ts";
import type { ManagementCall } from "../scenario/types.ts";
import { deliveriesOf } from "./managed-deliveries.ts";
import { answerOf, CREDENTIALS, headersOf, openManagement } from "./managed.ts";
import { signInMemory } from "./sign-in-memory.ts";
import type { CallAnswer, Manage } from "./virtual-calls.ts";

/** `report` receives internal errors. */
export const manageInMemory =
  (report: (line: string) => void): Manage =>
  async (world, surroundings) => {
    const records = recordsInPlainMemory();
    const opened = await openManagement(records, world, surroundings, report);
    const { secrets } = opened.management;
    const counted = attempts(surroundings.nowUs);
    return {
      call: (call) => respond(opened.management, counted, call, report),
      newInForce: opened.newInForce,
      ...deliveriesOf({ records, secrets, world, sign: signInMemory }),
      close: opened.close,
    };
  };

/** The address that all calls of a scenario come from. */
const ADDRESS = "127.0.0.1";
const TYPE = "application/json; charset=utf-8";
const BODYLESS: ReadonlySet<string> = new Set(["GET", "HEAD"]);
const LONGEST_PARAMETER = 4_096;

async function respond(
  management: Management,
  counted: Attempts,
  call: ManagementCall,
  report: (line: string) => void,
): Promise<CallAnswer> {
  try {
    const { status, headers = {}, body } = await perform(management, counted, call);
    if (body === undefined) return answerOf(status, headers, "");
    const text = call.method === "HEAD" ? "" : await textOf(body);
    return answerOf(status, { ...lowerCase(headers), "content-type": TYPE }, text);
  } catch (thrown) {
    const { status, headers, message, problems } = toRejection(thrown);
    if (status === 500) report(String(thrown));
    const body = writeJson(INTERFACE[call.on].error({ status, message, problems }));
    const text = call.method === "HEAD" ? "" : body;
    return answerOf(status, { ...lowerCase(headers), "content-type": TYPE }, text);
  }
}

async function perform(management: Management, counted: Attempts, call: ManagementCall) {
  const headers = lowerCase(headersOf(call));
  const [path = "", search = ""] = call.path.split("#", 1)[0]!.split(/\?(.*)/s);
  const operations = OPERATIONS.filter((each) => each.interface === call.on);
  const route = routeOf(operations, call.method, path);
  if (route === null) {
    bodyOf(management, call, headers["content-type"], true);
    await authenticate(management, counted, call, headers);
    throw unknownPathRejection(operations, call.method, path);
  }
  const token = await authenticate(management, counted, call, headers);
  const body = bodyOf(management, call, headers["content-type"], false);
  const actor = `${call.on}${token === null ? "" : ` token:${token.id}`} ${ADDRESS}`;
  const restricted = await authorize(management, token, route.operation, actor);
  const request = {
    params: route.params,
    query: queryOf(search),
    body,
    ifMatch: headers["if-match"] ?? null,
  };
  const decoded = await decodeRequest(restricted, route.operation, request, actor);
  return route.operation.respond(restricted, decoded);
}

/** The token of a call; null if the call has the interface's own secret, which is public. Throws if it has neither. */
async function authenticate(
  management: Management,
  counted: Attempts,
  { on }: ManagementCall,
  headers: Readonly<Record<string, string>>,
) {
  const { credentialIn, unauthorised } = INTERFACE[on];
  const presented = { at: on, credential: credentialIn(headers), address: ADDRESS };
  if (presented.credential === CREDENTIALS[on]) return null;
  const { token, isCounted } = await findToken(management, counted, presented);
  if (token === null) throw rejectionOf(counted, { ...presented, isCounted }, unauthorised);
  return token;
}

function routeOf(operations: readonly AnyOperation[], method: string, path: string) {
  const wanted = method === "HEAD" ? "GET" : method;
  for (const operation of operations) {
    const found = operation.method === wanted ? routePatternOf(operation).exec(path) : null;
    if (found === null) continue;
    const params = Object.entries(found.groups ?? {}).map(
      ([name, value]) => [name, decodePart(value)] as const,
    );
    if (params.some(([, value]) => value.length > LONGEST_PARAMETER))
      throw new Rejection(404, "Not Found");
    return { operation, params: Object.fromEntries(params) };
  }
  return null;
}

/** Matches the paths of an operation. An empty parameter also matches, because no record has an empty id. */
const routePatternOf = ({ path }: AnyOperation): RegExp =>
  new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]*)")}$`);

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Rejection(400, "The request is not sound");
  }
}

/** Undefined if the call has no body. */
function bodyOf(
  management: Management,
  { method, body }: ManagementCall,
  type: string | undefined,
  isUnknown: boolean,
): JsonValue | undefined {
  if (BODYLESS.has(method) || (type === undefined && body === null)) return undefined;
  const media = (type ?? "").split(";", 1)[0]!.trim().toLowerCase();
  if (media !== "application/json") {
    if (isUnknown && /^[^\s/]+\/[^\s/]+$/.test(media)) return undefined;
    throw new Rejection(415, "A body is application/json");
  }
  const text = body ?? "";
  if (bytesOf(text) > MOST_BYTES) throw Object.assign(new Error("too large"), { statusCode: 413 });
  requireUtf8(type ?? "");
  if (text === "") return undefined;
  return requireJson(readJson(text, mostValues(management.records.bounds())));
}

/** A parameter that occurs more than once becomes a list. */
function queryOf(search: string): Readonly<Record<string, unknown>> {
  const all = new URLSearchParams(search);
  return Object.fromEntries(
    [...new Set(all.keys())].map((name) => {
      const values = all.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
}

async function textOf(body: unknown): Promise<string> {
  if (!hasPieces(body)) return writeJson(body);
  let text = "";
  for await (const piece of inPieces(body)) text += piece;
  return text;
}

const lowerCase = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
