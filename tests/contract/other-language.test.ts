// What an editor leaves empty in the other language: the original, said to be so on every surface where a
// reader of that language gets it, and on no other (contract 1.13).
import { expect, test } from 'vitest';
import { toFormValues } from '../../src/domain/submission/form.ts';
import { LANGS, type Lang } from '../../src/domain/lang.ts';
import { toSubmittedEventId } from '../../src/sources/inbox/merge-inbox.ts';
import { publish } from '../fixtures/approved.ts';
import { comeIn, serveDesk } from '../fixtures/desk-server.ts';
import { readDetail } from '../fixtures/event-surfaces.ts';
import { fillForm } from '../fixtures/filled-form.ts';
import { sendIn, SUBMISSION } from '../fixtures/inbox.ts';

const desk = await serveDesk();
const { server, inbox } = desk;
const { read, post } = await comeIn(desk);
const LABEL = { es: 'como lo envió quien organiza', en: 'In Spanish, as the organizer sent it' };
const ROW_LABEL = { es: /<b class="original">/, en: /<b class="original">In Spanish</ };
const ORIGINAL = { es: undefined, en: 'es' };

const untilServed = (id: string, text: string) =>
  expect
    .poll(async () => (await server.get(`/api/v1/events/${id}?lang=en`)).text(), {
      timeout: 90_000,
    })
    .toContain(text);

/** What each surface says of an event, and of the day that it is on. */
async function readSurfaces(id: string, lang: Lang) {
  const { title, url, written_in, next } = await readDetail(server, id, lang);
  const [path, day] = [new URL(url).pathname, { es: '/fecha', en: '/en/date' }[lang]];
  const get = async (address: string): Promise<string> => (await server.get(address)).text();
  const call = async (tool: string, args: object): Promise<string> =>
    (await server.callTool(tool, { ...args, lang })).text();
  const query = `q=${encodeURIComponent(title)}&lang=${lang}`;
  const date = `${day}/${next?.date}`;
  return {
    written_in,
    title,
    page: await (await server.get(path, { accept: 'text/html' })).text(),
    rows: await (await server.get(date, { accept: 'text/html' })).text(),
    list: await get(`/api/v1/events?${query}`),
    texts: {
      markdown: await get(`${path}.md`),
      markdown_of_day: await get(`${date}.md`),
      tool: await call('detalle_evento', { id }),
      tool_of_list: await call('buscar_eventos', { q: title }),
      feed: await get({ es: '/feeds/novedades.json', en: '/feeds/new.json' }[lang]),
    },
  };
}

/** Expects all of an event that was sent in Spanish to be labelled in English, in Spanish none. */
async function expectLabels(id: string): Promise<void> {
  for (const lang of LANGS) {
    const said = await readSurfaces(id, lang);
    const is_labelled = lang === 'en';
    expect(said.written_in).toBe(ORIGINAL[lang]);
    expect(said.list.includes('"written_in":"es"'), said.list).toBe(is_labelled);
    for (const tag of ['<h1', '<p class="lead"'])
      expect(new RegExp(`${tag}[^>]* lang="es"`).test(said.page), `${lang} ${tag}`).toBe(
        is_labelled,
      );
    expect(said.page.includes(LABEL[lang])).toBe(is_labelled);
    expect(ROW_LABEL[lang].test(said.rows)).toBe(is_labelled);
    for (const [surface, text] of Object.entries(said.texts)) {
      expect(text, surface).toContain(said.title);
      expect(text.includes(LABEL[lang]), `${lang} ${surface}`).toBe(is_labelled);
    }
  }
}

test('an event is approved without it, and labelled until an editor writes it', async () => {
  const title = 'Sin otra lengua';
  const { reference } = await sendIn(inbox, { title });
  const path = `/revision/envios/${reference}`;
  const shown = await read(path);
  expect([fillForm(shown).other_title ?? '', fillForm(shown).other_summary]).toEqual(['', '']);
  expect(shown).toContain('In Spanish, as the organizer sent it');
  const fields = {
    ...toFormValues({ ...SUBMISSION, title }),
    ...{ revision: '1', does: 'approve', summary: fillForm(shown).summary ?? '' },
  };
  const half = await post(path, { ...fields, other_summary: 'A night.' });
  expect([half.status, (await half.text()).includes('id="a-other_title-fault"')]).toEqual([
    422,
    true,
  ]);
  expect((await post(path, fields)).status).toBe(303);
  const id = toSubmittedEventId(reference);
  await untilServed(id, '"written_in":"es"');
  await expectLabels(id);

  const edit = `/revision/editar/${id}`;
  const form = await read(edit);
  expect([fillForm(form).lang, fillForm(form).other_title]).toEqual(['es', '']);
  const written = {
    ...{ other_title: 'No other language', other_summary: 'Made up.' },
    ...{ does: 'save', reason: 'La escribimos' },
  };
  expect((await post(edit, fillForm(form, written))).status).toBe(303);
  await untilServed(id, '"title":"No other language"');
  const { page, texts } = await readSurfaces(id, 'en');
  for (const text of [page, texts.markdown, texts.tool]) expect(text).not.toContain(LABEL.en);
});

test('of an event whose description alone was left, only that is labelled', async () => {
  const id = toSubmittedEventId(await publish(inbox, { title: 'Solo el texto' }));
  await untilServed(id, '"title":"Test night"');
  const { written_in, page, rows, list, texts } = await readSurfaces(id, 'en');
  expect(written_in).toBe('es');
  expect(page).toMatch(
    new RegExp(`A made-up night\\.[\\s\\S]*${LABEL.en}:</p><div class="prose" lang="es">`),
  );
  for (const text of [texts.markdown, texts.tool])
    expect(text).toMatch(new RegExp(`A made-up night\\.[\\s\\S]*${LABEL.en}:[\\s\\S]*inventada`));
  expect(page).not.toMatch(/<(?:h1|p class="lead")[^>]* lang=/);
  const [item] = /\{"id":"[^"]*"[^{]*"title":"Test night".*?"updated_at"/.exec(list) ?? [];
  expect(item).not.toContain('written_in');
  expect(rows).toMatch(/<a href="\/en\/events\/test-night">Test night</);
});
