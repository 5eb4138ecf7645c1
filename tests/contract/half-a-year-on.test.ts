// The real town with the clock moved on and nothing edited: it says less, nothing false, and every
// surface still answers alike (contract 6.2, 6.5, 5.10).
import { join } from 'node:path';
import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { serveShared } from '../fixtures/shared-release.ts';
import { expect, test } from 'vitest';
import { LANGS } from '../../src/domain/lang.ts';
import { EMPTY_LEDGER } from '../../src/domain/ledger.ts';
import { EventListResponse, EventResponse } from '../fixtures/responses.ts';
import { toFall } from '../../src/domain/knowledge.ts';
import { readDue } from '../../src/sources/due.ts';
import { readDataset } from '../../src/sources/read-dataset.ts';
import { SITE_URL } from '../fixtures/built-server.ts';
import { at } from '../fixtures/fixture.ts';

const CONTENT = join(import.meta.dirname, '../../content');
const NOW = '2027-05-21T12:00:00-05:00';
const TODAY = Temporal.PlainDate.from('2027-05-21');

const server = await serveShared({ clock_start: NOW });

const readText = async (path: string): Promise<string> => {
  const answer = await server.get(path);
  expect(answer.status, path).toBe(200);
  return answer.text();
};
const readJson = async <S extends v.GenericSchema>(schema: S, path: string) =>
  v.parse(schema, JSON.parse(await readText(path)));

test('what is overdue is listed by npm run due, and prints no dates ahead', async () => {
  const { overdue } = readDue(CONTENT, TODAY, 0);
  const old = overdue.filter((fact) => toFall(fact, TODAY)?.now === 'last_known');
  expect(old.length).toBeGreaterThan(5);
  for (const { sources } of overdue) expect(sources.length).toBeGreaterThan(0);

  const { data } = await readJson(EventListResponse, '/api/v1/events?limit=200');
  expect(data.length).toBeGreaterThan(5);
  for (const event of data) {
    expect(event.certainty, event.title).not.toBe('last_known');
    if (event.next) expect(event.next.certainty, event.title).not.toBe('last_known');
  }
});

test.each(['2027-05-21T12:00:00', '2027-11-21T12:00:00', '2028-11-21T12:00:00'])(
  'on %s no rule that is only last known gives a date to come, whatever else its event has',
  (now) => {
    const { events, occurrences } = readDataset(CONTENT, EMPTY_LEDGER, at(now));
    const old = new Set(events.flatMap((e) => (e.certainty === 'last_known' ? [e.id] : [])));
    expect(
      occurrences.flatMap((o) => (o.start_ms > at(now) && old.has(o.event) ? [o.id] : [])),
    ).toEqual([]);
  },
);

test('an event that is only last known says so on every surface, and is in no feed ahead', async () => {
  const { events } = readDataset(CONTENT, EMPTY_LEDGER, at('2027-05-21T12:00:00'));
  const old = events.filter(({ certainty }) => certainty === 'last_known').slice(0, 4);
  expect(old).toHaveLength(4);
  const feed = await readText('/api/v1/events.ics');
  for (const { id } of old) {
    expect(feed).not.toContain(`UID:${id}-`);
    for (const lang of LANGS) {
      const { data } = await readJson(EventResponse, `/api/v1/events/${id}?lang=${lang}`);
      const path = data.url.slice(SITE_URL.length);
      expect(data.confirm).not.toBeNull();
      const said = (data.confirm ?? '').replace(/\s+/g, ' ');
      const page = (await readText(path)).replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
      expect(page, path).toContain(said);
      expect((await readText(`${path}.md`)).replace(/\\(.)/g, '$1'), path).toContain(said);
    }
  }
});

test('what only came round in a year before says of which year it is known', async () => {
  const { notices } = readDataset(CONTENT, EMPTY_LEDGER, at('2027-11-25T12:00:00'));
  const inferred = notices.filter(
    (notice) => notice.inferred && notice.start_ms > at('2027-11-25T12:00:00'),
  );
  expect(inferred.length).toBeGreaterThan(3);
  for (const { severity, evidence, start_ms } of inferred) {
    expect(severity).toBe('info');
    if (evidence) expect(evidence.year).toBeLessThan(new Date(start_ms).getUTCFullYear());
  }
});
