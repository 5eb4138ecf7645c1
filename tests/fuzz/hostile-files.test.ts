// Fuzzer: sends random hostile files of up to 1 MiB to every parser of external files, and random
// texts to the parsers that run in the server's own thread. None may take longer than two seconds.
// FUZZ_SECONDS sets the duration (60 by default), FUZZ_SEED repeats a run.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Temporal } from 'temporal-polyfill';
import { afterAll, expect, test } from 'vitest';
import { cleanLine, cleanText } from '../../src/domain/clean-text.ts';
import { IMPORT_LIMITS } from '../../src/domain/imported-events.ts';
import { EMPTY_LEDGER } from '../../src/domain/ledger.ts';
import { parseFlyer } from '../../src/domain/submission/flyer.ts';
import { MAX_ACCEPTED_FORM_BYTES } from '../../src/http/form-body.ts';
import { loadDataset } from '../../src/sources/build-dataset.ts';
import { PARSE_LIMITS, parseInWorker } from '../../src/sources/external/parse-in-worker.ts';

const DURATION_MS = Number(process.env.FUZZ_SECONDS ?? '60') * 1_000;
const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
/** Seeds that every run tries first. Add one that found a fault. */
const FIXED_SEEDS = [1, 2, 3];
/** Time to end a thread and to answer, in addition to the limit. */
const MARGIN_MS = 2_000;

/** Random numbers from 0 to 1 by a seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const CALENDAR_PARTS = [
  ...['BEGIN:VEVENT\n', 'END:VEVENT\n', 'BEGIN:VTIMEZONE\n', 'END:VTIMEZONE\n', 'BEGIN:VALARM\n'],
  ...[
    'SUMMARY:a',
    'DESCRIPTION:',
    'LOCATION:b',
    'DTSTART:20270101T100000',
    'DTSTART;TZID=',
    'UID:u',
  ],
  ...[
    'RRULE:FREQ=DAILY',
    ';COUNT=9999999',
    ';BYDAY=MO',
    ';BYSETPOS=1',
    ';INTERVAL=2',
    'X-LIC-LOCATION:',
  ],
  ...[
    'RDATE:20270101',
    'EXDATE:',
    ',20270101T100000',
    'RECURRENCE-ID:20270101T100000',
    'DURATION:P',
    '9D',
  ],
  ...[
    'TZOFFSETTO:+0100',
    'TZID:',
    'A/',
    'CATEGORIES:',
    ';A=b',
    ';A="',
    'STATUS:CANCELLED',
    'SEQUENCE:9',
  ],
];
const MARKUP_PARTS = [
  ...[
    '<a>',
    '</a>',
    '<a ',
    'b="c" ',
    '/>',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '<?x ',
    '?>',
    '<alert>',
  ],
  ...[
    '</alert>',
    '<info>',
    '</info>',
    '<area>',
    '</area>',
    '<polygon>',
    '</polygon>',
    '1,1 ',
    '1.',
    '-1',
  ],
  ...[
    '<references>',
    '</references>',
    'a,b,c ',
    '<item>',
    '</item>',
    '<entry>',
    '<link href="x"/>',
  ],
  ...[
    '<script type="application/ld+json">',
    '</script>',
    '{"@type":"Event",',
    '"name":"x"',
    '[',
    ']',
    '}',
  ],
  ...['<title>', '<html>', '</html>', '"startDate":"2027-01-01"', '&amp;', '&#1;', 'http://a.b/'],
];
const TEXT_PARTS = [
  ...[
    'a',
    ' ',
    '\n',
    '\\n',
    '[',
    ']',
    '[a b="c"',
    ' b="c"',
    '[/a]',
    '_',
    '__________',
    '-::~',
    ':',
    '~',
  ],
  ...[
    '<p>',
    '<',
    '&amp;',
    '\u0301',
    '\u200d',
    '😀',
    '\ufe0f',
    'Join Zoom Meeting',
    '\\,',
    '.',
    '1',
    '$',
  ],
  ...[
    'viernes 4 de diciembre ',
    '8 pm ',
    '20:00',
    ' a ',
    'del 1 al 5 ',
    'www.',
    '@',
    '#',
    'hasta ',
    '/',
  ],
];
const read = (folder: string): string[] => {
  const path = join(import.meta.dirname, '../fixtures', folder);
  return readdirSync(path).map((name) => readFileSync(join(path, name), 'latin1'));
};
const REAL_FILES = [...read('feeds'), ...read('notices')];

/** Builds a text of parts that repeat, in a random or a real file, up to a random size. */
function buildText(random: () => number, parts: readonly string[], max: number): string {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const unit = Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(parts)).join('');
  const size = Math.floor(max * (random() < 0.5 ? 1 : random()));
  const around = random() < 0.5 ? pick(REAL_FILES).slice(0, max / 8) : pick(parts).repeat(3);
  const cut = Math.floor(random() * around.length);
  const filling = unit.repeat(Math.max(1, Math.ceil((size - around.length) / unit.length)));
  return (around.slice(0, cut) + filling + around.slice(cut)).slice(0, max);
}

const NOW_MS = Date.parse('2026-11-28T12:00:00-05:00');
const LINK = 'https://alerts.example/feed';
const parsers: readonly [string, (bytes: Buffer) => Promise<unknown>][] = [
  ['calendar', (bytes) => parseInWorker('parseCalendar', bytes, NOW_MS)],
  ['page', (bytes) => parseInWorker('parseJsonLd', bytes, NOW_MS)],
  ['feed', (bytes) => parseInWorker('parseFeedEntries', bytes, NOW_MS)],
  ['alerts', (bytes) => parseInWorker('parseAlerts', bytes, 'es')],
  ['links of a feed', (bytes) => parseInWorker('listAlertLinks', bytes, LINK)],
];
const { taxonomy } = loadDataset(join(import.meta.dirname, '../../content'), EMPTY_LEDGER, NOW_MS);
const today = Temporal.PlainDate.from('2026-11-28');
const flyer_context = { taxonomy, today, lang: 'es', venues: [] } as const;

/**
 * Runs a parser and returns an error message if it took too long: processor time of all threads,
 * because other programs may delay it.
 */
async function measure(name: string, seed: number, limit_ms: number, run: () => unknown) {
  const started = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(started);
  const taken_ms = Math.round((user + system) / 1_000);
  return taken_ms <= limit_ms ? [] : [`FUZZ_SEED=${seed}: ${name} took ${taken_ms} ms`];
}

async function tryInputs(seed: number): Promise<string[]> {
  const random = createRandom(seed);
  const results: string[] = [];
  const limit_ms = PARSE_LIMITS.parse_ms + MARGIN_MS;
  for (const [name, parse] of parsers) {
    const parts = [...(name === 'calendar' ? CALENDAR_PARTS : MARKUP_PARTS), ...TEXT_PARTS];
    const bytes = Buffer.from(buildText(random, parts, IMPORT_LIMITS.bytes)).subarray(
      0,
      IMPORT_LIMITS.bytes,
    );
    results.push(...(await measure(name, seed, limit_ms, () => parse(bytes))));
  }
  const text = buildText(random, TEXT_PARTS, MAX_ACCEPTED_FORM_BYTES);
  results.push(
    ...(await measure('flyer', seed, PARSE_LIMITS.parse_ms, () => parseFlyer(text, flyer_context))),
    ...(await measure('text', seed, PARSE_LIMITS.parse_ms, () => [
      cleanText(text),
      cleanLine(text),
    ])),
  );
  return results;
}

let count = 0;
test(
  `no input takes longer than two seconds, from seed ${SEED}`,
  async () => {
    // The first file also waits for the start of the thread.
    await parseInWorker('parseCalendar', Buffer.from('warm up'), NOW_MS);
    const seeds = [...FIXED_SEEDS];
    const end_ms = performance.now() + DURATION_MS;
    const problems: string[] = [];
    for (let seed = SEED; performance.now() < end_ms && problems.length < 10; seed++) {
      problems.push(...(await tryInputs(seeds.shift() ?? seed)));
      count += 1;
    }
    expect(problems).toEqual([]);
  },
  DURATION_MS + 60_000,
);
afterAll(() => console.info(`${count} rounds of ${parsers.length + 2} inputs`));
