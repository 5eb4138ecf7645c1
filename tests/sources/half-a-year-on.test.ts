// The real content with the clock moved on and nothing edited: it says less, and nothing false
// (contract 6.2, 6.5, 5.10).
import { join } from 'node:path';
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { toFall } from '../../src/domain/knowledge.ts';
import { EMPTY_LEDGER } from '../../src/domain/ledger.ts';
import { toConfirmSentence } from '../../src/i18n/fact-words.ts';
import { readDue } from '../../src/sources/due.ts';
import { readDataset } from '../../src/sources/read-dataset.ts';
import { at } from '../fixtures/fixture.ts';

const CONTENT = join(import.meta.dirname, '../../content');

test.each(['2027-05-21', '2028-11-21'])(
  'on %s what is overdue is listed, and no rule that is only last known gives a date to come',
  (day) => {
    const today = Temporal.PlainDate.from(day);
    const { overdue } = readDue(CONTENT, today, 0);
    const fallen = overdue.filter((fact) => toFall(fact, today)?.now === 'last_known');
    expect(fallen.length).toBeGreaterThan(5);
    for (const { sources } of overdue) expect(sources.length).toBeGreaterThan(0);

    const now_ms = at(`${day}T12:00:00`);
    const { events, occurrences } = readDataset(CONTENT, EMPTY_LEDGER, now_ms);
    const ahead = new Set(occurrences.flatMap((o) => (o.start_ms > now_ms ? [o.event] : [])));
    const old = events.filter(({ certainty }) => certainty === 'last_known');
    expect(old.length).toBeGreaterThan(3);
    for (const event of old) {
      expect(ahead).not.toContain(event.id);
      expect(toConfirmSentence(event, 'es'), event.id).not.toBeNull();
    }
  },
);

test('what only came round in a year before says of which year it is known', () => {
  const now_ms = at('2027-11-25T12:00:00');
  const { notices } = readDataset(CONTENT, EMPTY_LEDGER, now_ms);
  const inferred = notices.filter((notice) => notice.inferred && notice.start_ms > now_ms);
  expect(inferred.length).toBeGreaterThan(3);
  for (const { severity, evidence, start_ms } of inferred) {
    expect(severity).toBe('info');
    if (evidence) expect(evidence.year).toBeLessThan(new Date(start_ms).getUTCFullYear());
  }
});
