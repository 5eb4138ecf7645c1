// The desk's first page: what an hour has to settle, each line with its one action (contract 14.43).
import { expect, test } from 'vitest';
import { requestStatusChange } from '../../../src/desk/submissions.ts';
import { SOURCE_DEAD_AFTER_MS } from '../../../src/desk/import-source.ts';
import { saveSourceState } from '../../../src/inbox/followed-sources.ts';
import { handleSubmit } from '../../../src/site/forms/submit-form.ts';
import { publish } from '../../fixtures/approved.ts';
import { bring, send, toCalendar, toEvent } from '../../fixtures/calendars.ts';
import { enterDesk } from '../../fixtures/desk-visit.ts';
import { openInTest, readFixture } from '../../fixtures/fixture.ts';
import { openFixtureInbox, useOneInbox, readValue, sendIn } from '../../fixtures/inbox.ts';
import { openState } from '../../fixtures/site.ts';
import { UNREAD } from '../../fixtures/source-server.ts';
import { toVisit } from '../../fixtures/visit.ts';

const town = readFixture();
const state = openState();
const { snapshot, now_ms: NOW_MS } = state;
const { inbox } = await useOneInbox();
const { ask } = await enterDesk(inbox, state);

/** A source as it stands; `gone`: since when it does not answer. */
const follow = (key: string, batch: number | null, gone_ms: number | null) =>
  saveSourceState(inbox, {
    ...{ ...UNREAD, key, batch, url: `https://${key}.example/a.ics`, read_ms: NOW_MS },
    ...{ failing_ms: gone_ms, problem: gone_ms === null ? null : 'not_found' },
  });

test('it has what is pressing first, each line with its one action, and nothing twice', async () => {
  const asked = await publish(inbox, { title: 'Se cancela' });
  const request = { asks: 'cancel', message: 'Sí', dates: null } as const;
  await requestStatusChange(inbox, { reference: asked, now_ms: NOW_MS, ...request });
  const { reference } = await sendIn(inbox, { title: 'Que espera' }, 'form', NOW_MS - 86_400_000);
  const here = { inbox, snapshot };
  const calendar = toCalendar(toEvent('Uno', 1), toEvent('Dos', 2));
  const brought = await send(here, await bring(here, calendar));
  const batch = await readValue(inbox, 'select id from batches where reference = ?', brought);
  await follow('con-novedades', Number(batch), null);
  await follow('sin-respuesta', null, NOW_MS - SOURCE_DEAD_AFTER_MS);
  await follow('en-paz', null, null);
  const { page, says } = await ask('/revision');
  const row = (path: string, act: string) => expect.objectContaining({ path, act });
  const silent = '/revision/fuentes#sin-respuesta';
  const toItem = (one: string) => `/revision/envios/${one}`;
  const rest = { id: 'waiting', title: 'Lo demás que espera (1)' };
  const edit = expect.stringMatching(/^\/revision\/editar\/.*#f-sources$/);
  const add = expect.stringMatching(/^\/publicar\?start_date=2026-11-2\d$/);
  expect(page).toMatchObject({
    name: 'list',
    view: {
      groups: [
        { id: 'requests', rows: [row(toItem(asked), 'Decidir')] },
        { id: 'unconfirmed', rows: [row(edit, 'Confirmar')] },
        { id: 'sources', rows: [toItem(brought), silent].map((path) => row(path, 'Ver')) },
        { ...rest, rows: [row(toItem(reference), 'Decidir')] },
        { id: 'due', rows: [row(edit, 'Verificar')] },
        { id: 'gaps', rows: expect.arrayContaining([row(add, 'Agregar evento')]) },
      ],
    },
  });
  for (const said of ['2 esperan', 'más de dos días', 'Lo más antiguo llegó el 2026-11-19'])
    expect(says).toContain(said);
});

test('a gap is what the town usually has and now has not; its link fills in the form', async () => {
  const find = (slug: string) => town.events.filter((event) => event.slug.es === slug);
  const copy = (events: typeof town.events, times: number) =>
    Array.from({ length: times }, (_, at) =>
      events.map((event) => ({
        ...{ ...event, id: `${event.id}${at}`, zone: 'downtown' },
        slug: { es: `${event.slug.es}-${at}`, en: `${event.slug.en}-${at}` },
      })),
    ).flat();
  const quiet = await openFixtureInbox();
  const tell = async (past: number) => {
    const events = [...copy(find('exposicion-larga'), 3), ...copy(find('taller-pasado'), past)];
    const occurrences = town.occurrences.flatMap((one) =>
      events
        .filter(({ id }) => id.startsWith(one.event))
        .map(({ id }) => ({ ...one, id: `${one.id}${id}`, event: id })),
    );
    const other = openInTest({ ...town, events, occurrences, due: [], slugs: [] });
    const desk = await enterDesk(quiet.inbox, { ...state, snapshot: other });
    return (await desk.ask('/revision')).says;
  };
  for (const past of [0, 1]) expect(await tell(past)).toContain('Es todo por hoy');
  expect(await tell(2)).toContain('"path":"/publicar?category=tech&zone=downtown"');
  await quiet.close();
  const query = { category: 'tech', zone: 'downtown', start_date: '2026-11-24' };
  const form = await handleSubmit(state, toVisit(inbox, { query }), 'es');
  expect(form).toMatchObject({ page: { form: { values: query } } });
});
