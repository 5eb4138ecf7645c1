// What the desk edits, beside others, over its source, and what is due (contract 14.28, 14.32).
import { expect, test } from 'vitest';
import { loadAppliedChanges } from '../../../src/inbox/applied-changes.ts';
import { publish, readDatasetWith } from '../../fixtures/approved.ts';
import { enterDesk } from '../../fixtures/desk-visit.ts';
import { editFields, readSources } from '../../fixtures/edits.ts';
import { readFixture } from '../../fixtures/fixture.ts';
import { useOneInbox, report } from '../../fixtures/inbox.ts';
import { openState } from '../../fixtures/site.ts';

const { inbox } = await useOneInbox();
const { ask, fill } = await enterDesk(inbox, openState());

const { id: FAIR = '' } = readFixture().events.find(({ slug }) => slug.es === 'feria-diaria') ?? {};
const toPath = (id: string): string => `/revision/editar/${id}`;
type Fields = Readonly<Record<string, string>>;
const save = async (path: string, changed: Fields, reason = 'x') =>
  ask(path, await fill(path, { does: 'save', reason, ...changed }));
const recordOf = async (id: string) => (await loadAppliedChanges(inbox, id)).edits[0]?.record;

test('it is found by the address of its page, and not saved as it was', async () => {
  const found = await ask('/revision/eventos?q=https://agenda.example/eventos/feria-diaria?x=1');
  expect(found.says).toContain(toPath(FAIR));
  const told = async (changed: Fields, reason?: string) => {
    const { status, says } = await save(toPath(FAIR), changed, reason);
    return `${status} ${says}`;
  };
  expect(await told({})).toMatch(/^422 .*No cambiaste nada/);
  expect(await told({ tags: 'puestos' }, ' ')).toMatch(/^422 .*Escribe el motivo.*puestos/);
});

test('what another changed meanwhile is looked at first, and stays where nothing was typed over it', async () => {
  const path = toPath(FAIR);
  const mine = await fill(path, { does: 'save', reason: 'x', other_title: 'My fair' });
  expect((await save(path, { title: 'Feria suya' })).status).toBe(303);
  const told = await ask(path, mine);
  const view = { form: { values: { title: 'Feria suya', other_title: 'My fair' } } };
  const notice = expect.stringContaining('Otra persona hizo cambios');
  expect(told).toMatchObject({ status: 422, page: { frame: { notice }, view } });
  const again = { ...mine, title: 'Feria suya', was: (await fill(path, {})).was ?? '' };
  expect((await ask(path, again)).status).toBe(303);
  expect((await recordOf(FAIR))?.title).toEqual({ es: 'Feria suya', en: 'My fair' });
  expect((await ask(path, { does: 'source' })).status).toBe(303);
});

test('what changed underneath an edit is shown beside it, and an editor says which one counts', async () => {
  const put = () => editFields(inbox, FAIR, { tags: ['puestos'] }, { tags: ['de-antes'] });
  await put();
  const path = toPath(FAIR);
  expect((await ask('/revision')).says).toContain('su fuente cambió');
  expect((await ask('/revision/eventos')).says).toContain('Editados en la mesa');
  expect((await ask(path)).page).toMatchObject({
    view: { form: { is_outdated: true, said: [{ is_unsure: true, says: { length: 3 } }] } },
  });
  expect((await ask(path, { does: 'keep' })).status).toBe(303);
  expect((await ask('/revision')).says).not.toContain('fuente cambió');
  expect((await ask(path)).page).toMatchObject({ view: { form: { is_outdated: false } } });
  await put();
  expect((await ask(path, { does: 'source' })).status).toBe(303);
  expect(await recordOf(FAIR)).toBeUndefined();
  expect((await ask(path, { does: 'keep' })).status).toBe(409);
});

test('nothing is the same as itself, or as another kind of thing', async () => {
  const sources = await readSources(inbox);
  const [[foro], [group]] = [await sources.list('venue'), await sources.list('organizer')];
  for (const same_as of [foro?.id ?? '', group?.id ?? '']) {
    const { status, says } = await save(toPath(foro?.id ?? ''), { same_as });
    expect([status, says]).toEqual([422, expect.stringContaining('"issues":[["same_as",')]);
  }
});

test('what no release has shown yet is edited, too: a notice, and an approved event', async () => {
  const notice = {
    ...{ type: 'traffic', severity: 'warning', source_url: 'https://transito.example/1' },
    ...{ title_es: 'Cierre en la Tulum', title_en: 'Closure on Tulum Avenue' },
    ...{ body_es: 'Cerrada por obras.', body_en: 'Closed for works.' },
  };
  expect((await ask('/revision/avisos', notice)).status).toBe(303);
  const path = /\/revision\/editar\/no_\w+/.exec((await ask('/revision/avisos')).says)?.[0] ?? '';
  const title = 'Cierre parcial en la Tulum';
  expect((await save(path, { 'title.es': title })).status).toBe(303);
  expect((await ask('/revision/avisos')).says).toContain(title);

  const reference = await publish(inbox, { title: 'Todavía no publicada', dates: [] });
  const item = (await ask(`/revision/envios/${reference}`)).says;
  const edit = /\/revision\/editar\/ev_\w+/.exec(item)?.[0] ?? '';
  expect((await ask('/revision/eventos?q=todavia+no')).says).toContain(edit);
  expect((await save(edit, { tags: 'familia', verified: '1' })).status).toBe(303);
  const now = await readDatasetWith(inbox);
  expect(now.left_out).toEqual([]);
  const edited = now.events.find(({ id }) => edit.endsWith(id));
  expect(edited).toMatchObject({ tags: ['familia'], verified: true });
  expect(now.notices.map((one) => one.title.es)).toContain(title);
});

test('what a reader reports is mended on the screen of the report', async () => {
  const reference = await report(inbox, 'Ahora es para todos', FAIR);
  const path = `/revision/envios/${reference}`;
  const typed = { does: 'save', reason: 'Lo dijo un lector', tags: 'todos', report: reference };
  const saved = await ask(toPath(FAIR), await fill(path, typed));
  expect([saved.status, saved.location]).toEqual([303, `${path}?done=edited`]);
  expect((await recordOf(FAIR))?.tags).toEqual(['todos']);
  expect((await ask(saved.location)).says).toContain('Guardado');
});

test('what is due is told with its sources and what becomes of it', async () => {
  const { says } = await ask('/revision', undefined, { lang: 'en' });
  const source = '"url":"https://foro.example/horario"';
  for (const part of [source, toPath('ve_'), 'was due on July 9, 2026', 'February 11, 2027'])
    expect(says).toContain(part);
});

test('of an event with several days none is called off by itself, and no day alone is withdrawn', async () => {
  const path = toPath(FAIR);
  for (const [does, date] of Object.entries({ cancel: '', withdraw: '2026-11-24' }))
    expect((await ask(path, { does, date, reason: 'x' })).status, does).toBe(422);
  expect((await loadAppliedChanges(inbox, FAIR)).overrides).toEqual([]);
});
