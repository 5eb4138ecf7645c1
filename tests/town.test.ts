// Town files: invalid or hostile ones are rejected with a message, and do not stop a running service.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { useOtherTown } from './fixtures/other-town.ts';

describe('a town in Morocco', async () => {
  const name = '{ es: "<i>Ávila</i>", en: "<i>Ávila</i>" }';
  const folder = useOtherTown({ time_zone: 'Africa/Casablanca', country: 'MA', name });
  const { describeTownChange, loadTown } = await import('../src/town.ts');
  const { OFFSETS } = await import('../src/domain/local-time.ts');
  const { withGeneratedLine } = await import('../src/serializers/markdown/document.ts');
  const list_queries = await import('../src/domain/query/list-queries.ts');
  const { loadContentFile } = await import('../src/sources/load-content.ts');
  const { VenueSchema } = await import('../src/sources/content-schema.ts');
  const file = join(folder, 'town.yml');
  const text = readFileSync(file, 'utf8');

  test('has the offset of Ramadan too', () => {
    expect(OFFSETS).toEqual(['+01:00', '+00:00']);
  });

  test('has its name escaped in the first line of Markdown', () => {
    expect(withGeneratedLine('# a\n\n', 0, '', 'en')).toContain('\\<i>Ávila\\</i> time');
  });

  test('accepts a change cursor from before its time zone was corrected', () => {
    const position = { changed_at: '2026-11-26T15:00:03-05:00', id: 've_typt5usc4b' };
    const cursor = list_queries.encodeChangesCursor(position.changed_at, position);
    expect(list_queries.parseChangesQuery({ cursor }, 0)).toMatchObject({ after: position });
  });

  test('accepts the postal codes of another country', () => {
    const listInvalidFields = (postal_code: string) =>
      v.safeParse(VenueSchema, { postal_code }).issues?.map((issue) => v.getDotPath(issue));
    expect(listInvalidFields('SW1A 1AA')).not.toContain('postal_code');
    expect(listInvalidFields('20000\u202e')).toContain('postal_code');
  });

  test.each([
    ['time_zone', '"+05:30"', 'time_zone: must be the name of a time zone'],
    ['languages', '[es, en, fr]', 'languages[2]: must be [es, en] or [en, es]'],
    ['site_name', '"\\u200B"', 'site_name: must be one line without hidden characters'],
    ['state', '"a\\u202Eb"', 'state: must be one line without hidden characters'],
    ['left_out', '*nowhere', ' has an alias (*) without its anchor'],
    ['currency', 'EUR', 'currency: must be fields with their values'],
    ['examples', '{ near: 1, zone: [], venue: plaza }', 'examples.near: must be { lat'],
    ['spoken', 'ca', 'spoken: must be a list'],
    ['spoken', '[español]', 'spoken[0]: must be two or three letters'],
    ['words', '{ agenda.emtpy: { es: a, en: b } }', 'words.agenda.emtpy: is not a key of'],
  ])('rejects %s: %s', (field, value, message) => {
    const others = text.replace(new RegExp(`^${field}:.*\\n([ -].*\\n)*`, 'm'), '');
    writeFileSync(file, `${others}\n${field}: ${value}\n`);
    expect(() => loadTown(folder)).toThrow(message);
  });

  test('an unreadable town.yml blocks releases without an exception', () => {
    rmSync(file);
    mkdirSync(file);
    expect(describeTownChange()).toContain('is invalid');
    expect(() => loadTown(folder)).toThrow(`${file} cannot be read`);
    const { issues } = loadContentFile(folder, 'town.yml', v.any());
    expect(issues).toMatchObject([{ message: 'is missing' }]);
  });
});
