// Public data files: the four forms have the same events as the API (contract 17).
import Database from 'better-sqlite3';
import * as v from 'valibot';
import { afterAll, describe, expect, test } from 'vitest';
import { toCsv } from '../../src/serializers/data-tables.ts';
import type { Lang } from '../../src/domain/lang.ts';
import { EventResponse } from '../fixtures/responses.ts';
import { DATA_NAMES, getDataFile, buildPublicData } from '../../src/site/data-files.ts';
import { requestApi, getFromApi } from '../fixtures/ask.ts';
import { FRIDAY_NOON_MS, openTestSnapshot, useFixture } from '../fixtures/fixture.ts';
import { loadGeneratedTown } from '../fixtures/made-up-town.ts';
import { openPageContext, SITE } from '../fixtures/site.ts';

const { snapshot } = useFixture(loadGeneratedTown(150));
const state = { snapshot, site: SITE, now_ms: FRIDAY_NOON_MS };
const small = openPageContext();
const textOf = (name: string): string => getDataFile(state, name)?.toString('utf8') ?? '';

type Row = Readonly<Record<string, unknown>>;
const RowSchema = v.record(v.string(), v.unknown());

/** Parses CSV (RFC 4180) into rows by column name. */
function parseCsv(text: string): Record<string, string>[] {
  const records: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r]*))(,|\r\n)/g)) {
    records.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end !== ',') records.push([]);
  }
  const [names = [], ...rows] = records.slice(0, -1);
  return rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? ''])));
}

const formatCsvField = (value: unknown): string =>
  value === null
    ? ''
    : Array.isArray(value)
      ? value.join(';')
      : typeof value === 'string'
        ? value.replace(/^(?=[=+\-@\t\r])/, "'")
        : String(value);

const lines = textOf('events.jsonl')
  .trimEnd()
  .split('\n')
  .map((line) => v.parse(RowSchema, JSON.parse(line)));
const by_id = new Map<unknown, Row>(lines.map((row) => [row.id, row]));
const db = new Database(getDataFile(state, 'agenda.sqlite') ?? Buffer.alloc(0));
afterAll(() => db.close());
const query = (sql: string, ...values: unknown[]): Row[] =>
  v.parse(v.array(RowSchema), db.prepare(sql).all(...values));

/** Columns that are nested fields in the API. */
const NESTED_FIELDS: Readonly<Record<string, (event: ApiEvent) => unknown>> = {
  category: ({ category }) => category?.key,
  zone: ({ zone }) => zone?.key,
  venue_name: ({ venue }) => venue?.name,
  address: ({ venue }) => venue?.address,
  lat: ({ venue }) => venue?.lat,
  lng: ({ venue }) => venue?.lng,
  is_free: ({ price }) => price.is_free,
  free_for: ({ price }) => price.free_for,
  price_min: ({ price }) => price.min,
  price_max: ({ price }) => price.max,
  price_text: ({ price }) => price.text,
  currency: ({ price }) => price.currency,
  organizer_name: ({ organizer }) => organizer?.name,
  image_url: ({ image }) => image?.url,
  first_date: ({ occurrences }) => occurrences[0]?.date,
  last_date: ({ occurrences }) => occurrences.at(-1)?.date,
};
const fetchEvent = (id: string, lang: Lang) =>
  getFromApi(snapshot, EventResponse, `/api/v1/events/${id}?lang=${lang}`).data;
type ApiEvent = ReturnType<typeof fetchEvent>;

/** Columns that the API does not have. */
const DATA_ONLY_COLUMNS = ['venue', 'organizer'];

function expectedFromApi(id: string) {
  const [es, en] = [fetchEvent(id, 'es'), fetchEvent(id, 'en')];
  const columns = Object.keys(lines[0] ?? {}).filter(
    (column) => !DATA_ONLY_COLUMNS.includes(column),
  );
  const row = columns.map((column) => {
    const [, name = column, lang] = /^(.+)_(es|en)$/.exec(column) ?? [];
    const event: ApiEvent & Row = lang === 'en' ? en : es;
    const value = column.startsWith('url_')
      ? event[column]
      : (NESTED_FIELDS[name] ?? ((row: Row) => row[name]))(event);
    return [column, value ?? null] as const;
  });
  return {
    row: Object.fromEntries(row),
    dates: es.occurrences.map(({ notes, ...rest }, at) => ({
      ...rest,
      ...{ event: es.id, notes_es: notes, notes_en: en.occurrences[at]?.notes ?? null },
    })),
  };
}
const ids = query('select id from events').map(({ id }) => String(id));

describe('every event', () => {
  test('is in each form exactly once', () => {
    expect(ids.length).toBe(snapshot.index.cards.length);
    expect([...by_id.keys()].sort()).toEqual([...ids].sort());
    expect(parseCsv(textOf('events.csv')).map(({ id }) => id)).toEqual(lines.map(({ id }) => id));
  });

  test('has the fields of the API in JSON Lines', () => {
    for (const id of ids) expect(by_id.get(id)).toMatchObject(expectedFromApi(id).row);
  });

  test('has the fields and occurrences of the API in SQLite', () => {
    const toStoredRow = (fields: object) =>
      Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, toStored(value)]));
    for (const id of ids) {
      const { row, dates } = expectedFromApi(id);
      expect(query('select * from events where id = ?', id)).toMatchObject([toStoredRow(row)]);
      const stored = query('select * from occurrences where event = ? order by start, id', id);
      expect(stored).toEqual(expect.arrayContaining(dates.map(toStoredRow)));
      expect(stored).toHaveLength(dates.length);
    }
  });

  test('has the same fields in CSV, without formulas', () => {
    for (const row of parseCsv(textOf('events.csv'))) {
      const expected = by_id.get(row.id) ?? {};
      expect(row).toEqual(
        Object.fromEntries(
          Object.entries(expected).map(([name, value]) => [name, formatCsvField(value)]),
        ),
      );
      for (const [name, field] of Object.entries(row))
        if (!['lat', 'lng'].includes(name)) expect(field).not.toMatch(/^[=+\-@]/);
    }
  });
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1'])('escapes the formula %j in CSV', (text) => {
  const columns = [{ name: 'title', base: 'title', type: 'text' }] as const;
  const file = toCsv({ name: 'events', columns, rows: [[text], [-1]] });
  expect(file).toBe(`title\r\n'${text}\r\n-1\r\n`);
});

const toStored = (value: unknown): unknown =>
  typeof value === 'boolean' ? Number(value) : Array.isArray(value) ? JSON.stringify(value) : value;

describe('data files', () => {
  test('have only the public tables and columns', () => {
    expect(query("select name from sqlite_master where type = 'table' order by name")).toEqual(
      ['events', 'notices', 'occurrences', 'organizers', 'venues'].map((name) => ({ name })),
    );
    for (const { name, columns } of buildPublicData(state).tables)
      expect(query(`select name from pragma_table_info('${name}')`)).toEqual(
        columns.map((column) => ({ name: column.name })),
      );
  });

  test('are the same bytes at any time for the same content', () => {
    const later = openTestSnapshot(undefined, FRIDAY_NOON_MS + 5_000_000);
    const [first, second] = [small.snapshot, later].map((one) =>
      buildPublicData({ snapshot: one, site: SITE }).files.map(({ name, sha256 }) => [
        name,
        sha256,
      ]),
    );
    expect(first).toEqual(second);
  });

  test('have no withdrawn event', () => {
    expect(requestApi(small.snapshot, '/api/v1/events/evento-retirado').status).toBe(410);
    for (const name of DATA_NAMES)
      expect(getDataFile(small, name)?.includes('evento-retirado')).toBe(false);
  });
});
