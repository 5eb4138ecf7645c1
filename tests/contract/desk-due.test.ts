// What is due to be looked at again, on the desk as it is served.
import { expect, test } from 'vitest';
import { serveDesk, toCookie, toField } from '../fixtures/desk-server.ts';

const PATH = '/revision/por-revisar';
const opened = await serveDesk();
const cookie = toCookie(await opened.logIn());

/** That each of `parts` stands in a text, one after the other. */
function expectInOrder(text: string, parts: readonly string[]): void {
  let from = 0;
  for (const part of parts) {
    const at = text.indexOf(part, from);
    expect(at, part).toBeGreaterThanOrEqual(from);
    from = at + part.length;
  }
}

test('each screen says in its menu how much it is', async () => {
  const html = await (await opened.server.get('/revision', { cookie })).text();
  expect(html.replace(/\s+/g, ' ')).toMatch(
    /<a href="\/revision\/por-revisar"[^>]*>Por verificar \(1\)<\/a>/,
  );
});

test.each([
  [
    'es',
    [
      'Vencidos (1)',
      'href="/revision/editar/ve_',
      'horario · de cada semana o mes · venció el 9 de julio de 2026',
      'Si nadie lo revisa, desde el 11 de febrero de 2027 solo se dirán los días en que abre, sin horas.',
      'venues/foro-sin-punto.yml',
      'href="https://foro.example/horario" rel="nofollow ugc noopener noreferrer"',
      'Fuente de enero de 2026, revisada el 10 de enero de 2026',
      'Inventado para las pruebas',
      '#at-sources">Editar sus datos',
      'Vencen en los próximos 7 días (0)',
      'Nada por ahora',
    ],
  ],
  [
    'en',
    [
      'Overdue (1)',
      'href="/revision/editar/ve_',
      'hours · every week or month · was due on July 9, 2026',
      'If nobody looks, from February 11, 2027 on only the days it opens are given, without times.',
      'Due in the next 7 days (0)',
    ],
  ],
] as const)(
  'in %s: each fact with its file, its sources and what becomes of it',
  async (lang, parts) => {
    const answer = await opened.server.get(PATH, { cookie, 'accept-language': lang });
    expect(answer.status).toBe(200);
    expectInOrder((await answer.text()).replace(/\s+/g, ' '), parts);
  },
);

test('is for editors alone, and nothing can be sent to it', async () => {
  expect((await opened.server.get(PATH)).status).toBe(401);
  const csrf = toField(await (await opened.server.get(PATH, { cookie })).text(), 'csrf');
  expect((await opened.server.post(PATH, { csrf }, { cookie })).status).toBe(404);
});
