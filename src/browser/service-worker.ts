// Service worker: serves pages from the network, or a cached copy with its date if the network is
// down or slow. site/service-worker-script.ts sends the text of `startServiceWorker` to the
// browser; this function therefore uses nothing from outside itself and has short names (at most
// 2.3 kB compressed).

/** Paths and messages of one language. */
export interface WorkerMessages {
  /**
   * Prefix of its paths, such as `/en`; '' for the default language, which comes last: it matches
   * every path.
   */
  readonly prefix: string;
  /** BCP 47 tag for dates. */
  readonly locale: string;
  /** Paths of the pages cached in advance. */
  readonly pages: readonly string[];
  /** Path of the page served if neither the network nor the cache has the requested one. */
  readonly offline: string;
  /**
   * Path of the saved list. Its query changes with its events, so only the last version is cached.
   */
  readonly list: string;
  /** Banner of a page cached today, with {time}. */
  readonly cached_today: string;
  /** Banner of a page cached on an earlier day, with {time} and {day}. */
  readonly cached_earlier: string;
  /** Clock times such as `5:30 p.m.`, otherwise `17:30`. */
  readonly twelve_hours: boolean;
}

/** Settings that the server inserts into the script. */
export interface WorkerSettings {
  readonly langs: readonly WorkerMessages[];
  /** Prefixes of paths that are not cached: forms, the desk, APIs. */
  readonly excluded: readonly string[];
  /** IANA name of the town's time zone. */
  readonly time_zone: string;
  /** Time after which a cached page is served instead of waiting for the network. */
  readonly wait_ms: number;
  /** Number of visited pages that are cached; the oldest is dropped. */
  readonly max_visited: number;
  /** Age after which pages cached in advance are fetched again. */
  readonly fresh_ms: number;
}

/** The part of ServiceWorkerGlobalScope that is used here. */
export interface WorkerScope {
  readonly location: { readonly origin: string };
  readonly caches: CacheStorage;
  readonly clients: { claim(): Promise<void> };
  readonly fetch: typeof fetch;
  skipWaiting(): Promise<void>;
  addEventListener(kind: string, listener: (event: WorkerEvent) => void): void;
}
/** The parts of the install, activate, message and fetch events that are used here. */
export interface WorkerEvent {
  readonly request: Request;
  readonly data: unknown;
  waitUntil(work: Promise<unknown>): void;
  respondWith(response: Promise<Response>): void;
}

/**
 * Starts the worker.
 * @param version Name of its cache; caches with other names are deleted.
 * @param readNow Returns the present instant, epoch ms.
 */
export function startServiceWorker(
  scope: WorkerScope,
  settings: WorkerSettings,
  version: string,
  readNow: () => number,
): void {
  const { langs, excluded, time_zone, wait_ms, max_visited, fresh_ms } = settings;
  const open = () => scope.caches.open(version);
  const isAsset = (path: string) => /^\/(_astro|motifs)\//.test(path);
  const isUnder = (path: string, prefix: string) =>
    path === prefix || path.startsWith(`${prefix}/`);
  const isPage = (path: string) =>
    !isAsset(path) && !excluded.some((prefix) => isUnder(path, prefix));
  const withoutQuery = (path: string) => path.split('?', 1)[0] ?? '';
  const isList = (path: string) => langs.some(({ list }) => list === withoutQuery(path));
  const langOf = (path: string) => langs.find(({ prefix }) => isUnder(path, prefix));

  // Caches the scripts, styles and drawings that a page or a style sheet refers to.
  const cacheAssets = async (text: string): Promise<void> => {
    const cache = await open();
    for (const path of new Set(text.match(/\/_astro\/[\w.@-]+|\/motifs\/[\w.-]+svg/g))) {
      if (await cache.match(path)) continue;
      const response = await scope.fetch(path);
      if (!response.ok) continue;
      await cache.put(path, response.clone());
      if (path.endsWith('.css')) await cacheAssets(await response.text());
    }
  };
  // Lists the cached paths, oldest first.
  const listPaths = async () =>
    (await (await open()).keys()).map(({ url }) => url.slice(scope.location.origin.length));
  // Caches a public HTML page, and drops the oldest visited pages beyond the limit.
  const cachePage = async (key: string, response: Response): Promise<void> => {
    const { headers, ok } = response;
    const is_public = /^public/.test(headers.get('cache-control') ?? '');
    if (!ok || !is_public || !/^text\/html/.test(headers.get('content-type') ?? '')) return;
    const cache = await open();
    // Replace the cached page only after the whole body has arrived. `put` also moves it to the end
    // of the keys.
    const text = await response.text();
    await cache.put(key, new Response(text, { headers }));
    const always = langs.flatMap(({ pages, offline }) => [...pages, offline]);
    const visited = (await listPaths()).filter(
      (path) => !isAsset(path) && !always.includes(path) && !isList(path),
    );
    for (const oldest of visited.slice(0, -max_visited)) await cache.delete(oldest);
    await cacheAssets(text);
  };
  const fetchPage = async (path: string): Promise<void> =>
    cachePage(path, await scope.fetch(path, { cache: 'no-cache' }));
  // Caches the saved list at its new address. Offline, the previous version is stored under the new
  // address, so that the link to the list works.
  const cacheList = async (path: string): Promise<void> => {
    const cache = await open();
    const lists = (await listPaths()).filter(
      (cached) => withoutQuery(cached) === withoutQuery(path),
    );
    const old = await cache.match(lists[0] ?? path);
    await fetchPage(path).catch(async () => old && (await cache.put(path, old)));
    if (await cache.match(path))
      for (const other of lists) if (other !== path) await cache.delete(other);
  };
  // Caches the current page if it is not cached yet, and the pages cached in advance if they are
  // not fresh.
  const refresh = async (path: string): Promise<void> => {
    const cache = await open();
    if (isPage(path) && !isList(path) && !(await cache.match(path))) await fetchPage(path);
    for (const page of langOf(path)?.pages ?? []) {
      const cached = await cache.match(page);
      if (!cached || readNow() - Date.parse(cached.headers.get('date') ?? '') > fresh_ms)
        await fetchPage(page);
    }
  };
  // Returns a cached page with a banner that has the time of its caching. Its class `kept` tells
  // page-enhancements.ts that the page is old, so it must not correct the device's clock by it.
  const addBanner = async (cached: Response, path: string): Promise<Response> => {
    const lang = langOf(path);
    const cached_at = new Date(cached.headers.get('date') ?? 0);
    // The Swedish format is `YYYY-MM-DD HH:MM:SS`.
    const toLocal = (date: Date) => date.toLocaleString('sv', { timeZone: time_zone }).split(' ');
    const [day, clock = ''] = toLocal(cached_at);
    const [hour, minute] = [Number(clock.slice(0, 2)), clock.slice(3, 5)];
    const time = lang?.twelve_hours
      ? `${hour % 12 || 12}${minute === '00' ? '' : `:${minute}`} ${hour < 12 ? 'a' : 'p'}.m.`
      : `${hour}:${minute}`;
    const message =
      day === toLocal(new Date(readNow()))[0] ? lang?.cached_today : lang?.cached_earlier;
    const date = cached_at.toLocaleDateString(lang?.locale, {
      timeZone: time_zone,
      ...{ day: 'numeric', month: 'long' },
    });
    const banner = `${message}`.replace('{time}', time).replace('{day}', date);
    const text = await cached.text();
    return new Response(
      text.replace(/<main[^>]*>/, (start) => `${start}<p class="kept" role="status">${banner}</p>`),
      { headers: cached.headers },
    );
  };
  // Serves a page from the network, unless it takes longer than `wait_ms` and the cache has a copy.
  const servePage = async (event: WorkerEvent, path: string): Promise<Response> => {
    // The address of the saved list without ids means the visitor's own list: its cached version
    // has ids in its address, so match it without its query.
    const cached = await (await open()).match(path, {
      ignoreSearch: isList(path) && !path.includes('?'),
    });
    const fetched = scope.fetch(event.request, { cache: 'no-cache' }).then((response) => {
      const copy = response.clone();
      // saved-events.ts sends the path of the saved list as a message, which caches it.
      const caching = isList(path) ? Promise.resolve() : cachePage(path, copy);
      event.waitUntil(caching.then(() => refresh(path)));
      return response.status > 499 && cached ? null : response;
    });
    // Null if the network fails, or if the server fails and a copy is cached.
    const fresh = fetched.catch(() => null);
    if (!cached)
      return (
        (await fresh) ??
        (await (await open()).match(langOf(path)?.offline ?? '')) ??
        Response.error()
      );
    event.waitUntil(fresh);
    const timeout = new Promise<null>((resolve) => setTimeout(() => resolve(null), wait_ms));
    return (await Promise.race([fresh, timeout])) ?? addBanner(cached, path);
  };

  scope.addEventListener('install', (event) => {
    scope.skipWaiting();
    event.waitUntil(Promise.all(langs.map(({ offline }) => fetchPage(offline))));
  });
  scope.addEventListener('activate', (event) => {
    const cleanUp = async (): Promise<void> => {
      for (const name of await scope.caches.keys())
        if (name !== version) await scope.caches.delete(name);
      await scope.clients.claim();
    };
    event.waitUntil(cleanUp());
  });
  scope.addEventListener('message', (event) => {
    const path = `${event.data}`;
    event.waitUntil(isList(path) ? cacheList(path) : refresh(path));
  });
  scope.addEventListener('fetch', (event) => {
    const { request } = event;
    const { origin, pathname, search } = new URL(request.url);
    if (request.method !== 'GET' || origin !== scope.location.origin) return;
    if (isAsset(pathname))
      event.respondWith(
        scope.caches.match(request).then((cached) => cached ?? scope.fetch(request)),
      );
    else if (request.mode === 'navigate' && isPage(pathname))
      event.respondWith(servePage(event, pathname + search));
  });
}
