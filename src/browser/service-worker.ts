// The service worker: pages from the network, and what was kept of them where the network is silent
// or slow, with a sentence that says since when. It is sent as text, so it stands by itself: nothing
// from outside `startServiceWorker` is there when it runs.

/** What is said of one language. */
export interface WorkerMessages {
  /** What its paths begin with; empty for the root's language, which comes last. */
  readonly prefix: string;
  readonly locale: string;
  /** Pages that are kept without being asked for. */
  readonly pages: readonly string[];
  readonly offline: string;
  /** The reader's own list, whose address changes with it: the last one is kept, whatever else is visited. */
  readonly list: string;
  /** The sentence over a kept page: of today with {time}, of an earlier day with {day} too. */
  readonly today: string;
  readonly before: string;
  readonly twelve_hours: boolean;
}

export interface WorkerSettings {
  readonly langs: readonly WorkerMessages[];
  /** Beginnings of paths that are left alone: forms, the desk, what is for programs. */
  readonly never: readonly string[];
  readonly zone: string;
  /** How long the network may take where there is a kept page. */
  readonly wait_ms: number;
  /** Pages visited that are kept, the last ones. */
  readonly most: number;
  readonly fresh_ms: number;
}

/** What of a service worker's own world is used here. */
export interface WorkerScope {
  readonly location: { readonly origin: string };
  readonly caches: CacheStorage;
  readonly clients: { claim(): Promise<void> };
  readonly fetch: typeof fetch;
  skipWaiting(): Promise<void>;
  addEventListener(kind: string, listener: (event: WorkerEvent) => void): void;
}
export interface WorkerEvent {
  readonly request: Request;
  readonly data: unknown;
  waitUntil(work: Promise<unknown>): void;
  respondWith(response: Promise<Response>): void;
}

/** Starts the worker. `version` names its store: one of another version is deleted. */
export function startServiceWorker(
  scope: WorkerScope,
  settings: WorkerSettings,
  version: string,
  readNow: () => number,
): void {
  const { langs, never, zone, wait_ms, most, fresh_ms } = settings;
  const open = () => scope.caches.open(version);
  const isAsset = (path: string) => /^\/(_astro|motifs)\//.test(path);
  const isUnder = (path: string, start: string) => path === start || path.startsWith(`${start}/`);
  const isPage = (path: string) => !isAsset(path) && !never.some((start) => isUnder(path, start));
  const withoutQuery = (path: string) => path.split('?', 1)[0] ?? '';
  const isList = (path: string) => langs.some(({ list }) => list === withoutQuery(path));
  const langOf = (path: string) => langs.find(({ prefix }) => isUnder(path, prefix));

  const keepAssets = async (text: string): Promise<void> => {
    const cache = await open();
    for (const path of new Set(text.match(/\/_astro\/[\w.@-]+|\/motifs\/[\w.-]+svg/g))) {
      if (await cache.match(path)) continue;
      const found = await scope.fetch(path);
      if (!found.ok) continue;
      await cache.put(path, found.clone());
      if (path.endsWith('.css')) await keepAssets(await found.text());
    }
  };
  const listKept = async () =>
    (await (await open()).keys()).map(({ url }) => url.slice(scope.location.origin.length));
  const keep = async (key: string, response: Response): Promise<void> => {
    const { headers, ok } = response;
    const is_open = /^public/.test(headers.get('cache-control') ?? '');
    if (!ok || !is_open || !/^text\/html/.test(headers.get('content-type') ?? '')) return;
    const cache = await open();
    // All of it is here before it takes the place of what was kept; it stands last in the list.
    const text = await response.text();
    await cache.put(key, new Response(text, { headers }));
    const always = langs.flatMap(({ pages, offline }) => [...pages, offline]);
    const visited = (await listKept()).filter(
      (path) => !isAsset(path) && !always.includes(path) && !isList(path),
    );
    for (const old of visited.slice(0, -most)) await cache.delete(old);
    await keepAssets(text);
  };
  const load = async (path: string): Promise<void> =>
    keep(path, await scope.fetch(path, { cache: 'no-cache' }));
  // Where there is no network, what was kept stands for the list as it is now.
  const keepList = async (path: string): Promise<void> => {
    const cache = await open();
    const lists = (await listKept()).filter((kept) => withoutQuery(kept) === withoutQuery(path));
    const old = await cache.match(lists[0] ?? path);
    await load(path).catch(async () => old && (await cache.put(path, old)));
    if (await cache.match(path))
      for (const other of lists) if (other !== path) await cache.delete(other);
  };
  // The page that is open, and today, tomorrow and the weekend where they are not fresh.
  const refresh = async (path: string): Promise<void> => {
    const cache = await open();
    if (isPage(path) && !isList(path) && !(await cache.match(path))) await load(path);
    for (const page of langOf(path)?.pages ?? []) {
      const kept = await cache.match(page);
      if (!kept || readNow() - Date.parse(kept.headers.get('date') ?? '') > fresh_ms)
        await load(page);
    }
  };
  const mark = async (kept: Response, path: string): Promise<Response> => {
    const lang = langOf(path);
    const at = new Date(kept.headers.get('date') ?? 0);
    const toLocal = (date: Date) => date.toLocaleString('sv', { timeZone: zone }).split(' ');
    const [day, clock = ''] = toLocal(at);
    const [hour, minute] = [Number(clock.slice(0, 2)), clock.slice(3, 5)];
    const time = lang?.twelve_hours
      ? `${hour % 12 || 12}${minute === '00' ? '' : `:${minute}`} ${hour < 12 ? 'a' : 'p'}.m.`
      : `${hour}:${minute}`;
    const words = day === toLocal(new Date(readNow()))[0] ? lang?.today : lang?.before;
    const date = at.toLocaleDateString(lang?.locale, {
      timeZone: zone,
      ...{ day: 'numeric', month: 'long' },
    });
    const said = `${words}`.replace('{time}', time).replace('{day}', date);
    const text = await kept.text();
    return new Response(
      text.replace(/<main[^>]*>/, (start) => `${start}<p class="kept" role="status">${said}</p>`),
      { headers: kept.headers },
    );
  };
  const answer = async (event: WorkerEvent, path: string): Promise<Response> => {
    // Without its events the list is the reader's own.
    const kept = await (await open()).match(path, {
      ignoreSearch: isList(path) && !path.includes('?'),
    });
    const asked = scope.fetch(event.request, { cache: 'no-cache' }).then((response) => {
      const copy = response.clone();
      const kept_too = isList(path) ? Promise.resolve() : keep(path, copy);
      event.waitUntil(kept_too.then(() => refresh(path)));
      return response.status > 499 && kept ? null : response;
    });
    const fresh = asked.catch(() => null);
    if (!kept) {
      const found = await fresh;
      const offline = found ?? (await (await open()).match(langOf(path)?.offline ?? ''));
      return offline ?? Response.error();
    }
    event.waitUntil(fresh);
    const late = new Promise<null>((done) => setTimeout(() => done(null), wait_ms));
    return (await Promise.race([fresh, late])) ?? mark(kept, path);
  };

  scope.addEventListener('install', (event) => {
    scope.skipWaiting();
    event.waitUntil(Promise.all(langs.map(({ offline }) => load(offline))));
  });
  scope.addEventListener('activate', (event) => {
    const forget = async (): Promise<void> => {
      for (const name of await scope.caches.keys())
        if (name !== version) await scope.caches.delete(name);
      await scope.clients.claim();
    };
    event.waitUntil(forget());
  });
  scope.addEventListener('message', (event) => {
    const path = `${event.data}`;
    event.waitUntil(isList(path) ? keepList(path) : refresh(path));
  });
  scope.addEventListener('fetch', (event) => {
    const { request } = event;
    const { origin, pathname, search } = new URL(request.url);
    if (request.method !== 'GET' || origin !== scope.location.origin) return;
    if (isAsset(pathname))
      event.respondWith(scope.caches.match(request).then((found) => found ?? scope.fetch(request)));
    else if (request.mode === 'navigate' && isPage(pathname))
      event.respondWith(answer(event, pathname + search));
  });
}
