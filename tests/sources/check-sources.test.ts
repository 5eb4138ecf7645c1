// What may not speak for a fact: repositories, of nightclubs and of hours (contract 6.8).
import { appendFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EMPTY_LEDGER } from '../../src/domain/ledger.ts';
import { readDataset } from '../../src/sources/read-dataset.ts';
import { FIXTURE_DIR, FRIDAY_NOON_MS } from '../fixtures/fixture.ts';

const REPOSITORY = 'https://github.com/somebody/clubs';
const PAGE = 'https://club.example/hours';
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hoy-content-'));
  cpSync(FIXTURE_DIR, folder, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));
const read = () => readDataset(folder, EMPTY_LEDGER, FRIDAY_NOON_MS);

const writeNight = (category: string, tags: string, source: string, more = ''): void =>
  writeFileSync(
    join(folder, 'events', 'noche.yml'),
    `title: { es: Noche, en: Night }
summary: { es: Una noche., en: A night. }
category: ${category}
tags: [${tags}]
price: unknown
when: [{ dates: [2026-12-01] }]
confidence: low
sources: [{ url: "${source}", checked: 2026-11-20 }]
${more}`,
  );

test('a repository does not speak for a nightclub, as evidence or as a link', () => {
  writeNight('party', 'antro', REPOSITORY);
  expect(read).toThrow(/events\/noche\.yml:8 sources\[0\]\.url: is a repository/);
  writeNight('party', 'antro', PAGE, `source_url: ${REPOSITORY}`);
  expect(read).toThrow(/events\/noche\.yml:9 source_url: is a repository/);
  writeNight('party', 'antro', PAGE);
  expect(read).not.toThrow();
});

test('it may speak for a meeting of those who write it', () => {
  writeNight('tech', 'software', REPOSITORY, `source_url: ${REPOSITORY}`);
  expect(read).not.toThrow();
});

test('the hours of a place need a source besides it', () => {
  const write = (...sources: readonly string[]): void =>
    writeFileSync(
      join(folder, 'venues', 'bar.yml'),
      `name: Bar\nlocality: Cancún\nconfidence: low\nsources: [${sources.map((url) => `{ url: "${url}", checked: 2026-11-20 }`).join(', ')}]\n`,
    );
  const hours = 'hours: { rules: [{ days: [fr], open: "22:00" }] }\n';
  write(REPOSITORY);
  expect(read).not.toThrow();
  appendFileSync(join(folder, 'venues', 'bar.yml'), hours);
  expect(read).toThrow(/venues\/bar\.yml:5 hours: speak from what is a repository/);
  write('https://raw.githubusercontent.com/a/b', PAGE);
  appendFileSync(join(folder, 'venues', 'bar.yml'), hours);
  expect(read).not.toThrow();
});
