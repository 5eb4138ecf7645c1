// One truth: no surface is surer than its source. truth.yml lists the statements of each surface, in both languages,
// about a record in each state: `cancelled, reason: [day, page]`. `nothing`: it does not mention the record.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { LANGS, type Lang } from '../../src/domain/lang.ts';
import { closeSnapshot, openSnapshot } from '../../src/snapshot/open-snapshot.ts';
import { getBrowser } from '../fixtures/browser.ts';
import { startServer } from '../fixtures/built-server.ts';
import { createFolder } from '../fixtures/folder.ts';
import {
  dayPath,
  embedPath,
  eventPath,
  findSnapshotFile,
  SURFACES,
  type Subject,
  type Town,
  venuePath,
} from '../fixtures/truth-surfaces.ts';
import {
  CHRISTMAS,
  EVENTS,
  type EventState,
  PLACES,
  type PlaceState,
  SATURDAY,
  toSlug,
  toTitle,
  writeTruthTown,
} from '../fixtures/truth-town.ts';

type Words = Readonly<Record<string, Readonly<Record<Lang, RegExp>>>>;
/** Statements about an event, with the words or the JSON for them. */
const EVENT_STATEMENTS: Words = {
  confirmed: { es: /✓|"certainty":"confirmed"/, en: /✓|"certainty":"confirmed"/ },
  'ask first': {
    es: /(?<!precio.{0,6})sin confirmar|confírmalo antes|llama antes|pregunta/i,
    en: /(?<!price.{0,6})not confirmed|check before|call first|\bask\b/i,
  },
  'as of 2017': { es: /2017/, en: /2017/ },
  cancelled: {
    es: /cancelad[oa]|"cancelled"|EventCancelled/i,
    en: /(?<!if one is )cancell?ed/i,
  },
  postponed: { es: /pospuest[oa]|postponed/i, en: /postponed/i },
  reason: { es: /por el viento/i, en: /because of the wind/i },
  'at 10': { es: /10:00|T100000/, en: /10 a\.m\.|10:00|T100000/ },
  'at 8': { es: /(?<!\d)0?8:00|T080000/, en: /\b8 a\.m\.|08:00|T080000/ },
  'hour unknown': {
    es: /hora por confirmar|"time_known":false/i,
    en: /time to be confirmed|"time_known":false/i,
  },
  'at night': { es: /de noche/i, en: /at night/i },
  'price 120': { es: /\b120\b/, en: /\b120\b/ },
  'price unknown': {
    es: /precio.{0,6} (por|sin) confirmar/i,
    en: /price.{0,6} (to be|not) confirmed/i,
  },
  free: {
    es: /gratis(?! para)|"is_free":true|"isAccessibleForFree":true/i,
    en: /\bfree\b(?! for)|"is_free":true|"isAccessibleForFree":true/i,
  },
  'free for nationals': {
    es: /gratis para nacionales|"free_for":\["national/i,
    en: /free for mexicans|"free_for":\["national/i,
  },
  'price 210': { es: /\b210\b/, en: /\b210\b/ },
  places: { es: /cupo limitado/i, en: /limited places/i },
  season: { es: /en temporada/i, en: /in season/i },
  over: { es: /[Yy]a pas[óa]|"is_past":true/, en: /\bOver\b|is over|has already|"is_past":true/ },
};
/** Statements about a place. */
const PLACE_STATEMENTS: Words = {
  open: {
    es: /\babr[ea]n?\b(?!:)|(?<!lugares )abiert[oa]|\d a \d|"opens"|"open":true/i,
    en: /(?<!usually )\bopens?\b(?! places)|m\. to \d|"open":true/i,
  },
  closed: {
    es: /\bcerrad[oa]|no abren?:|"open":false/i,
    en: /(?<!offices are )\bclosed\b|"open":false/i,
  },
  'last entry': { es: /último acceso|"last_entry":"/i, en: /last entry|"last_entry":"/i },
  'hours unknown': {
    es: /(?<!festivo )por confirmar|no conocemos un horario|no se indica el horario|"hours":null/i,
    en: /hours to be confirmed|don’t know of any published hours|no hours are given|"hours":null/i,
  },
  'holiday hours unknown': {
    es: /horario de día festivo por confirmar/i,
    en: /holiday hours not confirmed/i,
  },
};

type State = EventState | PlaceState;
const isPlace = (state: State): state is PlaceState => state in PLACES;
const STATES = [...Object.keys(EVENTS), ...Object.keys(PLACES)] as State[];

const TableSchema = v.record(v.string(), v.record(v.string(), v.array(v.string())));
const TABLE = v.parse(
  TableSchema,
  parse(readFileSync(join(import.meta.dirname, 'truth.yml'), 'utf8')),
);

let town: Omit<Town, 'page'>;
let pages: Readonly<Record<Lang, Page>>;
const closers: (() => unknown)[] = [];

beforeAll(async () => {
  const { folder, remove } = createFolder();
  closers.push(remove);
  const [content_dir, data_dir] = [join(folder, 'content'), join(folder, 'data')];
  await writeTruthTown(content_dir, data_dir);
  const server = await startServer({ content_dir, data_dir, env: { PICTURES: '0' } });
  closers.unshift(server.stop);
  const snapshot = openSnapshot(findSnapshotFile(data_dir));
  closers.unshift(() => closeSnapshot(snapshot));
  town = { server, snapshot };
  const openPage = async () => {
    const page = await (await getBrowser()).newPage({ viewport: { width: 390, height: 844 } });
    // Only texts are read.
    await page.route(/\.(woff2|svg|avif|webp|jpg|png)$/, (route) => route.abort());
    return page;
  };
  pages = { es: await openPage(), en: await openPage() };
}, 120_000);
afterAll(async () => {
  for (const page of Object.values(pages)) await page.close();
  for (const close of closers) await close();
});

function createSubject(state: State, lang: Lang): Subject {
  const [title, slug] = [toTitle(state), toSlug(state)];
  const day = state === 'place with unknown holiday hours' ? CHRISTMAS : SATURDAY;
  const record = { lang, title, slug, day };
  if (isPlace(state)) return { ...record, id: '', filter: `zone=${PLACES[state].zone}` };
  const id = town.snapshot.findId('event', slug) ?? '';
  return { ...record, id, filter: `category=${EVENTS[state].category}` };
}

/** Groups the surfaces by their statements about a record in a state. */
async function readState(state: State, lang: Lang): Promise<Record<string, string[]>> {
  const subject = createSubject(state, lang);
  const statements_of = isPlace(state) ? PLACE_STATEMENTS : EVENT_STATEMENTS;
  const groups = new Map<string, string[]>();
  for (const [surface, { event, place }] of Object.entries(SURFACES)) {
    const read = isPlace(state) ? place : event;
    const text = read && (await read({ ...town, page: pages[lang] }, subject));
    const said = Object.keys(statements_of).filter((name) =>
      statements_of[name]?.[lang].test(text ?? ''),
    );
    const statements = text === null ? 'nothing' : said.join(', ') || 'no statement';
    groups.set(statements, [...(groups.get(statements) ?? []), surface]);
  }
  return Object.fromEntries(groups);
}

test('the table has every state', () => {
  expect(Object.keys(TABLE)).toEqual(STATES);
});

test.each(LANGS)('phone numbers in notes and descriptions are links: %s', async (lang) => {
  const event = createSubject('usual', lang);
  const place = createSubject('place closed', lang);
  for (const path of [eventPath(event), dayPath(event), embedPath(event), venuePath(place)]) {
    const html = await (await town.server.get(path)).text();
    expect(html, path).toContain('<a href="tel:+529988984510">998 898 4510</a>');
  }
});

test.each(STATES)('every surface says what is known: %s', async (state) => {
  const [es, en] = await Promise.all(LANGS.map((lang) => readState(state, lang)));
  expect(es, 'in Spanish').toEqual(TABLE[state]);
  expect(en, 'in English').toEqual(TABLE[state]);
});
