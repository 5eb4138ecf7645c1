// Untranslated text: an event without text in the other language is labeled on every surface (contract 1.13).
import { expect, test } from 'vitest';
import { submissionToForm } from '../../src/domain/submission/form-values.ts';
import { LANGS, type Lang } from '../../src/domain/lang.ts';
import { submittedEventId } from '../../src/sources/inbox/merge-inbox.ts';
import { signInAs, serveDesk } from '../fixtures/desk-server.ts';
import { fetchEventDetail } from '../fixtures/event-surfaces.ts';
import { fillForm } from '../fixtures/filled-form.ts';
import { submitTestEvent, SUBMISSION } from '../fixtures/inbox.ts';

const desk = await serveDesk();
const { server, inbox } = desk;
const { read, post } = await signInAs(desk);
const LABEL = { es: 'como lo envió quien organiza', en: 'In Spanish, as the organizer sent it' };

const untilServed = (id: string, text: string) =>
  expect.poll(() => read(`/api/v1/events/${id}?lang=en`), { timeout: 90_000 }).toContain(text);

async function readSurfaces(id: string, lang: Lang) {
  const { title, url, written_in, next } = await fetchEventDetail(server, id, lang);
  const path = new URL(url).pathname;
  const date = `${{ es: '/fecha', en: '/en/date' }[lang]}/${next?.date}`;
  const get = async (address: string): Promise<string> => (await server.get(address)).text();
  const fetchPage = async (address: string): Promise<string> =>
    (await server.get(address, { accept: 'text/html' })).text();
  const callTool = async (tool: string, args: object): Promise<string> =>
    (await server.callTool(tool, { ...args, lang })).text();
  return {
    ...{ written_in, title, page: await fetchPage(path), rows: await fetchPage(date) },
    list: await get(`/api/v1/events?q=${encodeURIComponent(title)}&lang=${lang}`),
    texts: {
      markdown: await get(`${path}.md`),
      markdown_of_day: await get(`${date}.md`),
      tool: await callTool('detalle_evento', { id }),
      tool_of_list: await callTool('buscar_eventos', { q: title }),
      feed: await get({ es: '/feeds/novedades.json', en: '/feeds/new.json' }[lang]),
    },
  };
}

test('an event is approved without a translation, and labeled until an editor adds it', async () => {
  const title = 'Sin otra lengua';
  const { reference } = await submitTestEvent(inbox, { title });
  const path = `/revision/envios/${reference}`;
  const { summary = '' } = fillForm(await read(path));
  const text = submissionToForm({ ...SUBMISSION, title });
  const fields = { ...text, revision: '1', does: 'approve', summary };
  expect((await post(path, { ...fields, other_summary: 'A night.' })).status).toBe(422);
  expect((await post(path, fields)).status).toBe(303);
  const id = submittedEventId(reference);
  await untilServed(id, '"written_in":"es"');
  for (const lang of LANGS) {
    const surfaces = await readSurfaces(id, lang);
    const is_labeled = lang === 'en';
    const labels = {
      api: surfaces.written_in === 'es',
      list: surfaces.list.includes('"written_in":"es"'),
      heading: /<h1[^>]* lang="es"/.test(surfaces.page),
      page: surfaces.page.includes(LABEL[lang]),
      rows: surfaces.rows.includes('<b class="original">'),
    };
    for (const [surface, found] of Object.entries(labels))
      expect(found, `${lang} ${surface}`).toBe(is_labeled);
    for (const [surface, words] of Object.entries(surfaces.texts)) {
      expect(words, surface).toContain(surfaces.title);
      expect(words.includes(LABEL[lang]), `${lang} ${surface}`).toBe(is_labeled);
    }
  }
  const edit = `/revision/editar/${id}`;
  const translation = { other_title: 'No other language', other_summary: 'Made up.' };
  const saved = fillForm(await read(edit), {
    ...translation,
    does: 'save',
    reason: 'La escribimos',
  });
  expect((await post(edit, saved)).status).toBe(303);
  await untilServed(id, '"title":"No other language"');
  const { page, texts } = await readSurfaces(id, 'en');
  for (const words of [page, texts.markdown, texts.tool]) expect(words).not.toContain(LABEL.en);
});
