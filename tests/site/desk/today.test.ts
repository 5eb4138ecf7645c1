// First screen of the desk: an hour's work in order, each row with its one action (contract 14.43).
import { expect, test } from 'vitest';
import { requestStatusChange } from '../../../src/desk/submissions.ts';
import { SOURCE_DEAD_AFTER_MS } from '../../../src/desk/import-source.ts';
import { saveSourceState } from '../../../src/inbox/followed-sources.ts';
import { NO_RELEASE_STATUS, type ReleaseStatus } from '../../../src/domain/health.ts';
import { handleSubmit } from '../../../src/site/forms/submit-form.ts';
import { publish } from '../../fixtures/approved.ts';
import { importCalendar, submitCalendar, icsCalendar, icsEvent } from '../../fixtures/calendars.ts';
import { openDesk } from '../../fixtures/desk-visit.ts';
import { openTestSnapshot, loadFixture } from '../../fixtures/fixture.ts';
import {
  openFixtureInbox,
  useSharedInbox,
  queryValue,
  submitTestEvent,
} from '../../fixtures/inbox.ts';
import { openPageContext } from '../../fixtures/site.ts';
import { UNREAD_STATE } from '../../fixtures/source-server.ts';
import { createVisit } from '../../fixtures/visit.ts';

const town = loadFixture();
const state = openPageContext();
const { snapshot, now_ms: NOW_MS } = state;
const { inbox } = await useSharedInbox();
const { ask } = await openDesk(inbox, state);

/** Stores the state of a followed source, which has failed since `failing_ms`. */
const follow = (key: string, batch: number | null, failing_ms: number | null) =>
  saveSourceState(inbox, {
    ...{ ...UNREAD_STATE, key, batch, url: `https://${key}.example/a.ics`, read_ms: NOW_MS },
    ...{ failing_ms, problem: failing_ms === null ? null : 'not_found' },
  });

test('lists urgent items first, each row with one action and no item twice', async () => {
  const requested = await publish(inbox, { title: 'Se cancela' });
  const request = { asks: 'cancel', message: 'Sí', dates: null } as const;
  await requestStatusChange(inbox, { reference: requested, now_ms: NOW_MS, ...request });
  const { reference } = await submitTestEvent(
    inbox,
    { title: 'Que espera' },
    'form',
    NOW_MS - 86_400_000,
  );
  const here = { inbox, snapshot };
  const calendar = icsCalendar(icsEvent('Uno', 1), icsEvent('Dos', 2));
  const import_reference = await submitCalendar(here, await importCalendar(here, calendar));
  const select_batch = 'select id from batches where reference = ?';
  const batch = await queryValue(inbox, select_batch, import_reference);
  await follow('con-novedades', Number(batch), null);
  await follow('sin-respuesta', null, NOW_MS - SOURCE_DEAD_AFTER_MS);
  await follow('en-paz', null, null);
  const { page, page_json } = await ask('/revision');
  const row = (path: string, action_label: string) =>
    expect.objectContaining({ path, action_label });
  const failing_source = '/revision/fuentes#sin-respuesta';
  const itemPath = (item_reference: string) => `/revision/envios/${item_reference}`;
  const rest = { id: 'waiting', title: 'Los demás pendientes (1)' };
  const edit = expect.stringMatching(/^\/revision\/editar\/.*#f-sources$/);
  const add = expect.stringMatching(/^\/publicar\?start_date=2026-11-2\d$/);
  expect(page).toMatchObject({
    name: 'list',
    view: {
      groups: [
        { id: 'requests', rows: [row(itemPath(requested), 'Decidir')] },
        { id: 'unconfirmed', rows: [row(edit, 'Confirmar')] },
        {
          id: 'sources',
          rows: [itemPath(import_reference), failing_source].map((path) => row(path, 'Ver')),
        },
        { ...rest, rows: [row(itemPath(reference), 'Decidir')] },
        { id: 'due', rows: [row(edit, 'Verificar')] },
        { id: 'gaps', rows: expect.arrayContaining([row(add, 'Agregar evento')]) },
      ],
    },
  });
  for (const text of ['2 pendientes', 'más de dos días', 'Lo más antiguo llegó el 2026-11-19'])
    expect(page_json).toContain(text);
});

test('names a source with alerts of the sender of another source, also in the list of sources', async () => {
  await saveSourceState(inbox, {
    ...{ ...UNREAD_STATE, key: 'imitadora', url: 'https://imitadora.example/a.xml' },
    ...{ next_ms: NOW_MS, senders: { 'smn.mx': 'tiempo' } },
  });
  const warnings = expect.arrayContaining([expect.stringMatching(/smn\.mx.*tiempo/)]);
  expect((await ask('/revision')).page).toMatchObject({
    view: {
      groups: expect.arrayContaining([
        expect.objectContaining({
          id: 'sources',
          rows: expect.arrayContaining([expect.objectContaining({ title: 'imitadora', warnings })]),
        }),
      ]),
    },
  });
  const { page_json } = await ask('/revision/fuentes');
  expect(page_json).toMatch(
    /Sus alertas llevan el remitente smn\.mx, que antes usó la fuente tiempo/,
  );
});

test('lists usual categories without upcoming events, with a link that fills in the form', async () => {
  const find = (slug: string) => town.events.filter((event) => event.slug.es === slug);
  const copy = (events: typeof town.events, times: number) =>
    Array.from({ length: times }, (_, at) =>
      events.map((event) => ({
        ...{ ...event, id: `${event.id}${at}`, zone: 'downtown' },
        slug: { es: `${event.slug.es}-${at}`, en: `${event.slug.en}-${at}` },
      })),
    ).flat();
  const empty = await openFixtureInbox();
  const readToday = async (past: number) => {
    const events = [...copy(find('exposicion-larga'), 3), ...copy(find('taller-pasado'), past)];
    const occurrences = town.occurrences.flatMap((occurrence) =>
      events
        .filter(({ id }) => id.startsWith(occurrence.event))
        .map(({ id }) => ({ ...occurrence, id: `${occurrence.id}${id}`, event: id })),
    );
    const other = openTestSnapshot({ ...town, events, occurrences, due: [], slugs: [] });
    const desk = await openDesk(empty.inbox, { ...state, snapshot: other });
    return (await desk.ask('/revision')).page_json;
  };
  for (const past of [0, 1]) expect(await readToday(past)).toContain('Es todo por hoy');
  expect(await readToday(2)).toContain('"path":"/publicar?category=tech&zone=downtown"');
  await empty.close();
  const query = { category: 'tech', zone: 'downtown', start_date: '2026-11-24' };
  const form = await handleSubmit(state, createVisit(inbox, { query }), 'es');
  expect(form).toMatchObject({ page: { form: { values: query } } });
});

test('confirms a decision without a promise if publishing fails', async () => {
  const confirm = async (failure: ReleaseStatus['failure']) => {
    const readReleaseNews = async () => ({ ...NO_RELEASE_STATUS, failure });
    return (await ask('/revision?done=decided', undefined, { readReleaseNews })).page_json;
  };
  expect(await confirm(null)).toContain('En unos segundos se ve en todas partes');
  const failed = await confirm({ at: '2026-11-20T12:00:00-05:00', reason: 'x' });
  expect(failed).toContain('aún no se ve en el sitio');
  expect(failed).not.toContain('En unos segundos');
});
