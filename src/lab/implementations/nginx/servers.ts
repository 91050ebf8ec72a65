// Which server answers a request. Logs have no ports, and many have no hosts, so both can be questions.
import type { Directive } from "./parse.ts";
import { ServersAtPort, type NginxPlace, type Server } from "./places.ts";
import type { NginxRequest } from "./request.ts";

type Resolve = (name: string, usual: string, at: Directive) => string;

export class ServerChoice {
  readonly #atPort: ServersAtPort | null;
  readonly #usualHost: Server | null; // null: all requests have the same server
  readonly #resolve: Resolve;
  readonly #port: string;

  constructor(servers: readonly Server[], values: ReadonlyMap<string, string>, resolve: Resolve) {
    this.#resolve = resolve;
    const ports = new Map<string, [Server, ...Server[]]>();
    for (const server of servers)
      for (const port of new Set(server.ports)) {
        const same = ports.get(port);
        if (same === undefined) ports.set(port, [server]);
        else same.push(server);
      }
    const [usual] = [...ports].toSorted(([, a], [, b]) => countLimited(b) - countLimited(a));
    const groups = new Set(
      [...ports.values()].map((same) => same.map(numberIn(servers)).join(" ")),
    );
    const port =
      usual === undefined || groups.size < 2
        ? usual?.[0]
        : resolve("server_port", usual[0], usual[1][0].directive);
    this.#port = port ?? "";
    const here = port === undefined ? undefined : ports.get(port);
    this.#atPort = here === undefined ? null : new ServersAtPort(here, port!);
    this.#usualHost =
      here === undefined || here.length < 2 ? null : (here.find(isLimited) ?? here[0]);
    if (values.has("host") && this.#usualHost !== null)
      resolve("host", "", this.#usualHost.directive);
  }

  serverOf = (host: string, request: NginxRequest): Server | null => {
    if (this.#atPort === null) return null;
    request.port = this.#port;
    const { names, directive } = this.#usualHost ?? { names: [], directive: null };
    const known =
      host !== "" || directive === null
        ? host
        : this.#resolve("host", (names[0] ?? "").toLowerCase(), directive);
    return this.#atPort.at(known, request);
  };
}

const numberIn =
  (servers: readonly Server[]) =>
  (server: Server): number =>
    servers.indexOf(server);

const countLimited = (servers: readonly Server[]): number => servers.filter(isLimited).length;

/** Whether some of its requests are limited. A server that begins with `return` answers all of them. */
const isLimited = (server: Server): boolean =>
  !startsWithReturn(server.directive) && hasLimits(server);

const hasLimits = ({ limits, locations }: NginxPlace): boolean =>
  limits.length > 0 || locations.some(hasLimits);

const startsWithReturn = ({ block }: Directive): boolean =>
  (block ?? []).find(({ name }) => /^(?:set|if|rewrite|return|break)$/.test(name))?.name ===
  "return";
