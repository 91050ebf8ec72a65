// The file of a user as nginx is started with it: what decides about limits stays as it is.
import { SECOND } from "../../kit/units.ts";
import { isFailure } from "../../kit/reading/failure.ts";
import { expandIncludes } from "../../lab/implementations/nginx/includes.ts";
import { portOf } from "../../lab/implementations/nginx/places.ts";
import type { Directive } from "../../lab/implementations/nginx/parse.ts";
import { isTable } from "../../lab/implementations/nginx/roles.ts";
import type { ReadRule } from "../../lab/implementations/reading.ts";
import { decisionsOfNginx, nginxFile } from "./draw-nginx.ts";
import { NGINX_READER } from "../../lab/implementations/nginx/read.ts";
import { MOST_AT_ONCE, type OwnProgram } from "./own-file.ts";

export const OWN_NGINX: OwnProgram = {
  reader: NGINX_READER,
  main: "nginx.conf",
  marginOf: ({ rules }) => 1_000 + Math.max(0, ...rules.map(lossUs)),
  decisionsOf: () => decisionsOfNginx,
  filesOf: ({ main, includes, configuration }) => {
    const top = expandIncludes(main, includes);
    if (isFailure(top)) return top;
    const http = top.filter(({ name }) => name === "http").flatMap(({ block }) => block ?? []);
    const usual = configuration.questions.find(({ name }) => name === "server_port")?.value;
    const remaining = (http.length > 0 ? http : top).filter(
      (each) => each.name !== "server" || usual === undefined || portsOf(each).includes(usual),
    );
    return (site) => {
      const { port } = site;
      const listen = `listen 127.0.0.1:${port}`;
      const usualServer = remaining.find((each) => each.name === "server" && isDefault(each));
      const lines = remaining.flatMap((each) =>
        each.name === "server"
          ? write(each, `${listen}${each === usualServer ? " default_server" : ""};`)
          : write(each),
      );
      // Requests have no address as their host, so that only the check of readiness meets this server.
      const ready = `server { ${listen}; server_name 127.0.0.1; location / { return 204; } }`;
      return { "nginx.conf": nginxFile(site, [...lines, ready].join("\n")) };
    };
  },
};

/** nginx drops fractions of a thousandth of a request with each one, if the rate is no whole number of them. */
const lossUs = ({ limit: { rate, perUs } }: ReadRule): number =>
  (rate * 1_000 * SECOND) % perUs === 0 && perUs < 1_000 * SECOND
    ? 0
    : (MOST_AT_ONCE * perUs) / rate / 1_000;

const listensOf = ({ block }: Directive): readonly Directive[] =>
  (block ?? []).filter(({ name }) => name === "listen");

function portsOf(server: Directive): readonly string[] {
  const listens = listensOf(server);
  return listens.length === 0 ? ["80"] : listens.map(portOf);
}

const isDefault = (server: Directive): boolean =>
  listensOf(server).some(({ words }) => /\bdefault(?:_server)?\b/.test(words.join(" ")));

/** What needs files, certificates, modules or servers of the production, and what this run sets itself. */
const DROPPED =
  /^(?:listen|include|upstream|root|keepalive_requests|load_module|resolver\w*|ssl\w*|http[23]\w*|quic\w*|(?:access|error)_log|log_format|open_log_file_cache|\w+_temp_path|auth_(?:basic|jwt)\w*|set_real_ip_from|real_ip_\w+|(?:proxy|fastcgi|uwsgi|scgi|grpc|memcached|more|brotli|lua|js|perl)_\w+|\w+_by_(?:lua|njs)\w*)$/;

const PASSES = /^(?:proxy|fastcgi|uwsgi|scgi|grpc|memcached)_pass$/;

/** `first`: a line before the others of the block. */
function write(directive: Directive, first = "", within = ""): readonly string[] {
  const { name, words, block } = directive;
  if (PASSES.test(name)) return within === "location" ? ["empty_gif;"] : [];
  if (DROPPED.test(name)) return [];
  // A request that waits is decided all the same, and the run need not wait.
  const waits = name === "limit_req" ? words.filter((word) => !/^(?:no)?delay/.test(word)) : null;
  const head = [name, ...(waits === null ? words : [...waits, "nodelay"])].map(quote).join(" ");
  if (block === null) return [`${head};`];
  const inner = isTable(directive)
    ? block.flatMap((each) => `${[each.name, ...each.words].map(quote).join(" ")};`)
    : block.flatMap((each) => write(each, "", name));
  return [`${head} {`, ...(first === "" ? [] : [first]), ...inner, "}"];
}

const quote = (word: string): string =>
  word === "" || /[\s;{}"'\\]|^#/.test(word) ? `"${word.replaceAll(/["\\]/g, "\\$&")}"` : word;
