// The syntax of nginx, the roles of directives, and files of several parts.
import { describe, expect, test } from "vitest";
import { requireValue } from "#src/kit/reading/failure.ts";
import { parseNginx } from "#src/lab/implementations/nginx/parse.ts";
import { NGINX_READER } from "#src/lab/implementations/nginx/read.ts";
import { FILE, read, problemsOf, budgets, zone } from "./reader.ts";

describe("the syntax", () => {
  const wordsOf = (text: string): readonly string[] => {
    const [first] = requireValue(parseNginx({ file: FILE, text }));
    return [first!.name, ...first!.words];
  };

  test.each([
    ["a \"b c\" 'd;e';", ["a", "b c", "d;e"]],
    ['a "#b" c#d; # e', ["a", "#b", "c#d"]],
    ["a ${b}c $d;", ["a", "${b}c", "$d"]],
    [
      String.raw`a "\"b\\" \.c d\ e;`,
      ["a", String.raw`"b` + "\\", String.raw`\.c`, String.raw`d\ e`],
    ],
    ['a b"c";', ["a", 'b"c"']],
    ["a b};", ["a", "b}"]],
    ['if ($a = "") { b c; }', ["if", "($a", "=", "", ")"]],
    ["a\r\n\tb;", ["a", "b"]],
  ])("%s", (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  test("a program of Lua is not split into directives", () => {
    const text = `location / { access_by_lua_block { if a then return "}" end -- }\n } limit_req zone=a; }`;
    const [location] = requireValue(parseNginx({ file: FILE, text }));
    expect(location!.block!.map(({ name }) => name)).toEqual(["access_by_lua_block", "limit_req"]);
  });

  test.each(["// don't", "a = [[1], [2] ]", "--[[ } ]] b = [[ } ]]", "--[[ a"])(
    "a program with %s ends at its brace",
    (line) => {
      const text = `access_by_lua_block {\n${line}\n} limit_req zone=a;`;
      const directives = requireValue(parseNginx({ file: FILE, text }));
      expect(directives.map(({ name }) => name)).toEqual(["access_by_lua_block", "limit_req"]);
    },
  );

  test.each([
    ['server {\n  set $a "b;\n}', `${FILE}:2: a quote is not closed; add the closing quote`],
    ["server {\n  listen 80;", `${FILE}:1: the block of "server" is not closed; add "}"`],
    ["listen 80;\n}", `${FILE}:2: "}" closes no block; remove it`],
    [
      "server { listen 80 }",
      `${FILE}:1: "listen" has no semicolon before the end of its block; add one`,
    ],
    ["listen 80", `${FILE}:1: "listen" has no semicolon; add one`],
    ["listen 80;;", `${FILE}:1: ";" has no directive before it; remove it`],
    ['set $a "b"c;', `${FILE}:1: nginx needs a space after the closing quote of "b"; add one`],
    ["a {".repeat(200), `${FILE}:1: blocks are nested more than 100 deep`],
  ])("%s", (text, problem) => {
    expect(problemsOf(text)).toEqual([problem]);
  });
});

describe("roles", () => {
  const SAMPLE = `user www;
    events { worker_connections 1; }
    http {
      include mime.types; include sites/*.conf; include zones.conf;
      map $http_a $b { default 1; }
      geo $c { proxy 10.0.0.0/8; default 1; }
      limit_conn_zone $remote_addr zone=conns:1m;
      limit_req_zone $c zone=b:1m rate=1r/s;
      limit_req_zone k zone=unused:1m rate=1r/s;
      upstream app { server 127.0.0.1:1; }
      server {
        ssl_password_file /secret/file; proxy_set_header Authorization "Basic secret";
        set_real_ip_from 10.0.0.0/8; limit_conn conns 5;
        if (-f $request_filename) { return 403; }
        location / { limit_req zone=a; limit_req zone=b; some_module on; proxy_pass http://app; }
        access_by_lua_block { return }
      }
    }`;
  const { statements } = read(SAMPLE, { "zones.conf": zone("$remote_addr") });

  test("every directive outside of tables has one", () => {
    expect(statements.map(({ text, role }) => `${role}: ${text}`)).toEqual([
      "irrelevant: user www",
      "irrelevant: events",
      "read: http",
      "irrelevant: include mime.types",
      "not understood: include sites/*.conf",
      "read: limit_req_zone $remote_addr zone=a:1m rate=10r/s",
      "irrelevant: map $http_a $b",
      "read: geo $c",
      "not understood: proxy 10.0.0.0/8",
      "irrelevant: limit_conn_zone $remote_addr zone=conns:1m",
      "read: limit_req_zone $c zone=b:1m rate=1r/s",
      "irrelevant: limit_req_zone k zone=unused:1m rate=1r/s",
      "irrelevant: upstream app",
      "read: server",
      "irrelevant: ssl_password_file",
      "irrelevant: proxy_set_header Authorization",
      "read: set_real_ip_from 10.0.0.0/8",
      "not understood: limit_conn conns 5",
      "not understood: if (-f $request_filename)",
      "read: return 403",
      "read: location /",
      "read: limit_req zone=a",
      "read: limit_req zone=b",
      "not understood: some_module on",
      "irrelevant: proxy_pass http://app",
      "not understood: access_by_lua_block",
    ]);
  });

  test("a statement that is not understood has a consequence, its file and its line", () => {
    expect(
      statements.filter(({ role, consequence }) => role === "not understood" && consequence === ""),
    ).toEqual([]);
    expect(statements.find(({ text }) => text === "limit_conn conns 5")).toMatchObject({
      file: FILE,
      line: 13,
      consequence: "it limits connections at the same time, which this reader does not read",
    });
  });
});

describe("files", () => {
  test("an included file is read in its place", () => {
    const found = read("include zones.conf; server { limit_req zone=a; }", {
      "zones.conf": `\n${zone("all")}`,
    });
    expect(budgets(found, "/")).toEqual({ "zone a, burst 0": "all" });
    expect(found.statements[0]).toMatchObject({ file: "zones.conf", line: 2 });
  });

  test("a missing include and a circle of includes are failures with their places", () => {
    expect(problemsOf("http {\n include none.conf; }")).toEqual([
      `${FILE}:2: include none.conf: none.conf does not exist`,
    ]);
    expect(
      problemsOf("include a.conf;", { "a.conf": "include b.conf;", "b.conf": "include a.conf;" }),
    ).toEqual(["a.conf includes itself, through b.conf; remove one of these includes"]);
  });

  test("a file with a large table is read within seconds", () => {
    const entries = Array.from(
      { length: 40_000 },
      (_, at) => `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}/32 n${at};`,
    );
    const text = `geo $key { default ""; ${entries.join("\n")} }\n${zone("$key")}server { limit_req zone=a; }`;
    expect(text.length).toBeGreaterThan(500_000);
    expect(budgets(read(text), "/", { address: "10.0.2.3" })).toEqual({
      "zone a, burst 0": "n515",
    });
  });

  test.each([
    ["http {\n}", true],
    ["  limit_req_zone $a zone=b:1m rate=1r/s;", true],
    ["server {\n  listen 80;\n}", true],
    ["apis:\n  orders: { listen_path: /orders }\n", false],
    ["server:\n  port: 80\n", false],
    ["frontend http\n  bind :80\n", false],
    ["\u0000\u0001\u0002", false],
    ["", false],
  ])("%j is recognized: %s", (text, isNginx) => {
    expect(NGINX_READER.recognizes({ file: FILE, text })).toBe(isNginx);
  });
});
