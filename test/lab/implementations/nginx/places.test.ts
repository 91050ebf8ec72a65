// Which server and location of nginx limits a request, after its rewrites.
import { describe, expect, test } from "vitest";
import { read, budgets, zone, locationOf, blockOf } from "./reader.ts";

describe("locations", () => {
  const LOCATIONS = `server {
    location = /exact ${blockOf("exact")}
    location /long/er ${blockOf("longer")}
    location /long ${blockOf("long", `location ~ in(\\.php)?$ ${blockOf("inner")} location /long/in ${blockOf("prefix")}`)}
    location ^~ /fixed ${blockOf("fixed")}
    location ~ \\.php$ ${blockOf("php")}
    location ~* \\.GIF$ ${blockOf("gif")}
    location / ${blockOf("root")}
    location @named ${blockOf("named")}
    location /closed ${blockOf("closed", "internal;")}
    location /ended ${blockOf("ended", "return 204;")}
    location /slash/ ${blockOf("slash", "proxy_pass http://x;")}
  }`;

  test.each([
    ["/exact", "exact"],
    ["/exact/", "root"],
    ["/long", "long"],
    ["/long/er/x", "longer"],
    ["/long/er/x.php", "php"],
    ["/fixed/x.php", "fixed"],
    ["/x.gif", "gif"],
    ["/long/in", "inner"],
    ["/long/in.php", "inner"],
    ["/long/inn", "prefix"],
    ["/long/inn.php", "php"],
    ["/named", "root"],
    ["/closed", ""],
    ["/ended", ""],
    ["/slash", ""],
    ["/slash/a", "slash"],
    ["/%65xact", "exact"],
    ["//exact", "exact"],
    ["/a/../exact?b", "exact"],
    ["/../exact", ""],
    ["/%zz", ""],
    ["http://host.test/exact", "exact"],
  ])("%s", (target, name) => {
    expect(locationOf(LOCATIONS, target)).toBe(name);
  });

  test("a return of the server comes before all locations, and one after break does not", () => {
    expect(locationOf(`server { return 301 /x; location / ${blockOf("a")} }`, "/")).toBe("");
    expect(locationOf(`server { break; return 301 /x; location / ${blockOf("a")} }`, "/")).toBe(
      "a",
    );
  });

  test("if and rewrite happen before a location is limited", () => {
    const server = `server {
      rewrite ^/old/(.*)$ /new/$1?from=old;
      location /new ${blockOf("new", "if ($arg_from = old) { return 410; } if ($request_method = POST) { rewrite ^ /post last; }")}
      location /post ${blockOf("post", "internal;")}
      location /way { rewrite ^ /new/way; }
    }`;
    expect(locationOf(server, "/old/x")).toBe("");
    expect(locationOf(server, "/new/x")).toBe("new");
    expect(locationOf(server, "/way")).toBe("new");
    expect(locationOf(server, "/post")).toBe("");
    const text = `${zone("all", "new")}${zone("all", "post")}${server}`;
    expect(budgets(read(text), "/new", { method: "POST" })).toEqual({
      "zone post, burst 0": "all",
    });
  });

  test("try_files moves a request that no limit counted", () => {
    const server = `server { location / { try_files $uri @app; } location @app ${blockOf("app")}
      location /own ${blockOf("own", "try_files $uri @app;")} }`;
    expect(locationOf(server, "/x")).toBe("app");
    expect(locationOf(server, "/own")).toBe("own");
    const { statements } = read(`${zone("k", "app")}${zone("k", "own")}${server}`);
    expect(statements.filter(({ role }) => role === "not understood")).toMatchObject([
      { text: "try_files $uri @app", consequence: expect.stringContaining("taken as missing") },
    ]);
  });
});

test("a statement that moves requests is named only if it leads to limits", () => {
  const server = `server {
    location / { index index.html index.php; error_page 404 /404.html; error_page 500 @down; }
    location /a { index index.html; try_files $uri /x.html =404; auth_request /auth.php; }
    location ~ \\.php$ ${blockOf("php")}
    location @down ${blockOf("php")}
  }`;
  const { statements } = read(`${zone("k", "php")}${server}`);
  expect(statements.flatMap(({ role, text }) => (role === "not understood" ? [text] : []))).toEqual(
    ["index index.html index.php", "error_page 500 @down", "auth_request /auth.php"],
  );
});

describe("servers", () => {
  const SERVERS = `
    server { listen 80; server_name a.test b.test; return 301 https://$host$request_uri; }
    server { listen 443 ssl default_server; server_name other.test; }
    server { listen 443 ssl; server_name a.test; location / ${blockOf("exact")} }
    server { listen 443 ssl; server_name *.a.test; location / ${blockOf("mask")} }
    server { listen 443 ssl; server_name ~^(?<sub>.+)\\.b\\.test$; location / ${blockOf("pattern")} }`;

  test.each([
    ["a.test", "exact"],
    ["A.TEST:443", "exact"],
    ["x.a.test", "mask"],
    ["x.b.test", "pattern"],
    ["c.test", ""],
  ])("%s", (host, name) => {
    expect(locationOf(SERVERS, "/", host)).toBe(name);
  });

  const zones = ["exact", "mask", "pattern"].map((name) => zone("all", name)).join("");

  test("the port is a question, whose usual value has most of the limits", () => {
    expect(read(zones + SERVERS).questions).toMatchObject([
      { name: "server_port", value: "443", isSet: false },
    ]);
    expect(
      budgets(read(zones + SERVERS, {}, { server_port: "80" }), "/", { host: "a.test" }),
    ).toEqual({});
  });

  test("the host of a request that has none is a question, whose usual value has limits", () => {
    const found = read(zones + SERVERS);
    expect(budgets(found, "/")).toEqual({ "zone exact, burst 0": "all" });
    expect(found.questions.map(({ name, value }) => `${name}=${value}`)).toEqual([
      "server_port=443",
      "host=a.test",
    ]);
  });

  test("a file with locations alone is a server", () => {
    expect(locationOf(`location /x ${blockOf("x")}`, "/x")).toBe("x");
  });
});
