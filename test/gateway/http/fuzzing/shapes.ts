// Shapes of requests that servers have read differently, each with where it is from and what the gateway does with it:
// a status, after which nothing of the connection is taken for a request; "reads", as the strict reader does, and then what
// follows; or "closes": it may read the shape, and nothing of what follows. `^p` and `^g` are heads that want more lines, `^c` is
// the header of chunks.

export interface Shape {
  readonly name: string;
  readonly source: string;
  readonly expected: "reads" | "closes" | number;
  readonly bytes: string;
}

const TABLE = String.raw`
length and chunks                | RFC 9112, 6.1; CVE-2019-20445 Netty     | 400    | ^pContent-Length: 6\r\n^c\r\n0\r\n\r\nX
chunks and length                | RFC 9112, 6.1; CVE-2020-10109 Twisted   | 400    | ^p^cContent-Length: 6\r\n\r\n0\r\n\r\nX
two lengths                      | RFC 9112, 6.3; CVE-2020-10108 Twisted   | 400    | ^pContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd
one length twice                 | RFC 9110, 8.6; CVE-2017-7658 Jetty      | 400    | ^pContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc
a list of lengths                | RFC 9110, 8.6                           | 400    | ^pContent-Length: 3, 3\r\n\r\nabc
a length with a sign             | CVE-2021-32715 hyper, CVE-2023-40167 Jetty | 400 | ^pContent-Length: +3\r\n\r\nabc
a negative length                | CVE-2020-15049 Squid                    | 400    | ^pContent-Length: -3\r\n\r\nabc
a hexadecimal length             | CVE-2023-38697 protocol-http1           | 400    | ^pContent-Length: 0x3\r\n\r\nabc
a length with an underscore      | GHSA-753j-mpmx-qq6g Tornado             | 400    | ^pContent-Length: 0_3\r\n\r\nabc
an empty length                  | CVE-2023-40225 HAProxy                  | 400    | ^pContent-Length:\r\n\r\n
a length beyond all numbers      | RFC 9110, 8.6                           | 400    | ^pContent-Length: 99999999999999999999999\r\n\r\n
a length that is 3 in 64 bits    | RFC 9110, 8.6                           | 400    | ^pContent-Length: 18446744073709551619\r\n\r\nabc
a length in two parts            | RFC 9110, 8.6                           | 400    | ^pContent-Length: 3 3\r\n\r\nabc
a length with a parameter        | RFC 9110, 8.6                           | 400    | ^pContent-Length: 3;a\r\n\r\nabc
a length with a fraction         | RFC 9110, 8.6                           | 400    | ^pContent-Length: 3.0\r\n\r\nabc
a vertical tab behind a length   | CVE-2019-16789 Waitress                 | 400    | ^pContent-Length: 3\x0b\r\n\r\nabc
a no-break space before a length | RFC 9110, 5.6.3                         | 400    | ^pContent-Length: \xa03\r\n\r\nabc
a full-width length              | CVE-2022-24801 Twisted                  | 400    | ^pContent-Length: \xef\xbc\x93\r\n\r\nabc
a body of GET                    | RFC 9110, 9.3.1; "HTTP/1.1 must die", 2025 | reads | ^gContent-Length: 3\r\n\r\nabc
a blank before a length          | CVE-2024-27982 Node                     | 400    | GET /open HTTP/1.1\r\n Content-Length: 3\r\nHost: g\r\n\r\nabc
a blank before the colon         | CVE-2021-22959 Node                     | 400    | ^pContent-Length : 3\r\n\r\nabc
a tab before the colon           | RFC 9112, 5.1                           | 400    | ^pContent-Length\t: 3\r\n\r\nabc
NUL before the colon             | RFC 9112, 5.1                           | 400    | ^pContent-Length\0: 3\r\n\r\nabc
a name beyond a counter          | CVE-2021-40346 HAProxy                  | reads  | ^pContent-Length0^a:\r\nContent-Length: 3\r\n\r\nabc
a name that is empty             | CVE-2023-25725 HAProxy                  | 400    | ^p: x\r\n^c\r\n0\r\n\r\n
a header without a colon         | CVE-2019-20444 Netty                    | 400    | ^pTransfer-Encoding\r\n\r\n
a folded header                  | RFC 9112, 5.2                           | 400    | ^pX-A: b\r\n Transfer-Encoding: chunked\r\n\r\n
a folded coding                  | CVE-2022-32215 Node                     | 400    | ^pTransfer-Encoding:\r\n\tchunked\r\n\r\n0\r\n\r\n
a coding folded behind another   | CVE-2022-32215 Node                     | 400    | ^pTransfer-Encoding: chunked\r\n , identity\r\n\r\n0\r\n\r\n
a name that is folded            | HTTP Desync Attacks, 2019               | 400    | ^pTransfer-Encoding\r\n : chunked\r\n\r\n0\r\n\r\n
a coding that is unknown         | HTTP Desync Attacks, 2019               | 501    | ^pTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n
a coding before chunked          | RFC 9112, 6.1                           | 501    | ^pTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n
chunked twice                    | CVE-2020-8287 Node                      | 400    | ^p^c^c\r\n0\r\n\r\n
chunked twice in one             | RFC 9112, 7.1                           | 400    | ^pTransfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n
chunked not last                 | CVE-2021-33037 Tomcat                   | 400    | ^pTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n
identity                         | CVE-2021-33037 Tomcat                   | 501    | ^pTransfer-Encoding: identity\r\n\r\n
identity and a length            | CVE-2024-1135 Gunicorn                  | 400    | ^pTransfer-Encoding: identity\r\nContent-Length: 3\r\n\r\nabc
no coding and a length           | RFC 9112, 6.1                           | 400    | ^pTransfer-Encoding:\r\nContent-Length: 3\r\n\r\nabc
a vertical tab behind chunked    | CVE-2019-16789 Waitress, CVE-2022-1705 Go | 400  | ^pTransfer-Encoding: chunked\x0b\r\n\r\n0\r\n\r\n
a vertical tab before chunked    | CVE-2019-16789 Waitress                 | 400    | ^pTransfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n
NUL behind chunked               | RFC 9110, 5.5                           | 400    | ^pTransfer-Encoding: chunked\0\r\n\r\n0\r\n\r\n
chunked in quotes                | HTTP Desync Attacks, 2019               | 501    | ^pTransfer-Encoding: "chunked"\r\n\r\n0\r\n\r\n
a parameter of chunked           | RFC 9112, 7                             | 501    | ^pTransfer-Encoding: chunked;q=1\r\n\r\n0\r\n\r\n
a comma behind chunked           | RFC 9110, 5.6.1                         | 400    | ^pTransfer-Encoding: chunked,\r\n\r\n0\r\n\r\n
a blank before the colon of codings | CVE-2019-16869 Netty, CVE-2019-16276 Go | 400 | ^pTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n
no blank behind the colon        | RFC 9112, 5                             | reads  | ^pTransfer-Encoding:chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n
a tab behind the colon           | RFC 9112, 5; CVE-2020-7238 Netty        | reads  | ^pTransfer-Encoding:\tchunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n
capital letters                  | RFC 9112, 7                             | reads  | ^pTRANSFER-ENCODING: CHUNKED\r\n\r\n3\r\nabc\r\n0\r\n\r\n
an underscore in the name        | nginx, underscores_in_headers, 2011     | reads  | ^pTransfer_Encoding: chunked\r\nContent-Length: 3\r\n\r\nabc
chunks in HTTP/1.0               | RFC 9112, 6.1                           | 400    | POST /open HTTP/1.0\r\n^c\r\n0\r\n\r\n
CR in a name                     | CVE-2020-8201 Node                      | 400    | ^pTransfer\rEncoding: chunked\r\n\r\n0\r\n\r\n
a coding behind LF alone         | HTTP Desync Attacks, 2019               | 400    | ^pX: x\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n
lines ended by LF alone          | RFC 9112, 2.2; CVE-2019-16785 Waitress  | 400    | POST /open HTTP/1.1\nHost: g\n\n
a header ended by LF alone       | CVE-2022-32214 Node                     | 400    | POST /open HTTP/1.1\r\nHost: g\nContent-Length: 0\r\n\r\n
a head ended by LF alone         | RFC 9112, 2.2                           | 400    | POST /open HTTP/1.1\r\nHost: g\r\n\n
a header ended by CR alone       | CVE-2023-30589 Node                     | 400    | POST /open HTTP/1.1\r\nHost: g\rX: y\r\n\r\n
a head ended by CR and a letter  | CVE-2025-23167 Node                     | 400    | ^p\rXContent-Length: 3\r\n\r\nabc
NUL in a value                   | RFC 9110, 5.5                           | 400    | ^pX-A: b\0c\r\n\r\n
a control character in a value   | RFC 9110, 5.5                           | 400    | ^pX-A: b\x01c\r\n\r\n
DEL in a value                   | RFC 9110, 5.5                           | 400    | ^pX-A: b\x7fc\r\n\r\n
a name that is none              | RFC 9112, 5.1                           | 400    | ^pX(A): b\r\n\r\n
a name beyond ASCII              | RFC 9112, 5.1                           | 400    | ^pX-\xe9: b\r\n\r\n
a value beyond ASCII             | RFC 9110, 5.5                           | reads  | ^gX-A: \xe9\xff\r\n\r\n
blanks around a value            | CVE-2019-18802 Envoy                    | reads  | ^gX-A: \t b \t \r\n\r\n
a blank before the first header  | RFC 9112, 2.2                           | 400    | POST /open HTTP/1.1\r\n Host: g\r\n\r\n
a tab before the first header    | RFC 9112, 2.2                           | 400    | POST /open HTTP/1.1\r\n\tHost: g\r\n\r\n
two hosts                        | RFC 9112, 3.2                           | 400    | ^pHost: other\r\nContent-Length: 0\r\n\r\n
one host twice                   | RFC 9112, 3.2                           | 400    | ^pHost: g\r\nContent-Length: 0\r\n\r\n
no host                          | RFC 9112, 3.2                           | 400    | POST /open HTTP/1.1\r\nContent-Length: 0\r\n\r\n
a host that is none              | RFC 9112, 3.2                           | 400    | POST /open HTTP/1.1\r\nHost: a/b\r\n\r\n
a host with a user               | RFC 9110, 4.2.4                         | 400    | POST /open HTTP/1.1\r\nHost: a@g\r\n\r\n
another host in the target       | RFC 9112, 3.2.2                         | reads  | GET http://other/open HTTP/1.1\r\nHost: g\r\n\r\n
no version                       | CVE-2017-7656 Jetty                     | 400    | GET /open\r\n\r\n
another protocol                 | RFC 9112, 2.3                           | 400    | GET /open HTTP/3.7\r\nHost: g\r\n\r\n
HTTP/2.0 in words                | RFC 9112, 2.3                           | 400    | GET /open HTTP/2.0\r\nHost: g\r\n\r\n
HTTP/0.9                         | CVE-2017-7656 Jetty                     | 400    | GET /open\r\nHost: g\r\n\r\n
a later version                  | RFC 9112, 2.3                           | 400    | GET /open HTTP/1.2\r\nHost: g\r\n\r\n
a version of three digits        | RFC 9112, 2.3                           | 400    | GET /open HTTP/1.10\r\nHost: g\r\n\r\n
a version in small letters       | RFC 9112, 2.3                           | 400    | GET /open http/1.1\r\nHost: g\r\n\r\n
a blank behind the version       | RFC 9112, 3; CVE-2016-8743 Apache       | 400    | GET /open HTTP/1.1 \r\nHost: g\r\n\r\n
HTTP/2                           | RFC 9113, 3.4                           | 400    | PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n
no HTTP at all                   | RFC 9112, 2.2                           | 400    | \x16\x03\x01\x02\x00\x01\x00
two blanks                       | RFC 9112, 3; CVE-2016-8743 Apache       | reads  | GET  /open HTTP/1.1\r\nHost: g\r\n\r\n
tabs for blanks                  | RFC 9112, 3; CVE-2016-8743 Apache       | 400    | GET\t/open\tHTTP/1.1\r\nHost: g\r\n\r\n
a blank before the method        | RFC 9112, 3                             | 400    | \x20GET /open HTTP/1.1\r\nHost: g\r\n\r\n
a blank in the target            | CVE-2013-4547 nginx                     | 400    | GET /open /x HTTP/1.1\r\nHost: g\r\n\r\n
NUL in the target                | CVE-2013-4547 nginx                     | 400    | GET /open\0x HTTP/1.1\r\nHost: g\r\n\r\n
a control character in the target | CVE-2017-2666 Undertow                 | 400    | GET /open\x01x HTTP/1.1\r\nHost: g\r\n\r\n
a byte beyond ASCII in the target | RFC 9112, 3.2                          | 400    | GET /open\xff HTTP/1.1\r\nHost: g\r\n\r\n
an encoded line in the target    | CVE-2023-25690 Apache                   | reads  | GET /open/%20HTTP/1.1%0d%0aX:%20y HTTP/1.1\r\nHost: g\r\n\r\n
a target that is none            | RFC 9112, 3.2                           | 400    | GET open HTTP/1.1\r\nHost: g\r\n\r\n
a target of another scheme       | RFC 9112, 3.2.2                         | 400    | GET ftp://g/open HTTP/1.1\r\nHost: g\r\n\r\n
a target with a user             | RFC 9110, 4.2.4                         | 400    | GET http://a@g/open HTTP/1.1\r\nHost: g\r\n\r\n
an asterisk for GET              | RFC 9112, 3.2.4                         | 400    | GET * HTTP/1.1\r\nHost: g\r\n\r\n
CONNECT                          | RFC 9110, 9.3.6                         | 501    | CONNECT g:80 HTTP/1.1\r\nHost: g\r\n\r\n
a method in small letters        | RFC 9110, 9.1                           | 400    | get /open HTTP/1.1\r\nHost: g\r\n\r\n
a method that is none            | RFC 9110, 9.1                           | 400    | G(T /open HTTP/1.1\r\nHost: g\r\n\r\n
empty lines before a request     | RFC 9112, 2.2                           | reads  | \r\n\r\n\r\n^g\r\n
a line behind a body             | RFC 9112, 2.2                           | reads  | ^pContent-Length: 3\r\n\r\nabc\r\n
a chunk ended by LF alone        | CVE-2025-22871 Go                       | 400    | ^p^c\r\n3\nabc\r\n0\r\n\r\n
an extension ended by LF alone   | CVE-2025-55315 Kestrel, CVE-2021-22960 Node | 400 | ^p^c\r\n3;x\nabc\r\n0\r\n\r\n
an extension with CR             | RFC 9112, 7.1.1; CVE-2022-24761 Waitress | 400   | ^p^c\r\n3;x\ry\r\nabc\r\n0\r\n\r\n
an extension with NUL            | RFC 9112, 7.1.1                         | 400    | ^p^c\r\n3;x\0y\r\nabc\r\n0\r\n\r\n
an extension                     | RFC 9112, 7.1.1                         | reads  | ^p^c\r\n3;name=value\r\nabc\r\n0\r\n\r\n
an extension in quotes           | RFC 9112, 7.1.1                         | reads  | ^p^c\r\n3;name="a;b"\r\nabc\r\n0;x\r\n\r\n
extensions without end           | CVE-2024-22019 Node, CVE-2024-21647 Puma | 413   | ^p^c\r\n3;^x\r\nabc\r\n0\r\n\r\n
a chunk longer than it says      | RFC 9112, 7.1                           | 400    | ^p^c\r\n3\r\nabcd\r\n0\r\n\r\n
a chunk shorter than it says     | RFC 9112, 7.1                           | 400    | ^p^c\r\n3\r\nab\r\n0\r\n\r\n
a chunk without its end          | RFC 9112, 7.1                           | 400    | ^p^c\r\n3\r\nabc0\r\n\r\n
two letters for the end of a chunk | RFC 9112, 7.1                         | 400    | ^p^c\r\n3\r\nabcXX0\r\n\r\n
LF alone behind a chunk          | RFC 9112, 7.1                           | 400    | ^p^c\r\n3\r\nabc\n0\r\n\r\n
CR alone behind a chunk          | RFC 9112, 7.1                           | 400    | ^p^c\r\n3\r\nabc\r0\r\n\r\n
a chunk of no number             | RFC 9112, 7.1                           | 400    | ^p^c\r\ng\r\nabc\r\n0\r\n\r\n
a chunk without a size           | RFC 9112, 7.1                           | 400    | ^p^c\r\n\r\nabc\r\n0\r\n\r\n
a chunk beyond all numbers       | CVE-2021-32714 hyper, CVE-2017-7657 Jetty | 400  | ^p^c\r\nfffffffffffffffff\r\nabc\r\n0\r\n\r\n
a chunk that is 3 in 64 bits     | CVE-2017-7657 Jetty                     | 400    | ^p^c\r\n10000000000000003\r\nabc\r\n0\r\n\r\n
a chunk of 0x3                   | CVE-2022-24801 Twisted                  | 400    | ^p^c\r\n0x3\r\nabc\r\n0\r\n\r\n
a chunk with a sign              | CVE-2023-38697 protocol-http1           | 400    | ^p^c\r\n+3\r\nabc\r\n0\r\n\r\n
a negative chunk                 | CVE-2022-24801 Twisted                  | 400    | ^p^c\r\n-3\r\nabc\r\n0\r\n\r\n
a chunk with an underscore       | GHSA-753j-mpmx-qq6g Tornado             | 400    | ^p^c\r\n0_3\r\nabc\r\n0\r\n\r\n
a blank before the size          | RFC 9112, 7.1                           | 400    | ^p^c\r\n 3\r\nabc\r\n0\r\n\r\n
a blank behind the size          | RFC 9112, 7.1                           | 400    | ^p^c\r\n3 \r\nabc\r\n0\r\n\r\n
zeros before the size            | RFC 9112, 7.1                           | reads  | ^p^c\r\n0000003\r\nabc\r\n000\r\n\r\n
trailers                         | RFC 9110, 6.5                           | reads  | ^p^c\r\n3\r\nabc\r\n0\r\nX-T: v\r\n\r\n
a trailer without a colon        | RFC 9112, 7.1.2                         | 400    | ^p^c\r\n3\r\nabc\r\n0\r\nX-T\r\n\r\n
a folded trailer                 | RFC 9112, 5.2                           | 400    | ^p^c\r\n3\r\nabc\r\n0\r\nX-T: v\r\n w\r\n\r\n
a trailer ended by LF alone      | RFC 9112, 2.2                           | 400    | ^p^c\r\n3\r\nabc\r\n0\r\nX-T: v\n\r\n
no trailers and LF alone         | RFC 9112, 7.1.2                         | 400    | ^p^c\r\n3\r\nabc\r\n0\r\n\n
a request for trailers           | RFC 9112, 7.1.2                         | 400    | ^p^c\r\n3\r\nabc\r\n0\r\n
the end of the connection        | RFC 9112, 9.6                           | closes | ^gConnection: close\r\n\r\n
the end among other options      | RFC 9112, 9.6                           | closes | ^gConnection: x, Close\r\n\r\n
HTTP/1.0                         | RFC 9112, 9.3                           | closes | GET /open HTTP/1.0\r\n\r\n
the end beside its opposite in HTTP/1.0 | RFC 9112, 9.3                    | closes | GET /open HTTP/1.0\r\nConnection: keep-alive\r\nConnection: close\r\n\r\n
the end before its opposite in HTTP/1.0 | RFC 9112, 9.3                    | closes | GET /open HTTP/1.0\r\nConnection: Close, keep-alive\r\n\r\n
HTTP/1.0 that a proxy would keep | RFC 9112, C.2.2                         | closes | GET /open HTTP/1.0\r\nProxy-Connection: keep-alive\r\n\r\n
HTTP/1.0 that stays              | RFC 9112, 9.3                           | reads  | GET /open HTTP/1.0\r\nConnection: keep-alive\r\n\r\n
a length for this connection only | RFC 9110, 7.6.1                        | reads  | ^pConnection: Content-Length\r\nContent-Length: 3\r\n\r\nabc
a coding for this connection only | RFC 9110, 7.6.1                        | reads  | ^pConnection: Transfer-Encoding\r\n^c\r\n3\r\nabc\r\n0\r\n\r\n
an expectation                   | RFC 9110, 10.1.1                        | reads  | ^pExpect: 100-continue\r\nContent-Length: 3\r\n\r\nabc
an expectation that is none      | "HTTP/1.1 must die", 2025               | 417    | ^pExpect: y 100-continue\r\nContent-Length: 3\r\n\r\nabc
an upgrade to websocket          | RFC 6455, 4.1                           | 501    | ^gConnection: upgrade\r\nUpgrade: websocket\r\n\r\n
an upgrade to HTTP/2             | RFC 9110, 7.8                           | closes | ^gConnection: upgrade\r\nUpgrade: h2c\r\n\r\n
`;

const ABBREVIATIONS: Readonly<Record<string, string>> = {
  p: "POST /open HTTP/1.1\r\nHost: g\r\n",
  g: "GET /open HTTP/1.1\r\nHost: g\r\n",
  c: "Transfer-Encoding: chunked\r\n",
  a: "a".repeat(256),
  x: "x".repeat(17_000),
};
const CONTROLS: Readonly<Record<string, string>> = { r: "\r", n: "\n", t: "\t", 0: "\0" };

const bytesOf = (text: string): string =>
  text
    .replaceAll(/\^([pgcax])/g, (_, name: string) => ABBREVIATIONS[name]!)
    .replaceAll(/\\(?:x([0-9a-f]{2})|([rnt0]))/g, (_, hex: string | undefined, name: string) =>
      hex === undefined ? CONTROLS[name]! : String.fromCharCode(Number.parseInt(hex, 16)),
    );

const expectation = (text: string): Shape["expected"] =>
  text === "reads" || text === "closes" ? text : Number(text);

export const SHAPES: readonly Shape[] = TABLE.trim()
  .split("\n")
  .map((line) => {
    const [name = "", source = "", expected = "", ...bytes] = line.split(" | ");
    return {
      name: name.trim(),
      source: source.trim(),
      expected: expectation(expected.trim()),
      bytes: bytesOf(bytes.join(" | ").replace(/^ +/, "")),
    };
  });
