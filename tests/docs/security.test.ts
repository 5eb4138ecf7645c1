// docs/security.md: each threat names a test that is there, and each requirement of the standard stands in it
// once.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const text = read('docs/security.md');
const [model = '', standard = ''] = text.split('## OWASP ASVS 5.0.0');

/** How many requirements of levels 1 and 2 each section of the standard has; their numbers begin at 1. */
const SECTIONS: Readonly<Record<string, number>> = {
  ...{ '1.1': 2, '1.2': 9, '1.3': 11, '1.4': 3, '1.5': 2, '2.1': 3, '2.2': 3, '2.3': 4, '2.4': 1 },
  ...{ '3.2': 2, '3.3': 4, '3.4': 6, '3.5': 5, '3.7': 2, '4.1': 3, '4.2': 1, '4.3': 2, '4.4': 4 },
  ...{ '5.1': 1, '5.2': 3, '5.3': 2, '5.4': 3, '6.1': 3, '6.2': 12, '6.3': 4, '6.4': 4, '6.5': 5 },
  ...{ '6.6': 3, '6.8': 4, '7.1': 3, '7.2': 4, '7.3': 2, '7.4': 5, '7.5': 2, '7.6': 2, '8.1': 2 },
  ...{ '8.2': 3, '8.3': 1, '8.4': 1, '9.1': 3, '9.2': 4, '10.1': 2, '10.2': 2, '10.3': 4 },
  ...{ '10.4': 11, '10.5': 5, '10.6': 2, '10.7': 3, '11.1': 2, '11.2': 3, '11.3': 3, '11.4': 4 },
  ...{ '11.5': 1, '11.6': 1, '12.1': 3, '12.2': 2, '12.3': 4, '13.1': 1, '13.2': 5, '13.3': 2 },
  ...{ '13.4': 5, '14.1': 2, '14.2': 4, '14.3': 3, '15.1': 3, '15.2': 3, '15.3': 7, '16.1': 1 },
  ...{ '16.2': 5, '16.3': 4, '16.4': 3, '16.5': 3, '17.1': 1, '17.2': 4, '17.3': 2 },
};

/** `1.2.1–3` as three. */
function listNumbers(range: string): readonly string[] {
  const [, section = '', from = '', to = from] = /^(\d+\.\d+)\.(\d+)(?:–(\d+))?$/.exec(range) ?? [];
  return Array.from(
    { length: Number(to) - Number(from) + 1 },
    (_, at) => `${section}.${Number(from) + at}`,
  );
}

test('each threat names a file of tests, and a test in it', () => {
  const lines = (model.split('## Line by line')[1] ?? '').match(/^\| (?!threat|---).*\|$/gm) ?? [];
  expect(lines.length).toBeGreaterThan(30);
  const wrong = lines.filter((line) => {
    const [, path = '', title = ''] = /`(tests\/[\w./-]+)` “([^”]+)” \|$/.exec(line) ?? [];
    return title === '' || !existsSync(join(ROOT, path)) || !read(path).includes(title);
  });
  expect(wrong).toEqual([]);
});

test('each requirement of levels 1 and 2 stands in it once, with how it is', () => {
  const rows = [
    ...standard.matchAll(/^\| ((?:\d+\.\d+\.\d+(?:–\d+)?(?:, )?)+) \| (.*?) \| (.+) \|$/gm),
  ];
  const named = rows.flatMap(([, numbers = '']) => numbers.split(', ').flatMap(listNumbers));
  const wanted = Object.entries(SECTIONS).flatMap(([section, count]) =>
    Array.from({ length: count }, (_, at) => `${section}.${at + 1}`),
  );
  expect(wanted).toHaveLength(253);
  expect([...named].sort()).toEqual([...wanted].sort());
  expect(new Set(rows.map(([, , how]) => how))).toEqual(new Set(['met', 'n/a', 'not met']));
});
