// The management APIs over HTTP: authenticates the client, decodes the request, calls the operation and encodes its
// response.
import { Readable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from "fastify";
import { INTERFACE, OPERATIONS } from "../interfaces.ts";
import { writeJson, type JsonObject } from "../json.ts";
import type { Credentials, Management } from "../management.ts";
import { openApiOf } from "../openapi.ts";
import { mostValues } from "../records/bounds.ts";
import { INTERFACES, type InterfaceName } from "../interface-name.ts";
import { Rejection } from "../rejection.ts";
import type { Token } from "../families/token.ts";
import { hasPieces, inPieces } from "../pieces.ts";
import { authorize } from "../rights.ts";
import { attempts, type Attempts } from "./attempts.ts";
import { answerWhileSent, decodeBody } from "./bodies.node.ts";
import { decodeRequest } from "../decode-request.ts";
import { admit, isSecret } from "./guard.node.ts";
import { findToken } from "./presented.ts";
import { requireJson, requireUtf8, unknownPathRejection } from "./requests.ts";
import { toRejection, MOST_BYTES, reportRejection } from "./rejections.ts";
import { clientOf, TRUSTS_NONE, type TrustedProxies } from "../../http/trusted.node.ts";

export interface ManagementAppOptions {
  readonly management: Management;
  readonly credentials: () => Credentials; // read again each time, because a reload may change them
  /** The path of each API on this listener. */
  readonly bases: Bases;
  readonly attempts: Attempts;
  readonly trusted: TrustedProxies; // proxies whose headers determine the client's address
  /** Logs internal errors, for the operator. */
  readonly log: (line: string) => void;
}

type Bases = Readonly<Partial<Record<InterfaceName, string>>>;

const NO_TOKEN = { token: null, isCounted: false };

/** The longest path parameter in letters: longer than any id, and shorter than the longest request line. */
const LONGEST_PARAMETER = 4_096;

/** The Fastify options to create an app; routes are registered later. */
export const appOptions = (bases: Bases): FastifyServerOptions => ({
  bodyLimit: MOST_BYTES,
  routerOptions: { maxParamLength: LONGEST_PARAMETER },
  // An invalid or too long path reaches no route. The response has the form of the API whose base begins the path.
  frameworkErrors: (thrown, request, reply) => {
    const begins = INTERFACES.find((each) => request.url.startsWith(`${bases[each]}/`));
    const name = begins ?? INTERFACES.find((each) => bases[each] === "/") ?? "admin";
    const isTooLong = thrown.code === "FST_ERR_MAX_PARAM_LENGTH";
    sendRejection(name, reply, isTooLong ? new Rejection(404, "Not Found") : toRejection(thrown));
  },
});

/** An app without a socket: the caller injects requests. */
export async function managementApp(
  options: Omit<ManagementAppOptions, "attempts" | "trusted"> & Partial<ManagementAppOptions>,
): Promise<FastifyInstance> {
  const app = Fastify(appOptions(options.bases));
  const failing = options.attempts ?? attempts(options.management.nowUs);
  const trusted = options.trusted ?? TRUSTS_NONE;
  await registerInterfaces(app, { ...options, attempts: failing, trusted });
  return app;
}

export async function registerInterfaces(
  app: FastifyInstance,
  options: ManagementAppOptions,
): Promise<void> {
  for (const name of INTERFACES) {
    const path = options.bases[name];
    if (path === undefined) continue;
    const base = path === "/" ? "" : path;
    await app.register((within) => registerInterface(within, name, base, options), {
      prefix: base,
    });
  }
}

function sendRejection(
  name: InterfaceName,
  reply: FastifyReply,
  { status, message, problems, headers }: ReturnType<typeof toRejection>,
): FastifyReply {
  return reply
    .code(status)
    .headers(headers)
    .type("application/json")
    .send(writeJson(INTERFACE[name].error({ status, message, problems })));
}

async function registerInterface(
  app: FastifyInstance,
  name: InterfaceName,
  base: string,
  { management, credentials, attempts, trusted, log }: ManagementAppOptions,
): Promise<void> {
  const { credentialIn, unauthorised } = INTERFACE[name];
  const operations = OPERATIONS.filter((each) => each.interface === name);

  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/json",
    { parseAs: "buffer" },
    async ({ headers }: FastifyRequest, bytes: Buffer) => {
      requireUtf8(headers["content-type"] ?? "");
      await management.records.turn();
      return requireJson(decodeBody(bytes, mostValues(management.records.bounds())));
    },
  );
  app.setErrorHandler((thrown, request, reply) => {
    const rejection = reportRejection(thrown, request, log);
    answerWhileSent(request, reply);
    return sendRejection(name, reply, rejection);
  });

  const callers = new WeakMap<FastifyRequest, Token>();
  const authenticate = async (request: FastifyRequest): Promise<void> => {
    const credential = credentialIn(request.headers);
    const address = clientOf(request.raw, trusted);
    const presented = { at: name, credential, address };
    const { token, isCounted } = isSecret(credential, credentials()[name])
      ? NO_TOKEN
      : await findToken(management, attempts, presented);
    if (token !== null) {
      callers.set(request, token);
      return;
    }
    admit(attempts, { ...presented, isCounted }, credentials()[name], unauthorised);
  };
  // Without a valid credential a client learns nothing, not even which routes exist.
  app.setNotFoundHandler({ preValidation: authenticate }, ({ method, url }) => {
    throw unknownPathRejection(operations, method, url.slice(base.length).split("?", 1)[0]!);
  });

  // The document and its pages are built on first use: for all five they take a third of an app's start.
  let built: JsonObject | null = null;
  const document = (): JsonObject => (built ??= openApiOf(name, base));
  let pages: Promise<FastifyInstance> | null = null;
  for (const url of ["/docs", "/docs/*"])
    app.get(url, async ({ method, url, headers }, reply) => {
      const app = await (pages ??= documentPages(base, document));
      const {
        statusCode,
        headers: own,
        rawPayload,
      } = await app.inject({
        method: method as "GET" | "HEAD",
        url,
        headers,
      });
      if (statusCode >= 400) return reply.callNotFound();
      return reply.code(statusCode).headers(own).send(rawPayload);
    });
  app.get("/openapi.json", (_, reply) =>
    reply.type("application/json").send(writeJson(document())),
  );

  for (const operation of operations)
    app.route({
      method: operation.method,
      url: operation.path.replaceAll(/\{(\w+)\}/g, ":$1"),
      onRequest: authenticate,
      handler: async (request, reply) => {
        const token = callers.get(request) ?? null;
        const tokenPart = token === null ? "" : ` token:${token.id}`;
        const actor = `${name}${tokenPart} ${clientOf(request.raw, trusted)}`;
        const restricted = await authorize(management, token, operation, actor);
        if (request.body !== undefined) await management.records.turn();
        const received = {
          params: request.params as Readonly<Record<string, string>>,
          query: { ...(request.query as object) },
          body: request.body,
          ifMatch: request.headers["if-match"] ?? null,
        };
        const decoded = await decodeRequest(restricted, operation, received, actor);
        const { status, body, headers = {} } = await operation.respond(restricted, decoded);
        reply.code(status).headers(headers);
        if (body === undefined) return reply.send();
        reply.type("application/json");
        if (!hasPieces(body)) return reply.send(writeJson(body));
        const pieces = Readable.from(byTurns(inPieces(body)));
        // The status has been sent with the first piece, so a later error can only be logged.
        pieces.once("error", (thrown) => {
          if (reply.raw.headersSent) reportRejection(thrown, request, log);
        });
        return reply.send(pieces);
      },
    });
}

/** Pages that show an interface's document and load nothing from other servers. */
async function documentPages(base: string, document: () => JsonObject): Promise<FastifyInstance> {
  const app = Fastify();
  const register = async (within: FastifyInstance): Promise<void> => {
    await within.register(swagger, { mode: "static", specification: { document: {} as never } });
    await within.register(swaggerUi, {
      routePrefix: "/docs",
      indexPrefix: base, // without this the page would load its parts from another server
      staticCSP: DOCS_POLICY,
      transformSpecification: document,
      transformSpecificationClone: false,
    });
  };
  await app.register(register, { prefix: base });
  return app;
}

/** Lets other requests run after each piece, even if the records respond at once. */
async function* byTurns(texts: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const text of texts) {
    yield text;
    await turn();
  }
}

/** Forbids the pages to load anything from other servers. */
const DOCS_POLICY = [
  "default-src 'self'",
  "img-src 'self' data:",
  "style-src 'self' 'unsafe-inline'",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");
