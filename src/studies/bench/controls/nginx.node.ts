// nginx, if it is installed: one worker, a check of the key, a limit for each key, and reused connections to the
// upstream.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { keyAt } from "../load/load.ts";
import { KEY_PREFIX } from "../world-of.ts";
import { HOST, listen } from "./bare.node.ts";

const KEY = keyAt(KEY_PREFIX, 0);

// However this process ends, its end closes the script's input, and the script then kills nginx.
const KEEPER = `exec 3<&0
nginx "$@" >/dev/null & server=$!
echo $server
{ cat <&3 >/dev/null; kill -9 $server; } 2>/dev/null & keeper=$!
wait $server
kill $keeper 2>/dev/null
rm -rf "$2"`;

/** Null: nginx is not installed. */
export async function startNginx(upstream: string): Promise<{ url: URL; pid: number } | null> {
  if (spawnSync("nginx", ["-v"]).status !== 0) return null;
  const folder = mkdtempSync(join(tmpdir(), "weir-bench-nginx-"));
  const port = await freePort();
  const file = join(folder, "nginx.conf");
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  writeFileSync(
    file,
    `daemon off; master_process off; worker_processes 1; pid ${join(folder, "pid")};
     error_log stderr crit;
     events { worker_connections 4096; }
     http { access_log off; keepalive_requests 1000000000; ${temporary.join(" ")}
       limit_req_zone $http_authorization zone=keys:10m rate=1000000r/s;
       map $http_authorization $known { default 0; ${KEY} 1; }
       upstream up { server ${new URL(upstream).host}; keepalive 64; }
       server { listen ${HOST}:${port} backlog=4096; location / {
         if ($known = 0) { return 403; }
         limit_req zone=keys burst=1000000 nodelay;
         proxy_http_version 1.1;
         proxy_set_header Connection "";
         proxy_pass http://up;
       } } }`,
  );
  const keeper = spawn("sh", ["-c", KEEPER, "sh", "-p", folder, "-c", file, "-e", "stderr"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const url = new URL(`http://${HOST}:${port}`);
  const pid = await new Promise<number>((resolve) =>
    keeper.stdout.setEncoding("utf8").once("data", (output: string) => resolve(Number(output))),
  );
  keeper.once("exit", (code) => process.exit(code === 0 ? 1 : (code ?? 1)));
  await waitForResponse(url);
  return { url, pid };
}

async function freePort(): Promise<number> {
  const server = createServer();
  const { port } = await listen(server);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return Number(port);
}

async function waitForResponse(url: URL): Promise<void> {
  for (let i = 0; i < 50; i++) {
    const response = await fetch(url).catch(() => null);
    if (response !== null) return;
    await sleep(50);
  }
  throw new Error("nginx does not answer");
}
