// nginx, where it is installed: as the upstream of everybody, and as a gateway with limits of its own.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { HOST, KEY, PATH } from "./address.ts";

export const hasNginx = (): boolean => spawnSync("nginx", ["-v"]).status === 0;

export interface Nginx {
  readonly url: string;
  readonly process: ChildProcess;
  readonly end: () => void;
}

const BODY = JSON.stringify({ method: "GET", target: PATH });

const UPSTREAM = `location / { default_type application/json; return 200 '${BODY}'; }`;

const limiting = (upstream: string): readonly [http: string, location: string] => [
  `limit_req_zone $http_authorization zone=keys:10m rate=1000000r/s;
   map $http_authorization $known { default 0; ${KEY} 1; }
   upstream up { server ${new URL(upstream).host}; keepalive 64; }`,
  `location / {
     if ($known = 0) { return 403; }
     limit_req zone=keys burst=1000000 nodelay;
     proxy_http_version 1.1;
     proxy_set_header Connection "";
     proxy_pass http://up;
   }`,
];

/** `upstream` null: it answers by itself. */
export async function nginx(upstream: string | null): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), "weir-bench-"));
  const port = await freePort();
  const [http, location] = upstream === null ? ["", UPSTREAM] : limiting(upstream);
  const file = join(folder, "nginx.conf");
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  writeFileSync(
    file,
    `daemon off; master_process off; worker_processes 1; pid ${join(folder, "pid")};
     error_log stderr crit;
     events { worker_connections 4096; }
     http { access_log off; keepalive_requests 1000000000; ${temporary.join(" ")} ${http}
       server { listen ${HOST}:${port} backlog=4096; ${location} } }`,
  );
  const child = spawn("nginx", ["-p", folder, "-c", file, "-e", "stderr"], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const url = `http://${HOST}:${port}`;
  await answering(url);
  return {
    url,
    process: child,
    end: () => {
      child.kill();
      child.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}

async function answering(url: string): Promise<void> {
  for (let i = 0; i < 50; i++) {
    const answer = await fetch(url).catch(() => null);
    if (answer !== null) return;
    await sleep(50);
  }
  throw new Error("nginx does not answer");
}
