// Feed entries: tests that RSS and Atom entries with an event date become events, in the formats of real programs
// (contract 14.40).
import { expect, test } from 'vitest';
import { parseFeedEntries } from '../../src/sources/external/parse-entries.ts';
import { localMs } from '../fixtures/fixture.ts';

const read = (xml: string) => {
  const result = parseFeedEntries(Buffer.from(xml), localMs('2026-11-20T12:00'));
  return 'problem' in result ? result.problem : result.reading;
};
/** Builds elements from lines such as `prefix:name text`. */
const toFields = (lines: readonly string[]): string =>
  lines.map((line) => line.replace(/^(\S+) (.*)$/, '<$1>$2</$1>')).join('');
const toRss = (...fields: readonly string[]): string =>
  `<rss><channel><title>Foro</title><item><title>Uno</title><link>https://a.example/uno</link>
<pubDate>Sat, 05 Dec 2026 20:00:00 GMT</pubDate><dc:date>2026-12-05</dc:date>${toFields(fields)}</item></channel></rss>`;
const WHEN = 'ev:startdate 2026-12-05T20:00:00';

test.each([
  [['ev:startdate 2026-12-06T01:00:00.000Z', 'ev:enddate 2026-12-06T03:00:00.000Z'], '20:00 22:00'],
  [[WHEN], '20:00 null'],
  [['ev:startDate Sat, 05 Dec 2026 20:00:00 -0500'], '20:00 null'],
  [['xCal:dtstart 20261205T200000', 'xCal:dtend 20261205T220000'], '20:00 22:00'],
  [['mec:startDate 2026-12-05', 'mec:startHour 8:00 pm', 'mec:endDate 2026-12-05'], '20:00 null'],
  [['libcal:date 2026-12-05', 'libcal:start 20:00:00', 'libcal:end 21:00:00'], '20:00 21:00'],
  [['ev:startdate 2026-12-05'], ' null'],
])('an RSS entry with %s becomes an event', (fields, expected) => {
  const more = ['ev:location Foro Nuevo', 'description &lt;p&gt;Hola&lt;/p&gt;'];
  const reading = read(toRss(...fields, ...more));
  const event = { title: 'Uno', description: 'Hola', location: 'Foro Nuevo' };
  expect(reading).toMatchObject({ name: 'Foro', events: [event], failures: [] });
  const events = typeof reading === 'string' ? [] : reading.events;
  const spans = events.map(({ start, end }) => `${start} ${end}`.replaceAll(/2026-12-05T?/g, ''));
  expect(spans).toEqual([expected]);
});

test.each([
  `<feed xmlns="a"><title>Foro</title><entry><id>g</id><title>Uno</title><link rel="self" href="https://a.example/x"/><link href="https://a.example/uno"/>${toFields([WHEN])}</entry></feed>`,
  `<rdf:RDF xmlns="r"><channel><title>Foro</title></channel><item><title>Uno</title><link>https://a.example/uno</link>${toFields([WHEN])}</item></rdf:RDF>`,
])('an entry of Atom or RSS 1.0 becomes an event', (xml) => {
  expect(read(xml)).toMatchObject({ events: [{ title: 'Uno', url: 'https://a.example/uno' }] });
});

test('an entry with only a publication date is counted as a failure', () => {
  const failures = [{ rule: 'no_start', title: 'Uno' }];
  expect(read(toRss())).toMatchObject({ events: [], failures });
});
