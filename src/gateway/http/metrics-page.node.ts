// The page of a gateway that Prometheus reads.
import { Registry } from "prom-client";
import { misdirected, strangeHost, type OwnHosts } from "./hosts.node.ts";
import { answerPage, readOnly, type OwnPage } from "./own-pages.node.ts";

const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/;

/** `loopback`: a stranger learns no more than from any path that leads nowhere. */
export const metricsPage = (
  text: () => Promise<string>,
  access: "loopback" | "everyone",
  hosts: OwnHosts | null = null, // null: whoever serves it knows by which it is addressed
): OwnPage => {
  // It takes milliseconds: requests at one time share one text.
  let running: Promise<string> | null = null;
  const textOnce = (): Promise<string> =>
    (running ??= text().finally(() => {
      running = null;
    }));
  return readOnly((from, to) => {
    const strange = hosts === null ? null : strangeHost(from, hosts);
    if (strange !== null) {
      answerPage(from, to, 421, JSON.stringify({ error: misdirected(strange) }));
      return;
    }
    if (access === "loopback" && !LOOPBACK.test(from.socket.remoteAddress ?? "")) {
      answerPage(from, to, 404, '{"error":"Not Found"}');
      return;
    }
    textOnce().then(
      (said) => answerPage(from, to, 200, said, METRICS_TYPE),
      () => answerPage(from, to, 503, '{"error":"Metrics cannot be read now"}'),
    );
  });
};
