// The management interfaces on the wire: who asks, whether what came fits, and in which form it is answered. What is
// done is an operation's own affair.
import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { createJsonSchemaTransform } from "fastify-type-provider-zod";
import type { z } from "zod";
import { fault, type Problem } from "../core/problems.ts";
import { INTERFACE, OPERATIONS, type Said } from "../management/interfaces.ts";
import { readJson, writeJson } from "../management/json.ts";
import type { Credentials, Management } from "../management/management.ts";
import { INTERFACES, Refusal, type InterfaceName } from "../management/operation.ts";
import { attempts, type Attempts } from "./attempts.ts";
import { admit } from "./guard.node.ts";
import { asRefusal, MOST_BYTES } from "./refused.ts";

export interface ManagementOptions {
  readonly management: Management;
  readonly credentials: () => Credentials; // asked again each time, because a reload may change them
  /** Of those that are served here, and behind which path. */
  readonly bases: Readonly<Partial<Record<InterfaceName, string>>>;
  readonly attempts: Attempts;
}

/** Without a socket: whoever has it hands it requests. */
export async function managementApp(
  options: Omit<ManagementOptions, "attempts">,
): Promise<FastifyInstance> {
  const app = Fastify({ bodyLimit: MOST_BYTES, exposeHeadRoutes: false });
  await interfacesIn(app, { ...options, attempts: attempts(options.management.nowUs) });
  return app;
}

export async function interfacesIn(
  app: FastifyInstance,
  options: ManagementOptions,
): Promise<void> {
  app.setValidatorCompiler<z.ZodType>(({ schema }) => (value) => {
    const read = schema.safeParse(value);
    if (read.success) return { value: read.data };
    const problems = read.error.issues.map(problemOf);
    return { error: new Refusal(400, "The request does not fit", problems) };
  });
  app.setSerializerCompiler(() => (value) => writeJson(value));
  for (const name of INTERFACES) {
    const base = options.bases[name];
    if (base === undefined) continue;
    await app.register((within) => interfaceIn(within, name, options), {
      prefix: base === "/" ? "" : base,
    });
  }
}

async function interfaceIn(
  app: FastifyInstance,
  name: InterfaceName,
  { management, credentials, attempts }: ManagementOptions,
): Promise<void> {
  const { title, version, scheme, credential, unauthorised, error } = INTERFACE[name];
  const tell = (reply: FastifyReply, said: Said, headers: Refusal["headers"] = {}): FastifyReply =>
    reply
      .code(said.status)
      .headers(headers)
      .type("application/json")
      .send(writeJson(error(said)));

  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/json",
    { parseAs: "buffer" },
    (_: FastifyRequest, bytes: Buffer, done) => {
      const read = bodyIn(bytes);
      if ("problems" in read) done(new Refusal(400, "The body is not JSON", read.problems));
      else done(null, read.value);
    },
  );
  app.setErrorHandler((thrown, _, reply) => {
    const { status, message, problems, headers } = asRefusal(thrown);
    return tell(reply, { status, message, problems }, headers);
  });
  app.setNotFoundHandler((_, reply) =>
    tell(reply, { status: 404, message: "Not Found", problems: [] }),
  );
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: { title: `Weir: ${title}`, version },
      components: {
        securitySchemes: {
          credential: scheme.isBearer
            ? { type: "http", scheme: "bearer" }
            : { type: "apiKey", in: "header", name: scheme.header },
        },
      },
      security: [{ credential: [] }],
    },
    transform: createJsonSchemaTransform({ skipList: [] }),
  });
  await app.register(swaggerUi, { routePrefix: "/docs" });
  app.get("/openapi.json", { schema: { hide: true } }, () => app.swagger());

  const asked = async ({ headers, ip: address }: FastifyRequest): Promise<void> => {
    admit(attempts, { said: credential(headers), address }, credentials()[name], unauthorised);
  };
  for (const operation of OPERATIONS.filter((each) => each.interface === name)) {
    const { method, path, body, query, answers, id, summary } = operation;
    app.route({
      method,
      url: path.replaceAll(/\{(\w+)\}/g, ":$1"),
      onRequest: asked,
      schema: {
        operationId: id,
        summary,
        ...(body === null ? {} : { body }),
        ...(query === null ? {} : { querystring: query }),
        response: answers,
      },
      handler: async (request, reply) => {
        const {
          status,
          body: said,
          headers,
        } = await operation.answer(management, {
          params: request.params as Readonly<Record<string, string>>,
          query: request.query,
          body: request.body,
          ifMatch: request.headers["if-match"] ?? null,
          who: `${name} ${request.ip}`,
        });
        return reply
          .code(status)
          .headers(headers ?? {})
          .send(said);
      },
    });
  }
}

function bodyIn(bytes: Buffer): ReturnType<typeof readJson> {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { problems: [fault("JSN-UTF8", [], "the body is not UTF-8")] };
  }
  return readJson(text);
}

const problemOf = ({ path, message }: z.core.$ZodIssue): Problem =>
  fault("MGT-FIELD", path as (string | number)[], message);
