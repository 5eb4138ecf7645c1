// Content to a town: faults with file, line and field, all at once; the ledger keeps what must
// stay.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EMPTY_LEDGER, type Ledger } from '../../src/domain/ledger.ts';
import type { Dataset } from '../../src/domain/dataset.ts';
import { readDataset } from '../../src/sources/read-dataset.ts';
import { at, FRIDAY_NOON_MS, FIXTURE_DIR } from '../fixtures/fixture.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hoy-content-'));
  cpSync(FIXTURE_DIR, folder, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (file: string, text: string): void => writeFileSync(join(folder, file), text);
const read = (ledger: Ledger = EMPTY_LEDGER, now_ms = FRIDAY_NOON_MS): Dataset =>
  readDataset(folder, ledger, now_ms);
const eventOf = (town: Dataset, slug: string) => {
  const event = town.events.find((e) => e.slug.es === slug);
  return { event, occurrences: town.occurrences.filter((o) => o.event === event?.id) };
};

const PLAIN = (more = '') => `title: { es: Charla, en: Talk }
summary: { es: Una charla., en: A talk. }
category: tech
price: free
when:
  - { dates: [2026-12-01], start: "18:00", end: "20:00" }
sources: [{ checked: 2026-11-20 }]
confidence: high
${more}`;

test.each([
  ['true', '', true],
  ['false', '', false],
  ['true', 'indoor: false', false],
  [null, '', null],
  [null, 'indoor: true', true],
] as const)(
  'at a venue that is under a roof: %s, an event with %j is: %s',
  (venue, own, indoor) => {
    const said = venue === null ? '' : `indoor: ${venue}\n`;
    const sources = 'sources: [{ checked: 2026-11-20 }]\nconfidence: high\n';
    write('venues/salon.yml', `name: Salón\nlocality: Cancún\n${sources}${said}`);
    write('events/charla.yml', PLAIN(`venue: salon\n${own}\n`));
    expect(eventOf(read(), 'charla').event?.indoor).toBe(indoor);
  },
);

describe('faulty content', () => {
  test('is refused with every fault at once, each with file, line and field', () => {
    write(
      'events/charla.yml',
      PLAIN()
        .replace('category: tech', 'category: techno')
        .replace('"18:00"', '"25:00"')
        .replace('confidence: high', 'confidencia: high'),
    );
    write('venues/malecon-inventado.yml', 'name: Sin nada\nlat: 200\n');
    expect(() => read()).toThrow(/faults; nothing was built/);
    let message = '';
    try {
      read();
    } catch (error) {
      message = String(error);
    }
    for (const line of [
      'events/charla.yml:3 category: must be one of live-music, party',
      'events/charla.yml:6 when[0].start: must be a time from 00:00 to 23:59, as "19:30"',
      'events/charla.yml:8 confidencia: is not a field',
      'confidence: is missing',
      'venues/malecon-inventado.yml:2 lat: must be 90 or less',
      'venues/malecon-inventado.yml:1 locality: is missing',
    ])
      expect(message).toContain(line);
  });
  test('in another encoding says in which line, and what to do', () => {
    const text = PLAIN().replace('Una charla.', 'Una canción.');
    writeFileSync(join(folder, 'events/charla.yml'), Buffer.from(text, 'latin1'));
    expect(() => read()).toThrow(/events\/charla\.yml:2 is not UTF-8, perhaps Latin-1/);
  });
  test.each<[string, string, string, RegExp]>([
    [
      'a bomb of aliases',
      'events/bomba.yml',
      PLAIN(
        `a: &a [x, x, x, x, x, x, x, x]\n${['b a', 'c b', 'd c', 'e d', 'f e']
          .map((two) => two.split(' '))
          .map(([name, of]) => `${name}: &${name} [${Array(8).fill(`*${of}`).join(', ')}]`)
          .join('\n')}\n`,
      ),
      /events\/bomba\.yml:\d+ repeats more by aliases/,
    ],
    [
      'a file that is not YAML',
      'events/rota.yml',
      'title: { es: "sin cerrar\n',
      /events\/rota\.yml:\d+ is not YAML/,
    ],
    [
      'a file of another ending',
      'events/nota.txt',
      'hola',
      /events\/nota\.txt is not read: a file here is named/,
    ],
    [
      'a venue that is not there',
      'events/charla.yml',
      PLAIN('venue: la-luna'),
      /events\/charla\.yml:9 venue: 'la-luna' is not there: no file venues\/la-luna\.yml/,
    ],
    [
      'a slug that is taken',
      'events/charla.yml',
      PLAIN('slug: { es: feria-diaria, en: talk }'),
      /slug: 'feria-diaria' is also the address of events\/.*\.yml/,
    ],
    [
      'a rule that is none',
      'events/charla.yml',
      PLAIN().replace('dates: [2026-12-01]', 'rrule: EVERY SUNDAY, since: 2026-01-01'),
      /events\/charla\.yml:6 when\[0\]\.rrule: is not a rule of RFC 5545/,
    ],
    [
      'a rule without a beginning',
      'events/charla.yml',
      PLAIN().replace('dates: [2026-12-01]', 'rrule: FREQ=DAILY'),
      /when\[0\]: must have since/,
    ],
    [
      'a rule that gives no day',
      'events/charla.yml',
      PLAIN().replace('dates: [2026-12-01]', 'rrule: FREQ=DAILY, since: 2040-01-01'),
      /when: gives no day at all/,
    ],
    [
      'a change of a day it is not on',
      'events/charla.yml',
      PLAIN('changes: [{ date: 2026-12-02, status: cancelled }]'),
      /events\/charla\.yml:9 changes\[0\]\.date: 2026-12-02 is not a day/,
    ],
    [
      'a day that does not exist',
      'events/charla.yml',
      PLAIN().replace('2026-12-01', '2026-02-30'),
      /when\[0\]\.dates\[0\]: must be a day that exists/,
    ],
    [
      'one language',
      'events/charla.yml',
      PLAIN().replace('{ es: Charla, en: Talk }', '{ es: Charla }'),
      /events\/charla\.yml:1 title\.en: is missing/,
    ],
    [
      'direction marks in a title',
      'events/charla.yml',
      PLAIN().replace('en: Talk', 'en: "T\u202ealk"'),
      /title\.en: must be one line/,
    ],
    [
      'a link that is none',
      'events/charla.yml',
      PLAIN('ticket_url: "javascript:alert(1)"'),
      /ticket_url: must be an address/,
    ],
    [
      'a price of another form',
      'events/charla.yml',
      PLAIN().replace('price: free', 'price: { min: -5 }'),
      /events\/charla\.yml:4 price\.min: must be 0 or more/,
    ],
  ])('with %s says so', (_what, file, text, message) => {
    write(file, text);
    expect(() => read()).toThrow(message);
  });
});

describe('the ledger', () => {
  const LATER_MS = at('2026-11-21T06:00:00');
  test('keeps updated_at and SEQUENCE where nothing changed', () => {
    const first = read();
    const second = read(first.ledger, LATER_MS);
    expect(eventOf(second, 'feria-diaria').event?.updated_at).toBe('2026-11-20T12:00:00-05:00');
    expect(eventOf(second, 'feria-diaria').occurrences.slice(0, 300)).toEqual(
      eventOf(first, 'feria-diaria').occurrences.slice(0, 300),
    );
  });
  test('moves them for the event and the one occurrence that changed, no other', () => {
    write('events/charla.yml', PLAIN().replace('[2026-12-01]', '[2026-12-01, 2026-12-08]'));
    const first = read();
    write(
      'events/charla.yml',
      PLAIN('changes: [{ date: 2026-12-08, status: cancelled }]').replace(
        '[2026-12-01]',
        '[2026-12-01, 2026-12-08]',
      ),
    );
    const second = read(first.ledger, LATER_MS);
    expect(eventOf(second, 'charla').event?.updated_at).toBe('2026-11-21T06:00:00-05:00');
    expect(
      eventOf(second, 'charla').occurrences.map((o) => [o.status, o.sequence, o.updated_at]),
    ).toEqual([
      ['scheduled', 0, '2026-11-20T12:00:00-05:00'],
      ['cancelled', 1, '2026-11-21T06:00:00-05:00'],
    ]);
    expect(eventOf(second, 'feria-diaria').event?.updated_at).toBe('2026-11-20T12:00:00-05:00');
  });
  test('knows a date again at another hour of its day, and a new one beside it', () => {
    const tell = (town: Dataset) =>
      eventOf(town, 'charla').occurrences.map(
        ({ id, start, sequence }) => `${id.split('-')[1]} ${start.slice(11, 16)} ${sequence}`,
      );
    const hours = (text: string) => write('events/charla.yml', PLAIN().replace('"18:00"', text));
    hours('"18:30"');
    const first = read();
    hours('"19:00"');
    const second = read(first.ledger, LATER_MS);
    hours('"19:00", end: "19:30" }\n  - { dates: [2026-12-01], start: "19:30"');
    const third = read(second.ledger, LATER_MS);
    expect([first, second, third, read(third.ledger, LATER_MS)].map(tell)).toEqual([
      ['20261201T1830 18:30 0'],
      ['20261201T1830 19:00 1'],
      ['20261201T1830 19:00 2', '20261201T1930 19:30 0'],
      ['20261201T1830 19:00 2', '20261201T1930 19:30 0'],
    ]);
  });
  test('leaves notes for editors out of what changed', () => {
    write('events/charla.yml', PLAIN());
    const first = read();
    write('events/charla.yml', PLAIN('editor_note: Llamar el lunes.'));
    expect(eventOf(read(first.ledger, LATER_MS), 'charla').event?.updated_at).toBe(
      '2026-11-20T12:00:00-05:00',
    );
  });
  test('keeps an old slug after a new title, and the id through both', () => {
    write('events/charla.yml', PLAIN());
    const first = read();
    write('events/charla.yml', PLAIN().replace('es: Charla', 'es: Conferencia'));
    const second = read(first.ledger, LATER_MS);
    const id = eventOf(first, 'charla').event?.id;
    expect(eventOf(second, 'conferencia').event?.id).toBe(id);
    expect(second.slugs.find((s) => s.slug === 'charla')?.id).toBe(id);
  });
  test('does not give a published slug to another event', () => {
    write('events/charla.yml', PLAIN());
    const first = read();
    write(
      'events/charla.yml',
      PLAIN().replace('es: Charla', 'es: Conferencia').replace('en: Talk', 'en: Lecture'),
    );
    write('events/otra.yml', PLAIN());
    expect(() => read(first.ledger, LATER_MS)).toThrow(
      /events\/otra\.yml:1 slug: 'charla' was published for ev_/,
    );
  });
  test('answers 410 for what was published and whose file is gone', () => {
    write('events/charla.yml', PLAIN());
    const first = read();
    rmSync(join(folder, 'events/charla.yml'));
    expect(read(first.ledger, LATER_MS).withdrawn.map((s) => s.slug)).toContain('charla');
  });
  test('cancels only what had not ended when the event was cancelled, now and in later releases', () => {
    write('events/charla.yml', PLAIN().replace('[2026-12-01]', '[2026-11-19, 2026-12-01]'));
    const first = read();
    write(
      'events/charla.yml',
      PLAIN('status: cancelled').replace('[2026-12-01]', '[2026-11-19, 2026-12-01]'),
    );
    const second = read(first.ledger, LATER_MS);
    const third = read(second.ledger, at('2027-06-01T06:00:00'));
    for (const town of [second, third])
      expect(eventOf(town, 'charla').occurrences.map((o) => o.status)).toEqual([
        'scheduled',
        'cancelled',
      ]);
    expect(eventOf(third, 'charla').occurrences).toEqual(eventOf(second, 'charla').occurrences);
  });
});
