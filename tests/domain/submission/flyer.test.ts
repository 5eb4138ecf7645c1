// Flyer parser: typical local flyers, parsed to form values and questions (contract 14.42).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseDay } from '../../../src/domain/local-time.ts';
import { EMPTY_LEDGER } from '../../../src/domain/ledger.ts';
import { parseFlyer } from '../../../src/domain/submission/flyer.ts';
import { loadDataset } from '../../../src/sources/build-dataset.ts';
import { localMs } from '../../fixtures/fixture.ts';

const ROOT = join(import.meta.dirname, '../../..');
const names = v.optional(v.array(v.string()), []);
const FlyerSchema = v.object({
  text: v.string(),
  is: v.record(v.string(), v.string()),
  ask: names,
  /** Controls for which the text has a fact that the parser does not find. */
  open: names,
});
const { venues, flyers } = v.parse(
  v.object({ venues: names, flyers: v.array(FlyerSchema) }),
  parse(readFileSync(join(ROOT, 'tests/fixtures/flyers.yml'), 'utf8'), { schema: 'failsafe' }),
);
const today = parseDay('2026-11-26');
if (today === null) throw new Error('invalid day');
const { taxonomy } = loadDataset(
  join(ROOT, 'content'),
  EMPTY_LEDGER,
  localMs('2026-11-26T12:00:00'),
);
const known = venues.map((name) => ({ id: name, name }));
const town = { taxonomy, today, lang: 'es', venues: known } as const;

test.each(flyers)('$text fills in the certain values and asks about ambiguous ones', (flyer) => {
  const { text, is, ask, open } = flyer;
  const { values, questions: asks } = parseFlyer(text, town);
  const { description, ...others } = values;
  const expected = Object.entries(is).filter(([name]) => !open.includes(name));
  expect(others).toEqual(Object.fromEntries(expected));
  expect([...asks.keys()].toSorted()).toEqual(ask.toSorted());
  expect(description).toBe(text.trim());
});

test('parses any 60,000 characters within two seconds of processor time', () => {
  for (const part of 'a|a.|1 |$1 |- |5 de |lunes |1 ene |12/05 |7 a |8 pm |https://a |📍 |Av. 1, |_*|\n|Café 8 '.split(
    '|',
  )) {
    const text = part.repeat(60_000 / part.length);
    // Processor time, because other programs may delay the parser.
    const started = process.cpuUsage();
    parseFlyer(text, town);
    const { user, system } = process.cpuUsage(started);
    expect([part, user + system > 2_000_000]).toEqual([part, false]);
  }
});
