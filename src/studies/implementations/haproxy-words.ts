// What random configurations of HAProxy, and their requests, are made of.

export const ADDRESSES = ["127.0.1.1", "127.0.1.2", "127.0.2.1", "127.9.0.1"] as const;
export const HOSTS = ["first.test", "second.test", "API.second.test:80"] as const;
export const PLANS = ["free", "gold", "GOLD", "longlonglong", "longlongother", "a, b"] as const;
export const TARGETS = [
  "/",
  "/login",
  "/Login",
  "/login/",
  "/api/users?user=a",
  "/api/users?user=b&x=1",
  "/api/v2/users",
  "/a/login/b",
  "/static/x.css",
  "/api/x.css?user=a",
  "/%6cogin",
  "//login",
  "/search?q=login",
] as const;

/** Keys for tables of strings. */
export const KEYS = [
  "req.hdr(x-plan)",
  "hdr(x-plan)",
  "hdr(x-plan,1)",
  "req.hdr(x-plan),lower",
  "req.fhdr(x-plan)",
  "req.hdr(x-forwarded-for,-1)",
  "path",
  "path,lower",
  "url",
  "base",
  "query",
  "pathq",
  "method",
  "urlp(user)",
  "url_param(user)",
  "req.cook(sid)",
  "hdr(host)",
  "hdr(host),lower",
  "hdr(host),host_only",
  "path,field(2,/)",
  "path,word(1,/)",
  "path,bytes(0,4)",
  "req.hdr(x-plan),upper",
  "path,regsub(/+,/,g)",
  "path,url_dec",
  "src",
  "src,ipmask(24)",
  "str(everyone)",
  "var(txn.key)",
  "var(txn.text)",
  "base32",
] as const;

export const ADDRESS_KEYS = ["src", "src,ipmask(24)", "hdr_ip(x-forwarded-for)", "src"] as const;

export const BINARY_KEYS = ["base32+src", "src", "url32+src"] as const;

export const CONDITIONS = [
  "{ path_beg /api }",
  "{ path /login }",
  "{ path -i /login }",
  "{ path_dir login }",
  "{ path_end .css .js }",
  "{ path_sub log }",
  "{ path_reg ^/[a-z]+$ }",
  "{ path,lower -m beg /log }",
  "{ url_sub user=a }",
  "{ url_beg /api }",
  "{ method POST }",
  "METH_POST",
  "METH_GET",
  "{ hdr(host) -i first.test }",
  "{ hdr_beg(host) -i api. }",
  "{ hdr_dom(host) second.test }",
  "{ hdr(x-plan) gold }",
  "{ hdr(x-plan) -m str -i gold free }",
  "{ req.hdr(x-plan) -m found }",
  "{ hdr_len(x-plan) 4 }",
  "{ src 127.0.1.0/24 }",
  "{ src 127.9.0.1 127.0.2.1 }",
  "{ urlp(user) -m found }",
  "{ urlp(user) a }",
  "{ req.cook(sid) a }",
  "{ var(txn.key) -m str gold }",
  "{ var(txn.mark) -m bool }",
  "{ query -m sub q= }",
  "TRUE",
  "HTTP_1.1",
  "is_api",
  "is_api",
  "is_inside",
  "is_inside or is_api",
] as const;

export const REFUSALS = [
  "http-request deny deny_status 429",
  "http-request deny deny_status 429",
  "http-request deny",
  "http-request deny status 410",
  "http-request tarpit",
  "http-request tarpit deny_status 429",
  'http-request return status 429 content-type "text/plain" string "slow down"',
  "http-request reject",
  "http-request silent-drop",
] as const;
