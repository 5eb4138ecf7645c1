import { describe, expect, test } from 'vitest';
import { at } from '../fixtures/fixture.ts';
import { serveFake } from './fake-release.ts';

const fake = await serveFake();

const rendersOf = async (...paths: string[]): Promise<number> => {
  const before = fake.rendered.length;
  for (const path of paths) expect((await fake.ask(path)).status).toBe(200);
  return fake.rendered.length - before;
};

describe('the day', () => {
  test.each([
    ['2026-11-20T23:59:59.999', 'max-age=0, must-revalidate'],
    ['2026-11-21T00:00:00', 'max-age=30, stale-while-revalidate=60'],
  ])('at %s /hoy is of its minute', async (local, cache) => {
    fake.clock.now_ms = at(local);
    const { status, text, headers } = await fake.ask('/hoy');
    expect(status).toBe(200);
    expect(text).toContain(`made of /hoy at ${Math.floor(at(local) / 60_000)} `);
    expect(headers['cache-control']).toBe(`public, ${cache}`);
  });

  test('a page is made again when what it says changes, and no cache is told more than the day', async () => {
    const rendersAt = async (local: string): Promise<[number, unknown]> => {
      const before = fake.rendered.length;
      fake.clock.now_ms = at(local);
      const { status, headers } = await fake.ask('/eventos/feria-diaria');
      expect([status, headers.vary]).toEqual([200, expect.stringContaining('Accept')]);
      return [fake.rendered.length - before, headers['cache-control']];
    };
    const usual = 'public, max-age=300, stale-while-revalidate=600';
    expect(await rendersAt('2026-11-20T12:00:00')).toEqual([1, usual]);
    expect(await rendersAt('2026-11-20T13:59:59')).toEqual([0, usual]);
    // That day's fair is over.
    expect(await rendersAt('2026-11-20T14:00:00')).toEqual([1, usual]);
    expect(await rendersAt('2026-11-20T23:59:45')).toEqual([
      0,
      'public, max-age=15, must-revalidate',
    ]);
    expect(await rendersAt('2026-11-21T00:00:00')).toEqual([1, usual]);
  });

  test('today’s page is made once a minute, and nobody waits for the next', async () => {
    const noon_ms = at('2026-12-25T12:00:00');
    const askAt = async (later_ms: number): Promise<string> => {
      fake.clock.now_ms = noon_ms + later_ms;
      return / (\d{8}) /.exec((await fake.ask('/hoy')).text)?.[1] ?? '';
    };
    const minute = String(noon_ms / 60_000);
    const next = String(noon_ms / 60_000 + 1);
    const begun = fake.rendered.length;
    expect(await Promise.all([askAt(0), askAt(0), askAt(59_999)])).toEqual([
      minute,
      minute,
      minute,
    ]);
    expect(fake.rendered.length - begun).toBe(1);
    // The first reader of the next minute still gets the one before, and has the next made.
    expect(await askAt(60_000)).toBe(minute);
    await expect.poll(() => askAt(60_001)).toBe(next);
    expect(fake.rendered.length - begun).toBe(2);
    // What is older than a minute is not served.
    expect(await askAt(240_000)).toBe(String(noon_ms / 60_000 + 4));
    expect(fake.rendered.length - begun).toBe(3);
  });

  test('no answer around midnight is of another day than its own', async () => {
    const midnight_ms = at('2026-11-21T00:00:00');
    const instants = Array.from({ length: 40 }, (_, i) => midnight_ms - 20 + i);
    for (const instant of instants) {
      fake.clock.now_ms = instant;
      const [html, md] = await Promise.all([fake.ask('/hoy'), fake.ask('/en/today.md')]);
      const minute = Math.floor(instant / 60_000);
      expect(html.text).toContain(`made of /hoy at ${minute} `);
      expect(md.text).toContain(`made of /en/today.md at ${minute} `);
    }
  });

  test.each([
    '/_hoy/2026-11-20',
    '/_today/2026-11-20.md',
    '/%5Fhoy/2026-11-20',
    '/_weekend/2026-11-20',
    '/x/../_hoy/2026-11-20',
    '/eventos/%2e%2e/calendario',
    '/eventos/./x',
    '/eventos/..',
    '/%2f',
    '/%2f%2fother.example',
    '/hoy%5c',
    '/hoy.html',
    '/eventos/x.html',
    '/_image?href=/icon.png',
    '/_server-islands/x',
    '/revision/../eventos/x',
    '/publicar/estado/%2e%2e/%2e%2e/revision',
  ])("%s is nobody's address", async (path) => {
    const { status, text } = await fake.ask(path);
    expect([status, text.startsWith('made of /404 ')], path).toEqual([404, true]);
  });

  test('a form says how it is read and sent', async () => {
    const { status, text, headers } = await fake.ask('/publicar', {}, 'PUT');
    expect([status, headers.allow, text]).toEqual([
      405,
      'GET, HEAD, POST',
      'Este formulario se lee con GET y se envía con POST.\n',
    ]);
  });
});

describe('a page that answers its query', () => {
  test('is rendered once for each query, and not again for a minute that it does not tell', async () => {
    expect((await fake.ask('/calendario?zone=a')).text).toContain('/calendario?zone=a');
    expect(await rendersOf('/calendario?zone=a', '/calendario?zone=a')).toBe(0);
    expect(
      await rendersOf('/calendario?zone=b', '/calendario', '/calendario?zone=b', '/calendario'),
    ).toBe(2);
    fake.clock.now_ms += 60_000;
    expect(await rendersOf('/calendario?zone=a', '/calendario?zone=a')).toBe(0);
    fake.clock.now_ms -= 60_000;
  });
});

describe('a page that takes the filters', () => {
  test('is made once for all spellings of a query, and as it is for what it does not know', async () => {
    await fake.ask('/hoy');
    expect(await rendersOf('/hoy?utm_source=x', '/hoy?free=0', '/hoy?zone=')).toBe(0);
    expect(await rendersOf('/hoy?free=1&zone=centro')).toBe(1);
    expect(
      await rendersOf(
        '/hoy?zone=CENTRO&free=true',
        '/hoy?free=1&zone=downtown&utm_source=x',
        '/hoy?free=1&family=&zone=centro&fbclid=1',
      ),
    ).toBe(0);
  });
  test('is never stored with what was not understood', async () => {
    expect(await rendersOf('/hoy?zone=atlantis', '/hoy?zone=atlantis')).toBe(2);
  });
  test('is another one as text, and says so', async () => {
    const page = await fake.ask('/hoy?zone=Centro&free=1');
    expect(page.text).toContain('made of /hoy?zone=centro&free=1');
    expect(page.headers.link).toBe(
      '</hoy.md?zone=centro&free=1>; rel="alternate"; type="text/markdown", </llms.txt>; rel="describedby"; type="text/markdown"',
    );
    const text = await fake.ask('/hoy.md?free=1');
    expect(text.text).toContain('made of /hoy.md?free=1');
    expect(text.headers.link).toBe('<https://hoy.example/hoy>; rel="canonical"');
  });
  test('is kept by whoever has it', async () => {
    const { headers } = await fake.ask('/hoy?free=1');
    const again = await fake.ask('/hoy?free=1', { 'if-none-match': headers.etag ?? '' });
    expect([again.status, headers['cache-control']]).toEqual([
      304,
      'public, max-age=30, stale-while-revalidate=60',
    ]);
  });
});

test('the home page says where programs find the rest', async () => {
  for (const path of ['/', '/en'])
    expect((await fake.ask(path)).headers.link).toMatch(
      /^<\/\.well-known\/api-catalog>; rel="api-catalog", .*rel="describedby"/,
    );
});
