// Record screen: edits records over their source, with concurrent edits, and lists facts due for review (contract 14.28,
// 14.32).
import { expect, test } from 'vitest';
import { loadAppliedChanges } from '../../../src/inbox/applied-changes.ts';
import { publish, loadDatasetWithInbox } from '../../fixtures/approved.ts';
import { openDesk } from '../../fixtures/desk-visit.ts';
import { editFields, loadRecordSources } from '../../fixtures/edits.ts';
import { loadFixture } from '../../fixtures/fixture.ts';
import { useSharedInbox, submitTestCorrection } from '../../fixtures/inbox.ts';
import { openPageContext } from '../../fixtures/site.ts';

const { inbox } = await useSharedInbox();
const { ask, fill } = await openDesk(inbox, openPageContext());

const { id: FAIR = '' } = loadFixture().events.find(({ slug }) => slug.es === 'feria-diaria') ?? {};
const recordPath = (id: string): string => `/revision/editar/${id}`;
type Fields = Readonly<Record<string, string>>;
const save = async (path: string, changed: Fields, reason = 'x') =>
  ask(path, await fill(path, { does: 'save', reason, ...changed }));
const recordOf = async (id: string) => (await loadAppliedChanges(inbox, id)).edits[0]?.record;

test('a record is found by the address of its page, and saving it unchanged or without a reason is rejected', async () => {
  const search = await ask('/revision/eventos?q=https://agenda.example/eventos/feria-diaria?x=1');
  expect(search.page_json).toContain(recordPath(FAIR));
  const trySave = async (changed: Fields, reason?: string) => {
    const { status, page_json } = await save(recordPath(FAIR), changed, reason);
    return `${status} ${page_json}`;
  };
  expect(await trySave({})).toMatch(/^422 .*No hay cambios que guardar/);
  expect(await trySave({ tags: 'puestos' }, ' ')).toMatch(/^422 .*Escribe el motivo.*puestos/);
});

test('a concurrent edit is shown before saving, and remains in fields without typed changes', async () => {
  const path = recordPath(FAIR);
  const mine = await fill(path, { does: 'save', reason: 'x', other_title: 'My fair' });
  expect((await save(path, { title: 'Feria suya' })).status).toBe(303);
  const conflict = await ask(path, mine);
  const view = { form: { values: { title: 'Feria suya', other_title: 'My fair' } } };
  const message = expect.stringContaining('Otra persona hizo cambios');
  expect(conflict).toMatchObject({ status: 422, page: { frame: { message }, view } });
  const retry = { ...mine, title: 'Feria suya', was: (await fill(path, {})).was ?? '' };
  expect((await ask(path, retry)).status).toBe(303);
  expect((await recordOf(FAIR))?.title).toEqual({ es: 'Feria suya', en: 'My fair' });
  expect((await ask(path, { does: 'source' })).status).toBe(303);
});

test('a source change under an override is shown, and the editor keeps the override or reverts to the source', async () => {
  const override = () => editFields(inbox, FAIR, { tags: ['puestos'] }, { tags: ['de-antes'] });
  await override();
  const path = recordPath(FAIR);
  expect((await ask('/revision')).page_json).toContain('cuya fuente cambió');
  expect((await ask('/revision/eventos')).page_json).toContain('Editados en la mesa');
  expect((await ask(path)).page).toMatchObject({
    view: {
      form: {
        is_outdated: true,
        overridden_fields: [{ is_outdated: true, versions: { length: 3 } }],
      },
    },
  });
  expect((await ask(path, { does: 'keep' })).status).toBe(303);
  expect((await ask('/revision')).page_json).not.toContain('fuente cambió');
  expect((await ask(path)).page).toMatchObject({ view: { form: { is_outdated: false } } });
  await override();
  expect((await ask(path, { does: 'source' })).status).toBe(303);
  expect(await recordOf(FAIR)).toBeUndefined();
  expect((await ask(path, { does: 'keep' })).status).toBe(409);
});

test('same_as rejects the record itself and records of another kind', async () => {
  const sources = await loadRecordSources(inbox);
  const [[foro], [group]] = [await sources.list('venue'), await sources.list('organizer')];
  for (const same_as of [foro?.id ?? '', group?.id ?? '']) {
    const { status, page_json } = await save(recordPath(foro?.id ?? ''), { same_as });
    expect([status, page_json]).toEqual([422, expect.stringContaining('"issues":[["same_as",')]);
  }
});

test('a notice and an approved event can be edited before their first release', async () => {
  const notice = {
    ...{ type: 'traffic', severity: 'warning', source_url: 'https://transito.example/1' },
    ...{ title_es: 'Cierre en la Tulum', title_en: 'Closure on Tulum Avenue' },
    ...{ body_es: 'Cerrada por obras.', body_en: 'Closed for works.' },
  };
  expect((await ask('/revision/avisos', notice)).status).toBe(303);
  const path =
    /\/revision\/editar\/no_\w+/.exec((await ask('/revision/avisos')).page_json)?.[0] ?? '';
  const title = 'Cierre parcial en la Tulum';
  expect((await save(path, { 'title.es': title })).status).toBe(303);
  expect((await ask('/revision/avisos')).page_json).toContain(title);

  const reference = await publish(inbox, { title: 'Todavía no publicada', dates: [] });
  const item_screen = (await ask(`/revision/envios/${reference}`)).page_json;
  const event_path = /\/revision\/editar\/ev_\w+/.exec(item_screen)?.[0] ?? '';
  expect((await ask('/revision/eventos?q=todavia+no')).page_json).toContain(event_path);
  expect((await save(event_path, { tags: 'familia', verified: '1' })).status).toBe(303);
  const now = await loadDatasetWithInbox(inbox);
  expect(now.omitted).toEqual([]);
  const edited = now.events.find(({ id }) => event_path.endsWith(id));
  expect(edited).toMatchObject({ tags: ['familia'], verified: true });
  expect(now.notices.map((released) => released.title.es)).toContain(title);
});

test('a record is edited on the screen of its correction, and the form returns there', async () => {
  const reference = await submitTestCorrection(inbox, 'Ahora es para todos', FAIR);
  const path = `/revision/envios/${reference}`;
  const typed = { does: 'save', reason: 'Lo dijo un lector', tags: 'todos', report: reference };
  const saved = await ask(recordPath(FAIR), await fill(path, typed));
  expect([saved.status, saved.location]).toEqual([303, `${path}?done=edited`]);
  expect((await recordOf(FAIR))?.tags).toEqual(['todos']);
  expect((await ask(saved.location)).page_json).toContain('Guardado');
});

test('a fact due for review is listed with its sources and its next certainty', async () => {
  const { page_json } = await ask('/revision', undefined, { lang: 'en' });
  const source = '"url":"https://foro.example/horario"';
  for (const part of [source, recordPath('ve_'), 'was due on July 9, 2026', 'February 11, 2027'])
    expect(page_json).toContain(part);
});

test('an event with several dates is not cancelled without a date, and one date is not withdrawn', async () => {
  const path = recordPath(FAIR);
  for (const [does, date] of Object.entries({ cancel: '', withdraw: '2026-11-24' }))
    expect((await ask(path, { does, date, reason: 'x' })).status, does).toBe(422);
  expect((await loadAppliedChanges(inbox, FAIR)).overrides).toEqual([]);
});
