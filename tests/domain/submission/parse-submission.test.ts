// Submissions: both sides of every limit, with all issues at once by field.
import { expect, test } from 'vitest';
import { findUniqueByName } from '../../../src/domain/place-text.ts';
import { parseSubmission } from '../../../src/domain/submission/parse-submission.ts';
import { SUBMISSION_LIMITS } from '../../../src/domain/submission/field-rules.ts';
import { FRIDAY_NOON_MS, loadFixture } from '../../fixtures/fixture.ts';

type Fields = Readonly<Record<string, string | null>>;
const TOWN = {
  taxonomy: loadFixture().taxonomy,
  findVenue: (slug: string) => (slug === 'malecon-inventado' ? 've_0123456789' : null),
  findVenueByName: (name: string) =>
    findUniqueByName([{ name: 'Parque de Las Palapas' }], name) && 've_palapas',
};
const GOOD = {
  title: 'Noche de jazz',
  description: 'Concierto al aire libre con cuatro grupos.',
  category: 'live-music',
  start: '2026-12-05T20:00',
  venue: 'malecon-inventado',
};
function parse(more: Fields) {
  const fields = Object.entries({ ...GOOD, ...more }).flatMap(([name, value]) =>
    value === null ? [] : [[name, value]],
  );
  const { submission, issues } = parseSubmission(Object.fromEntries(fields), TOWN, FRIDAY_NOON_MS);
  return { submission, issues: issues.map(({ field, rule }) => `${field} ${rule}`).join() };
}
const INVALID_LINKS = [
  'http://127.0.0.1/x',
  'http://0x7f.1/',
  'http://localhost:4321/',
  'https://banco.example@evil.example/',
  'https://2130706433/',
  'javascript:alert(1)//https://a.example',
  'https://a b',
];
const DATES = Array(SUBMISSION_LIMITS.dates + 1).fill('2026-12-12');
const ONLINE = { venue: null, venue_name: 'en linea' };
const LINK = 'https://a.example';

test.each<[Fields, string]>([
  [{ title: 'ab' }, 'title too_short'],
  [{ title: 'abc' }, ''],
  [{ title: 'x'.repeat(160) }, ''],
  [{ title: 'x'.repeat(161) }, 'title too_long'],
  [{ title: null }, 'title missing'],
  [{ title: '\u200b\u202e' }, 'title missing,title too_short'],
  [{ title: '\u{1d173}x\u{1d174}y' }, 'title too_short'],
  [{ title: '——— !!!' }, 'title missing'],
  [{ description: 'x'.repeat(19) }, 'description too_short'],
  [{ description: 'x'.repeat(4000) }, ''],
  [{ description: 'x'.repeat(4001) }, 'description too_long'],
  [{ category: 'LIVE-MUSIC' }, ''],
  [{ zone: 'nope' }, 'zone unknown_taxon'],
  [{ lang: 'fr' }, 'lang not_lang'],
  [{ publish: 'now' }, 'publish unknown_field'],
  [{ venue: 'nope' }, 'venue unknown_venue'],
  [{ venue: null }, 'venue no_place'],
  [{ venue: null, venue_name: 'Parque' }, ''],
  [{ organizer_name: '\u0301\u0301' }, 'organizer_name missing'],
  [{ price_min: '100', price_max: '99' }, 'price_max max_below_min'],
  [{ price_min: '100', price_max: '100' }, ''],
  [{ price_min: '1000001' }, 'price_min not_amount'],
  [{ free: '1', price_max: '5' }, 'free free_with_price'],
  // A free price with a note is free; words by which visitors pay contradict it.
  [{ free: '1', price_note: 'Cooperación voluntaria' }, ''],
  [{ free: '1', price_note: 'Boletos $250' }, 'price_note free_with_cost_note'],
  [{ price_min: '250', price_note: 'Boletos $250' }, ''],
  [{ free: 'sí' }, 'free not_flag'],
  ...INVALID_LINKS.map((url): [Fields, string] => [{ ticket_url: url }, 'ticket_url not_address']),
  [{ ticket_url: 'https://cancún.example/ñ?a=1#b' }, ''],
  [{ contact_email: 'a@b.mx' }, ''],
  // The mail server accepts only ASCII domains.
  [{ contact_email: 'ana@ñandú.mx' }, 'contact_email not_email'],
  [{ contact_email: 'a@b.mx\nBcc: c@d.mx' }, 'contact_email not_email'],
  [{ languages: 'español' }, 'languages not_codes'],
  [{ languages: Array(9).fill('es').join() }, 'languages too_many'],
  // Days and hours.
  [{ start: '2026-11-19' }, 'start past'],
  [{ start: '2026-11-20T00:01' }, ''],
  [{ start: '2028-11-19' }, ''],
  [{ start: '2028-11-20' }, 'start too_far'],
  [{ start: '2026-02-30' }, 'start not_moment'],
  [{ start: '2026-12-05T20:00:00-05:00' }, ''],
  [{ start: '2026-12-05T20:00Z' }, 'start not_moment'],
  [{ end: '2026-12-05T20:00' }, 'end ends_before'],
  [{ end: '2026-12-05T20:01' }, ''],
  [{ end: '2026-12-05' }, 'end not_moment'],
  [{ dates: '2026-12-12,2026-13-01' }, 'dates not_dates'],
  [{ dates: DATES.join() }, 'dates too_many'],
  [{ start: '2026-12-05', hour: '20:00' }, 'hour not_hour'],
  [{ hour: 'unknown' }, 'hour hour_and_time'],
  [{ start: '2026-12-05', hour: 'unknown', all_day: '1' }, 'hour hour_and_all_day'],
  // An online event needs a link. With a zone or an address it is a venue of that name.
  [ONLINE, 'registration_url online_link'],
  [{ ...ONLINE, venue_name: 'Online Gaming' }, ''],
  [{ ...ONLINE, registration_url: LINK }, ''],
  [{ ...ONLINE, organizer_url: LINK }, 'registration_url online_link'],
  [{ ...ONLINE, zone: 'downtown' }, ''],
  // Issues between fields and issues of single fields are reported together.
  [
    { title: 'ab', end: '2026-12-05T19:00', venue: null, price_min: '100', price_max: '99' },
    'title too_short,end ends_before,venue no_place,price_max max_below_min',
  ],
  [{ start: 'mañana', end: '2026-12-05T19:00' }, 'start not_moment'],
])('%o: %s', (more, issues) => expect(parse(more).issues).toBe(issues));

test('links are counted over all fields', () => {
  const links = { ticket_url: LINK, registration_url: LINK, image_url: LINK };
  const text = 'Más en www.d.example y en http://e.example, de veras.';
  expect(parse({ ...links, description: text }).issues).toBe('');
  const { issues } = parse({ ...links, description: `${text} ${LINK}` });
  expect(issues).toBe('description too_many_links');
});

const HOURLESS = { start: '2026-12-05', hour: 'unknown' };
const NAMED = { venue: null, venue_name: 'PARQUE LAS PALAPÁS' };
const BOTH = { venue: 've_0123456789', venue_name: 'Parque de las Palapas' };
const UNKNOWN = { is_free: false, min: null, max: null, note: null };
test.each([
  [{}, { venue: 've_0123456789', languages: ['es'], price: UNKNOWN }],
  [{ title: ' Noche\u200b  de\u202e jazz ' }, { title: 'Noche de jazz' }],
  [{ category: 'Música en vivo' }, { category: 'live-music' }],
  [{ all_day: 'on' }, { all_day: true, start: '2026-12-05' }],
  [HOURLESS, { all_day: false, hour: 'unknown', end: null }],
  [{ dates: '2026-12-19, 2026-12-12;2026-12-19' }, { dates: ['2026-12-12', '2026-12-19'] }],
  [NAMED, { venue: 've_palapas', venue_name: null }],
  [{ venue_name: 'Parque de las Palapas' }, BOTH],
])('%j is stored as %j', (more, submission) => {
  // An absent field stays absent, because earlier submissions are identified by their digest.
  expect('hour' in (parse({}).submission ?? {})).toBe(false);
  expect(parse(more)).toMatchObject({ issues: '', submission });
});

const NAMES = [
  'Parque de Las Palapas',
  ...['Museo Maya de Cancún', 'Teatro de Cancún', 'Mercado 28', 'Parque Cancún'],
  ...['Foro', 'Foro Cancún', 'El Rincón', 'Rincón'],
];
test.each([
  ['PARQUE LAS PALAPÁS', 'Parque de Las Palapas'],
  ['Las Palapas park, Cancún', 'Parque de Las Palapas'],
  ['Parque de las Palapas 2', null],
  // With or without the name of the town, in either language.
  ['Museo Maya', 'Museo Maya de Cancún'],
  ['Cancun theater', 'Teatro de Cancún'],
  ['Market 28', 'Mercado 28'],
  // An exact match takes precedence over one without the name of the town.
  ['foro', 'Foro'],
  ['Foro, Cancún', 'Foro Cancún'],
  // Ambiguous names match no venue.
  ['rincón', null],
])('findUniqueByName(%s) is %s', (name, expected) => {
  const venues = NAMES.map((each) => ({ name: each }));
  expect(findUniqueByName(venues, name)?.name ?? null).toBe(expected);
});
