// The configurations that docs/answer/diff.md compares on the sample logs.
import { sampleLogs } from "./sample-logs.ts";

const nginx = (rate: string, burst: number): string => `geo $counted {
  default 1;
  203.0.113.0/26 0; # the office and its neighbours
}
map $counted $address {
  1 $binary_remote_addr;
  0 "";
}
limit_req_zone $binary_remote_addr zone=all:10m rate=10r/s;
limit_req_zone $address zone=items:10m rate=${rate};
limit_req_status 429;
limit_conn_zone $binary_remote_addr zone=connections:10m;
server {
  listen 80;
  limit_req zone=all burst=50 nodelay;
  limit_conn connections 20;
  location /items {
    limit_req zone=items burst=${burst} nodelay;
    proxy_pass http://app;
  }
}
`;

export const sampleConfigurations: Readonly<Record<string, string>> = {
  ...sampleLogs,
  "nginx.conf": nginx("180r/m", 20),
  "nginx.new.conf": nginx("120r/m", 20),
};
