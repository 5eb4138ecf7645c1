// What is due to be looked at again, on the desk as it is served.
import { expect, test } from 'vitest';
import { serveDesk, toCookie, toField } from '../fixtures/desk-server.ts';

const PATH = '/revision/por-revisar';
const opened = await serveDesk();
const cookie = toCookie(await opened.logIn());

test.each([
  ['es', ['Vencidos (1)', 'venció el 9 de julio de 2026', 'desde el 11 de febrero de 2027']],
  ['en', ['Overdue (1)', 'was due on July 9, 2026', 'from February 11, 2027']],
])('in %s: each fact with its file, its sources and what becomes of it', async (lang, words) => {
  const answer = await opened.server.get(PATH, { cookie, 'accept-language': lang });
  const html = await answer.text();
  const source = 'href="https://foro.example/horario" rel="nofollow ugc noopener noreferrer"';
  for (const part of [...words, 'href="/revision/editar/ve_', 'venues/foro-sin-punto.yml', source])
    expect(html, part).toContain(part);
  // The menu says on every screen how much it is.
  const queue = await (await opened.server.get('/revision', { cookie })).text();
  expect(queue).toMatch(/<a href="\/revision\/por-revisar"[^>]*>\s*Por verificar \(1\)/);
});

test('is for editors alone, and nothing can be sent to it', async () => {
  expect((await opened.server.get(PATH)).status).toBe(401);
  const csrf = toField(await (await opened.server.get(PATH, { cookie })).text(), 'csrf');
  expect((await opened.server.post(PATH, { csrf }, { cookie })).status).toBe(404);
});
