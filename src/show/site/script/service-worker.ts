// The site without a network: pages that a reader has opened, and everything that the playground and the search need.
// With a network, pages are loaded from it, so that no page is outdated.

/** What the build adds before this script: paths from the root of the site, and a digest of all files. */
interface SiteContents {
  readonly version: string;
  readonly files: readonly string[];
  /** Paths that are loaded in advance. */
  readonly ahead: readonly string[];
}

/** The parts of a service worker's scope that this file uses. The types of pages, used in this folder, lack them. */
interface ServiceWorkerScope {
  readonly WEIR_SITE: SiteContents;
  readonly registration: { readonly scope: string };
  readonly skipWaiting: () => Promise<void>;
  readonly clients: { readonly claim: () => Promise<void> };
  readonly addEventListener: (
    type: "install" | "activate" | "fetch",
    listener: (event: ServiceWorkerEvent) => void,
  ) => void;
}

interface ServiceWorkerEvent {
  readonly request: Request;
  readonly waitUntil: (work: Promise<unknown>) => void;
  readonly respondWith: (response: Promise<Response>) => void;
}

const scope = globalThis as unknown as ServiceWorkerScope;
const { version, files, ahead } = scope.WEIR_SITE;
const PREFIX = "weir-site-";
const NAME = `${PREFIX}${version}`;
const known = new Set(files);

/** The path from the root of the site. For a folder, that of its index page. */
function pathOf({ url }: Request): string {
  const path = new URL(url).href.replace(/[?#].*$/s, "").slice(scope.registration.scope.length);
  return path === "" || path.endsWith("/") ? `${path}index.html` : path;
}

async function install(): Promise<void> {
  const cache = await caches.open(NAME);
  await cache.addAll(ahead.map((path) => `${scope.registration.scope}${path}`));
  await scope.skipWaiting();
}

async function removeOlder(): Promise<void> {
  for (const name of await caches.keys())
    if (name.startsWith(PREFIX) && name !== NAME) await caches.delete(name);
  await scope.clients.claim();
}

async function respond(request: Request): Promise<Response> {
  const address = `${scope.registration.scope}${pathOf(request)}`;
  const cache = await caches.open(NAME);
  try {
    const response = await fetch(request);
    if (response.ok && !response.redirected) await cache.put(address, response.clone());
    return response;
  } catch (error) {
    const cached = await cache.match(address);
    if (cached === undefined) throw error;
    return cached;
  }
}

scope.addEventListener("install", (event) => event.waitUntil(install()));
scope.addEventListener("activate", (event) => event.waitUntil(removeOlder()));
scope.addEventListener("fetch", (event) => {
  // Ignores everything else that the host serves.
  const { method, url } = event.request;
  if (
    method === "GET" &&
    url.startsWith(scope.registration.scope) &&
    known.has(pathOf(event.request))
  )
    event.respondWith(respond(event.request));
});
