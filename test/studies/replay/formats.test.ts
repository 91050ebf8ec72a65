// A line of each format as the documentation of its server has it, with addresses that are reserved for examples.
import { expect, test } from "vitest";
import { isFailure, requireValue } from "#src/kit/reading/failure.ts";
import { NameTable } from "#src/studies/replay/names.ts";
import { parseCondition } from "#src/studies/replay/conditions.ts";
import type { LogFormat } from "#src/studies/replay/columns.ts";
import { FORMATS, formatIn } from "#src/studies/replay/formats.ts";
import { formatOfText } from "#src/studies/replay/text-formats.ts";
import { requestReader } from "#src/studies/replay/requests.ts";
import { parseKey } from "#src/studies/replay/selectors.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The fields of the last line of a log, or the reason why it cannot be read. */
function read(format: LogFormat, log: string, key: string) {
  const head = log.split("\n").map(bytes);
  const clients = new NameTable();
  const question = { key: requireValue(parseKey(key)), conditions: [], clients, targets: null };
  const reader = requestReader(format, question, head);
  if (isFailure(reader)) return reader.message;
  const outcome = reader.read(head.at(-1)!, 0, head.at(-1)!.length);
  if (outcome !== "request") return outcome;
  const at = new Date(reader.atUs / 1000).toISOString();
  const { bytes: name, from, to } = reader.client;
  return `${at} ${clients.nameOf(clients.idOf(name, from, to)).replaceAll("\u001F", " ")}`;
}

const ALL = "ip+method+path+status";

const COMBINED =
  '192.0.2.7 - alice [05/Jan/2026:11:00:01 +0100] "GET /a?b=1 HTTP/1.1" 200 2326 "http://example.com/" "Mozilla/5.0 \\"x\\" (X11)"';

const LINES: readonly (readonly [name: string, log: string, expected: string])[] = [
  ["combined", COMBINED, "2026-01-05T10:00:01.000Z 192.0.2.7 GET /a 200"],
  ["vhost_combined", `example.com:80 ${COMBINED}`, "2026-01-05T10:00:01.000Z 192.0.2.7 GET /a 200"],
  [
    "vhost_combined",
    `www.example.com ${COMBINED}`,
    "2026-01-05T10:00:01.000Z 192.0.2.7 GET /a 200",
  ],
  ...["www.example.com", "www.example.com:443"].flatMap((host): (typeof LINES)[number][] =>
    ["192.0.2.7", "2001:db8::7"].map((client) => [
      "vhost_common",
      `${host} ${client} - - [05/Jan/2026:10:00:01 +0000] "GET /a HTTP/1.1" 200 12`,
      `2026-01-05T10:00:01.000Z ${client} GET /a 200`,
    ]),
  ),
  [
    "common",
    '192.0.2.7 - - [05/Jan/2026:10:00:01 +0000] "POST /a HTTP/1.0" 404 -',
    "2026-01-05T10:00:01.000Z 192.0.2.7 POST /a 404",
  ],
  [
    "haproxy",
    'Jan  5 10:00:01 localhost haproxy[14389]: 192.0.2.7:33317 [05/Jan/2026:10:00:01.655] http-in static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 {example.com} {} "GET /index.html HTTP/1.1"',
    "2026-01-05T10:00:01.655Z 192.0.2.7 GET /index.html 200",
  ],
  [
    "haproxy",
    '192.0.2.7:33317 [05/Jan/2026:10:00:01.655] http-in static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 "GET /index.html HTTP/1.1"',
    "2026-01-05T10:00:01.655Z 192.0.2.7 GET /index.html 200",
  ],
  [
    "alb",
    'https 2026-01-05T10:00:02.186641Z app/my-loadbalancer/50dc6c495c0c9188 192.0.2.7:2817 10.0.0.1:80 0.086 0.048 0.037 200 200 0 57 "GET https://www.example.com:443/a?b HTTP/1.1" "curl/7.46.0" ECDHE-RSA-AES128-GCM-SHA256 TLSv1.2 arn:aws:elasticloadbalancing:us-east-2:123456789012:targetgroup/my-targets/73e2d6bc24d8a067 "Root=1-58337281-1d84f3d73c47ec4e58577259" "www.example.com" "-" 1 2026-01-05T10:00:01.812345Z "forward" "-" "-" "10.0.0.1:80" "200" "-" "-"',
    "2026-01-05T10:00:01.812Z 192.0.2.7 GET /a 200",
  ],
  [
    "haproxy",
    '2001:db8::7:33317 [05/Jan/2026:10:00:01.655] http-in static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 "GET /index.html HTTP/1.1"',
    "2026-01-05T10:00:01.655Z 2001:db8::7 GET /index.html 200",
  ],
  [
    "haproxy",
    '[2001:db8::7]:33317 [05/Jan/2026:10:00:01.655] http-in static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 "GET /index.html HTTP/1.1"',
    "2026-01-05T10:00:01.655Z 2001:db8::7 GET /index.html 200",
  ],
  ...[
    ["2001:db8:4538:1:bcf4:5264:e01c:f215:50718", "2001:db8:4538:1:bcf4:5264:e01c:f215"],
    ["2001:db8::7:50718", "2001:db8::7"],
    ["[2001:db8::7]:50718", "2001:db8::7"],
  ].map(([client, address]): (typeof LINES)[number] => [
    "alb",
    `h2 2026-01-05T10:00:02.186641Z app/my-loadbalancer/50dc6c495c0c9188 ${client} 10.0.0.1:80 0.086 0.048 0.037 200 200 0 57 "GET https://www.example.com:443/a?b HTTP/2.0" "curl/7.46.0" - - arn "Root=1" "-" "-" 1 2026-01-05T10:00:01.812345Z "forward" "-"`,
    `2026-01-05T10:00:01.812Z ${address} GET /a 200`,
  ]),
  [
    "cloudfront",
    "#Version: 1.0\n#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query time-taken\n2026-01-05\t10:00:03\tLAX1\t2390282\t192.0.2.7\tGET\td111111abcdef8.cloudfront.net\t/view/a\t200\t-\tMozilla/4.0%20(compatible)\t-\t1.100",
    "2026-01-05T10:00:02.000Z 192.0.2.7 GET /view/a 200",
  ],
  [
    "iis",
    "#Software: Microsoft Internet Information Services 10.0\n#Version: 1.0\n#Date: 2026-01-05 10:00:01\n#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) sc-status time-taken\n2026-01-05 10:00:01 198.51.100.1 GET /images/a.jpg - 80 - 192.0.2.7 Mozilla/4.0+(compatible) 200 46",
    "2026-01-05T10:00:01.000Z 192.0.2.7 GET /images/a.jpg 200",
  ],
  [
    "w3c",
    "#Version: 1.0\n#Fields: date time c-ip cs-method cs-uri sc-status\n2026-01-05 10:00:01 192.0.2.7 GET /a?b 200",
    "2026-01-05T10:00:01.000Z 192.0.2.7 GET /a 200",
  ],
  [
    "nginx",
    '{"time_iso8601":"2026-01-05T10:00:02+00:00","msec":"1767607202.250","remote_addr":"192.0.2.7","request":"GET /a?b HTTP/1.1","status":"200","request_time":"0.250","http_user_agent":"curl/8.5.0"}',
    "2026-01-05T10:00:02.000Z 192.0.2.7 GET /a 200",
  ],
  [
    "caddy",
    '{"level":"info","ts":1767607202.5,"logger":"http.log.access.log0","msg":"handled request","request":{"remote_ip":"192.0.2.7","remote_port":"41342","client_ip":"192.0.2.7","proto":"HTTP/2.0","method":"GET","host":"example.com","uri":"/a?b","headers":{"User-Agent":["curl/8.5.0"]}},"bytes_read":0,"user_id":"","duration":0.5,"size":10900,"status":200,"resp_headers":{}}',
    "2026-01-05T10:00:02.000Z 192.0.2.7 GET /a 200",
  ],
  ...(
    [
      ["12.5ms", "02.112"],
      ["1m0.5s", "01.625"],
      ["250µs", "02.124"],
    ] as const
  ).map(([duration, second]): (typeof LINES)[number] => [
    "caddy",
    `{"level":"info","ts":1767607${duration === "1m0.5s" ? 262 : 202}.125,"logger":"http.log.access","request":{"remote_ip":"192.0.2.7","method":"GET","uri":"/a"},"duration":"${duration}","status":200}`,
    `2026-01-05T10:00:${second}Z 192.0.2.7 GET /a 200`,
  ]),
  [
    "traefik",
    '{"ClientAddr":"192.0.2.7:40126","ClientHost":"192.0.2.7","ClientPort":"40126","ClientUsername":"-","DownstreamContentSize":2099,"DownstreamStatus":200,"Duration":1811271,"RequestHost":"example.com","RequestMethod":"GET","RequestPath":"/a?b","StartUTC":"2026-01-05T10:00:01.503803974Z","entryPointName":"https","level":"info","msg":"","request_User-Agent":"curl/8.5.0","time":"2026-01-05T10:00:01Z"}',
    "2026-01-05T10:00:01.503Z 192.0.2.7 GET /a 200",
  ],
  [
    "kong",
    '{"response":{"size":9982,"status":200,"headers":{"content-type":"text/html"}},"route":{"id":"a"},"client_ip":"192.0.2.7","latencies":{"request":515,"kong":58,"proxy":457},"request":{"uri":"/a?b","url":"http://localhost:8000/a?b","method":"GET","headers":{"host":"localhost","user-agent":"curl/8.5.0"},"size":"138"},"started_at":1767607201123}',
    "2026-01-05T10:00:01.123Z 192.0.2.7 GET /a 200",
  ],
  [
    "envoy",
    '{"start_time":"2026-01-05T10:00:01.310Z","method":"GET","path":"/a?b","protocol":"HTTP/2","response_code":200,"duration":226,"downstream_remote_address":"192.0.2.7:50412","user_agent":"curl/8.5.0","authority":"example.com"}',
    "2026-01-05T10:00:01.310Z 192.0.2.7 GET /a 200",
  ],
  [
    "envoy-text",
    '[2026-01-05T10:00:01.310Z] "POST /a HTTP/2" 204 - 154 0 226 100 "192.0.2.7, 198.51.100.1" "nsq2http" "cc21d9b0-cf5c-432b-8c7e-98aeb7988cd2" "locations" "tcp://10.0.2.1:80"',
    "2026-01-05T10:00:01.310Z 192.0.2.7 POST /a 204",
  ],
  [
    "cloudflare",
    '{"ClientIP":"192.0.2.7","ClientRequestHost":"example.com","ClientRequestMethod":"GET","ClientRequestURI":"/a?b","EdgeEndTimestamp":1767607202000000000,"EdgeResponseStatus":200,"EdgeStartTimestamp":1767607201280000000,"RayID":"3a6050bcbe121a87"}',
    "2026-01-05T10:00:01.280Z 192.0.2.7 GET /a 200",
  ],
  [
    "cloudflare",
    '{"ClientIP":"2001:db8::7","ClientRequestMethod":"GET","ClientRequestPath":"/a","EdgeResponseStatus":200,"EdgeStartTimestamp":"2026-01-05T10:00:01Z","RayID":"3a6050bcbe121a87"}',
    "2026-01-05T10:00:01.000Z 2001:db8::7 GET /a 200",
  ],
  [
    "ndjson",
    '{"@timestamp":"2026-01-05T10:00:01.5Z","client":{"ip":"192.0.2.7"},"http.method":"GET","url":{"path":"/caf\\u00e9"},"status_code":200}',
    "2026-01-05T10:00:01.500Z 192.0.2.7 GET /café 200",
  ],
  [
    "ndjson",
    '{"time": "17/May/2026:08:05:31 +0000", "remote_ip": "192.0.2.7", "request": "GET /a HTTP/1.1", "response": 304, "status": 304}',
    "2026-05-17T08:05:31.000Z 192.0.2.7 GET /a 304",
  ],
  [
    "caddy",
    '  {"ts":1767607202,"request": {"remote_ip":"192.0.2.7","method":"GET","uri":"/a"},"status":200}',
    "2026-01-05T10:00:02.000Z 192.0.2.7 GET /a 200",
  ],
  [
    "csv",
    'Time,Client IP,Method,Path,Status\n2026-01-05 10:00:01.25,192.0.2.7,GET,"/a,b",200',
    "2026-01-05T10:00:01.250Z 192.0.2.7 GET /a,b 200",
  ],
  [
    "csv",
    'time,ip,method,path,status\n2026-01-05T10:00:01.25Z,"192.0.2.7",GET,"/a""b"",c",200',
    '2026-01-05T10:00:01.250Z 192.0.2.7 GET /a"b",c 200',
  ],
];

test.each(LINES)(
  "%s is found by itself, and read as its documentation describes",
  (name, log, expected) => {
    const format = formatIn(log.split("\n"));
    expect(format?.name).toBe(name);
    expect(read(format!, log, ALL)).toBe(expected);
  },
);

test("the format is that of most lines, and a user whose name has a space is no client", () => {
  const formatName = (...lines: readonly string[]) => formatIn(lines)?.name;
  expect(formatName("starting", '{"level":"info"}', COMBINED, COMBINED)).toBe("combined");
  expect(formatName(`2001:db8::7 - alice smith ${COMBINED.slice(20)}`)).toBeUndefined();
  expect(formatName("starting", "stopping")).toBeUndefined();
});

test("every format but HAR and Parquet, which are no text of lines, has such a line", () => {
  const names = new Set([...LINES.map(([name]) => name), "har", "parquet"]);
  expect([...names].toSorted()).toEqual(FORMATS.map(({ name }) => name).toSorted());
});

const NGINX = `log_format main '$remote_addr - $remote_user [$time_local] "$request" '
  '$status $body_bytes_sent rt=$request_time "$http_x_api_key"';`;
const NGINX_LINE =
  '192.0.2.7 - - [05/Jan/2026:10:00:05 +0000] "GET /a HTTP/1.1" 200 5 rt=3.000 "k1"';
const APACHE = String.raw`LogFormat "%h %l %u %t \"%r\" %>s %b \"%{User-agent}i\" %D" mine`;
const APACHE_LINE =
  '192.0.2.7 - - [05/Jan/2026:10:00:05 +0000] "GET /a HTTP/1.1" 200 5 "a \\" b" 99';

test.each([
  [NGINX, NGINX_LINE, "ip+header:X-Api-Key", "2026-01-05T10:00:02.000Z 192.0.2.7 k1"],
  [
    '$time_local $remote_addr "$request"',
    '05/Jan/2026:10:00:01 +0200 192.0.2.7 "GET /a HTTP/1.1"',
    "ip+path",
    "2026-01-05T08:00:01.000Z 192.0.2.7 /a",
  ],
  ["$msec ${remote_addr}", "1767607205.250 192.0.2.7", "ip", "2026-01-05T10:00:05.250Z 192.0.2.7"],
  [APACHE, APACHE_LINE, "status+header:user-agent", '2026-01-05T10:00:05.000Z 200 a \\" b'],
  [
    "%{begin:msec}t %a",
    "1767607205250 192.0.2.7",
    "field:%a",
    "2026-01-05T10:00:05.250Z 192.0.2.7",
  ],
])("the server's own format %s reads its lines", (text, line, key, expected) => {
  expect(read(requireValue(formatOfText(text)), line, key)).toBe(expected);
});

test.each([
  ["no column", "it has no columns, such as $remote_addr or %h"],
  ["$remote_addr$request", "nothing is between remote_addr and request"],
])("%s is no format", (text, why) => {
  const format = formatOfText(text);
  expect(isFailure(format) ? format.message : "").toContain(why);
});

test.each([
  ["header:User-Agent", 'Mozilla/5.0 \\"x\\" (X11)'],
  ["user", "alice"],
  ["field:request", "GET /a?b=1 HTTP/1.1"],
  ["field:missing", "no column has field:missing"],
])("a client of a combined log may be its %s", (key, expected) => {
  expect(read(formatIn([COMBINED])!, COMBINED, key)).toContain(expected);
});

test.each([
  ['192.0.2.7 - - [05/Jan/2026:10:00:01 +0000] "GET /', "unreadable"],
  ['192.0.2.7 - - [31/Feb/2026:10:00:01 +0000] "GET / HTTP/1.1" 200 1', "unreadable"],
  ['192.0.2.7 - - [05/Jan/2026:25:00:01 +0000] "GET / HTTP/1.1" 200 1', "unreadable"],
  ['- - - [05/Jan/2026:10:00:01 +0000] "GET / HTTP/1.1" 200 1', "without key"],
])("%s is %s", (line, outcome) => {
  const format = FORMATS.find(({ name }) => name === "common")!;
  expect(read(format, line, "ip+status")).toBe(outcome);
});

test.each([
  ["status = 404", true],
  ["status == 404", true],
  ["status != 404", false],
  ["status in (401, 404)", true],
  ["status not in (401,404)", false],
  ["status >= 400", true],
  ["status < 400", false],
  ["path ~ ^/a", true],
  ['path !~ "^/a"', false],
  ["header:Referer = none", false],
  ["method=GET", true],
])("the condition %s is %s of a request", (text, expected) => {
  const { selector, accepts } = requireValue(parseCondition(text));
  const values: Readonly<Record<string, string>> = { status: "404", path: "/a/b", method: "GET" };
  expect(accepts(values[selector.name] ?? null)).toBe(expected);
});

test.each(["status", "colour = 1", "status in 401", "status > many", "path ~ ["])(
  "%s is no condition",
  (text) => {
    expect(isFailure(parseCondition(text))).toBe(true);
  },
);

test.each(["A", "a:1", "1:", "a ", "[", '"', '\\"', "{", "- "])(
  "a line of nothing but %j is tried by every format within a second",
  (text) => {
    const line = text.repeat(2 ** 17);
    const startMs = performance.now();
    for (const { recognises } of FORMATS) recognises([line]);
    expect(performance.now() - startMs).toBeLessThan(1000);
  },
);
