// The management interfaces on the wire: who asks, whether what came fits, and in which form it is answered. What is
// done is an operation's own affair.
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
import { writeJson } from "../json.ts";
import type { Credentials, Management } from "../management.ts";
import { openApiOf } from "../openapi.ts";
import { mostValues } from "../records/bounds.ts";
import { INTERFACES, type InterfaceName } from "../interface-name.ts";
import type { Operation } from "../operation.ts";
import { Rejection } from "../rejection.ts";
import type { Token } from "../families/token.ts";
import { hasPieces, inPieces } from "../pieces.ts";
import { managementFor, noteUse, whyNot } from "../rights.ts";
import { attempts, type Attempts } from "./attempts.ts";
import { bodyIn, fitting } from "./fitting.node.ts";
import { admit, isSecret, lookedUp } from "./guard.node.ts";
import { asRefusal, MOST_BYTES, refusalTold } from "./refused.ts";
import { answerWhileSent } from "./while-sent.node.ts";
import { clientOf, NOBODY_TRUSTED, type Trusted } from "../../gateway/http/trusted.node.ts";

export interface ManagementOptions {
  readonly management: Management;
  readonly credentials: () => Credentials; // asked again each time, because a reload may change them
  /** Of those that are served here, and behind which path. */
  readonly bases: Bases;
  readonly attempts: Attempts;
  readonly trusted: Trusted; // who says for which client a request comes
  /** What has failed by a fault of Weir itself, for whoever runs it. */
  readonly log: (line: string) => void;
}

type Bases = Readonly<Partial<Record<InterfaceName, string>>>;

const NO_TOKEN = { token: null, isCounted: false };

/** Ids are shorter, and the longest line of a request is longer. */
const LONGEST_PARAMETER = 4_096;

/** What an app has to be told before anything hangs in it. */
export const appOptions = (bases: Bases): FastifyServerOptions => ({
  bodyLimit: MOST_BYTES,
  routerOptions: { maxParamLength: LONGEST_PARAMETER },
  // A path that is none, or longer than any, reaches nobody: it is told in the form of the interface that it begins like.
  frameworkErrors: (thrown, request, reply) => {
    const begins = INTERFACES.find((each) => request.url.startsWith(`${bases[each]}/`));
    const name = begins ?? INTERFACES.find((each) => bases[each] === "/") ?? "admin";
    const isTooLong = thrown.code === "FST_ERR_MAX_PARAM_LENGTH";
    tell(name, reply, isTooLong ? new Rejection(404, "Not Found") : asRefusal(thrown));
  },
});

/** Without a socket: whoever has it hands it requests. */
export async function managementApp(
  options: Omit<ManagementOptions, "attempts" | "trusted"> & Partial<ManagementOptions>,
): Promise<FastifyInstance> {
  const app = Fastify(appOptions(options.bases));
  const failing = options.attempts ?? attempts(options.management.nowUs);
  const trusted = options.trusted ?? NOBODY_TRUSTED;
  await interfacesIn(app, { ...options, attempts: failing, trusted });
  return app;
}

export async function interfacesIn(
  app: FastifyInstance,
  options: ManagementOptions,
): Promise<void> {
  for (const name of INTERFACES) {
    const said = options.bases[name];
    if (said === undefined) continue;
    const base = said === "/" ? "" : said;
    await app.register((within) => interfaceIn(within, name, base, options), { prefix: base });
  }
}

function tell(
  name: InterfaceName,
  reply: FastifyReply,
  { status, message, problems, headers }: ReturnType<typeof asRefusal>,
): FastifyReply {
  return reply
    .code(status)
    .headers(headers)
    .type("application/json")
    .send(writeJson(INTERFACE[name].error({ status, message, problems })));
}

async function interfaceIn(
  app: FastifyInstance,
  name: InterfaceName,
  base: string,
  { management, credentials, attempts, trusted, log }: ManagementOptions,
): Promise<void> {
  const { credential, unauthorised } = INTERFACE[name];
  const operations = OPERATIONS.filter((each) => each.interface === name);

  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/json",
    { parseAs: "buffer" },
    async ({ headers }: FastifyRequest, bytes: Buffer) => {
      if (!isUtf8(headers["content-type"] ?? ""))
        throw new Rejection(415, "A body is application/json in UTF-8");
      await management.records.turn();
      const read = bodyIn(bytes, mostValues(management.records.bounds()));
      if ("problems" in read) throw new Rejection(400, "The body is not JSON", read.problems);
      return read.value;
    },
  );
  app.setErrorHandler((thrown, request, reply) => {
    const refusal = refusalTold(thrown, request, log);
    answerWhileSent(request, reply);
    return tell(name, reply, refusal);
  });

  const callers = new WeakMap<FastifyRequest, Token>();
  const asked = async (request: FastifyRequest): Promise<void> => {
    const said = credential(request.headers);
    const address = clientOf(request.raw, trusted);
    const shown = { at: name, said, address };
    const { token, isCounted } = isSecret(said, credentials()[name])
      ? NO_TOKEN
      : await lookedUp(management, attempts, shown);
    if (token !== null) {
      callers.set(request, token);
      return;
    }
    admit(attempts, { ...shown, isCounted }, credentials()[name], unauthorised);
  };
  /** Refuses what the token of a request may not do; what its operation works with otherwise. */
  const allowed = async (
    request: FastifyRequest,
    operation: Described,
    who: string,
  ): Promise<Management> => {
    const token = callers.get(request);
    if (token === undefined) return management;
    const why = whyNot(token, operation);
    await noteUse(management, token, who, operation.id, why === null);
    if (why !== null) throw new Rejection(403, why);
    return managementFor(management, token);
  };
  // Who has no business here learns nothing, not even which doors there are.
  app.setNotFoundHandler({ preValidation: asked }, ({ method, url }) => {
    throw notHere(operations, method, url.slice(base.length).split("?", 1)[0]!);
  });

  const document = openApiOf(name, base);
  await app.register(swagger, { mode: "static", specification: { document: document as never } });
  await app.register(swaggerUi, {
    routePrefix: "/docs",
    indexPrefix: base, // or the page would look for its parts outside
    staticCSP: DOCS_POLICY,
  });
  app.get("/openapi.json", (_, reply) => reply.type("application/json").send(writeJson(document)));

  for (const operation of operations)
    app.route({
      method: operation.method,
      url: operation.path.replaceAll(/\{(\w+)\}/g, ":$1"),
      onRequest: asked,
      handler: async (request, reply) => {
        const by = callers.get(request);
        const through = by === undefined ? "" : ` token:${by.id}`;
        const who = `${name}${through} ${clientOf(request.raw, trusted)}`;
        const theirs = await allowed(request, operation, who);
        if (request.body !== undefined) await management.records.turn();
        const asking = await fitting(theirs, operation, request, who);
        const { status, body, headers = {} } = await operation.respond(theirs, asking);
        reply.code(status).headers(headers);
        if (body === undefined) return reply.send();
        reply.type("application/json");
        if (!hasPieces(body)) return reply.send(writeJson(body));
        const pieces = Readable.from(byTurns(inPieces(body)));
        // After the first piece it is too late for an answer that says so.
        pieces.once("error", (thrown) => {
          if (reply.raw.headersSent) refusalTold(thrown, request, log);
        });
        return reply.send(pieces);
      },
    });
}

/** Whoever else is served gets a turn after each piece, also where the records answer at once. */
async function* byTurns(texts: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const text of texts) {
    yield text;
    await turn();
  }
}

/** Of a type that names an encoding; JSON has one, and whoever names none means it. */
const isUtf8 = (type: string): boolean =>
  (/;\s*charset\s*=\s*"?([^\s";]*)/i.exec(type)?.[1] ?? "utf-8").toLowerCase() === "utf-8";

/** Whoever reads the pages asks nobody else for anything. */
const DOCS_POLICY = [
  "default-src 'self'",
  "img-src 'self' data:",
  "style-src 'self' 'unsafe-inline'",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

type Described = Operation<unknown, unknown>;

function notHere(operations: readonly Described[], method: string, path: string): Rejection {
  const here = operations.filter((each) => patternOf(each).test(path));
  const methods = here.flatMap((each) => (each.method === "GET" ? ["GET", "HEAD"] : [each.method]));
  if (methods.length === 0 || methods.includes(method)) return new Rejection(404, "Not Found");
  const Allow = [...new Set(methods)].join(", ");
  return new Rejection(405, `${path} answers ${Allow}`, [], { Allow });
}

const patternOf = ({ path }: Described): RegExp =>
  new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
