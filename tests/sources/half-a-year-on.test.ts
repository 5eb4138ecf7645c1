// The real content two years on and nothing edited: it says less, and nothing false (contract 6.2, 6.5, 5.10).
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EMPTY_LEDGER } from '../../src/domain/ledger.ts';
import { toConfirmSentence } from '../../src/i18n/fact-words.ts';
import { readDataset } from '../../src/sources/read-dataset.ts';
import { at } from '../fixtures/fixture.ts';

test('what is only last known gives no date to come, and what is only inferred does not warn', () => {
  const now_ms = at('2028-11-21T12:00:00');
  const content = join(import.meta.dirname, '../../content');
  const { events, occurrences, notices } = readDataset(content, EMPTY_LEDGER, now_ms);
  const ahead = new Set(occurrences.flatMap((o) => (o.start_ms > now_ms ? [o.event] : [])));
  const old = events.filter(({ certainty }) => certainty === 'last_known');
  expect(old.length).toBeGreaterThan(3);
  for (const event of old) {
    expect(ahead).not.toContain(event.id);
    expect(toConfirmSentence(event, 'es'), event.id).not.toBeNull();
  }
  const inferred = notices.filter((notice) => notice.inferred && notice.start_ms > now_ms);
  expect(inferred.length).toBeGreaterThan(3);
  expect(new Set(inferred.map(({ severity }) => severity))).toEqual(new Set(['info']));
});
