import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { type ServerSettings, startServer } from '../fixtures/built-server.ts';
import { FIXTURE_DIR } from '../fixtures/fixture.ts';
import { copySharedRelease } from '../fixtures/shared-release.ts';
import { readBody, startSmtp } from '../fixtures/smtp-server.ts';
import { listenHere, makeTestFolder } from '../fixtures/folder.ts';

const EMAIL = 'secreto@correo.example';
const SENT = {
  title: 'Noche por correo',
  description: 'Una noche inventada para probar el correo.',
  category: 'live-music',
  start: '2026-12-05T20:00',
  venue: 'malecon-inventado',
  free: true,
  contact_email: EMAIL,
};

/** A server that takes every connection and never says a word. */
async function startSilence(): Promise<{ url: string; calls: () => number; stop: () => void }> {
  let calls = 0;
  const server = createServer((socket) => {
    calls += 1;
    socket.on('error', () => {});
  });
  const port = await listenHere(server);
  return { url: `smtp://127.0.0.1:${port}`, calls: () => calls, stop: () => server.close() };
}

test('a server that never answers slows nobody; killed meanwhile, the letter goes after the next start', async () => {
  const data_dir = makeTestFolder();
  const toSettings = (SMTP_URL: string, clock_start: string): ServerSettings => ({
    ...{ data_dir, content_dir: FIXTURE_DIR, clock_start },
    env: { SMTP_URL, MAIL_FROM: 'agenda@agenda.example', LOG_LEVEL: 'debug' },
  });
  const silence = await startSilence();
  const before = toSettings(silence.url, '2026-11-20T12:00:00-05:00');
  await copySharedRelease(before);
  const first = await startServer(before);
  expect(await (await first.get('/publicar')).text()).toContain('Ahí te mandamos tu enlace');
  expect((await first.callTool('enviar_evento', SENT)).status).toBe(200);
  await expect.poll(silence.calls).toBeGreaterThan(0);
  const began = performance.now();
  const MORE = 4;
  for (let at = 0; at < MORE; at += 1) {
    const answer = await first.callTool('enviar_evento', { ...SENT, title: `Otra noche ${at}` });
    expect(await answer.text()).toContain('pending_review');
  }
  expect((performance.now() - began) / MORE).toBeLessThan(500);
  const health = await (await first.get('/healthz')).json();
  expect(health.mail).toEqual({ waiting: 1 + MORE, oldest_seconds: expect.any(Number), failed: 0 });
  await first.kill();
  silence.stop();
  const smtp = await startSmtp();
  const second = await startServer(toSettings(smtp.url, '2026-11-20T12:20:00-05:00'));
  await expect.poll(() => smtp.received.length).toBe(1);
  const [letter] = smtp.received;
  expect(letter?.to).toEqual([EMAIL]);
  const body = letter === undefined ? '' : readBody(letter);
  const link = /https:\/\/agenda\.example(\/publicar\/estado\/\S+)/.exec(body)?.[1] ?? '';
  expect((await second.get(link)).status).toBe(200);
  await expect.poll(async () => (await (await second.get('/healthz')).json()).mail.waiting).toBe(0);
  expect(first.output() + second.output()).not.toMatch(/secreto|correo\.example/);
  expect(await second.stop()).toBe(0);
  await smtp.stop();
});
