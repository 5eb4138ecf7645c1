// npm run new-town: the folder of a new town, which starts as it is.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { parse, stringify } from 'yaml';
import { slugify, splitWords } from '../src/domain/text-folding.ts';
import { PROJECT_DIR } from '../src/releases/snapshots.ts';
import { TownSchema } from '../src/town.ts';
import { runScript, say } from './commands.ts';

const HELP = `npm run new-town -- DIR [--name TEXT] [--state TEXT] [--time-zone TEXT] [--zones TEXT] [--point TEXT] [--languages TEXT] [--currency TEXT]

Writes the folder of a new town into DIR, which is not there yet or empty: CONTENT_DIR=DIR npm start serves it. Asks what is not given.
  --name "Valle de Bravo"
  --state "Estado de México, MX"    state or region, and country in two letters
  --time-zone America/Mexico_City
  --zones "Centro, Avándaro"        two parts of the town, or more
  --point "19.1951, -100.1331"      latitude and longitude of its main square: maps on the web show them at a right click
  --languages "en, es"              the one first in which it answers where nobody says which (the country's)
  --currency EUR                    (the country's)
`;

/** Of countries: what is paid with, how to call it; Spanish first but where another language is named. */
const COUNTRIES = `MX:MXN:52 ES:EUR:34 US:USD:1:en PT:EUR:351:en FR:EUR:33:en IT:EUR:39:en DE:EUR:49:en IE:EUR:353:en GB:GBP:44:en
CA:CAD:1:en BR:BRL:55:en AR:ARS:54 BO:BOB:591 CL:CLP:56 CO:COP:57 CR:CRC:506 DO:DOP:1 EC:USD:593 GT:GTQ:502 HN:HNL:504
NI:NIO:505 PA:USD:507 PE:PEN:51 PR:USD:1 PY:PYG:595 SV:USD:503 UY:UYU:598`;
function findFacts(country: string) {
  const [found = ''] = new RegExp(`\\b${country}:\\S+`).exec(COUNTRIES) ?? [];
  const [, currency, calling_code, lang = found === '' ? 'en' : 'es'] = found.split(':');
  return { currency, calling_code, languages: lang === 'es' ? 'es, en' : 'en, es' };
}

const splitList = (text: string): string[] => text.split(/\s*,\s*/).map((part) => part.trim());
function splitState(text = ''): readonly [state: string, country: string] {
  const [, state = '', country = ''] = /^\s*(.{1,60}?),\s*([a-z]{2})\s*$/i.exec(text) ?? [];
  return [state, country.toUpperCase()];
}
const toPoint = (text: string) => {
  const [, lat, lng] = /^(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)$/.exec(text.trim()) ?? [];
  return { lat: Number(lat), lng: Number(lng) };
};
function areZones(text: string): boolean {
  const zones = splitList(text);
  const slugs = new Set(zones.map(slugify));
  const are_names = zones.every((zone) => v.is(state, `en ${zone}`));
  return slugs.size > 1 && slugs.size === zones.length && !slugs.has('') && are_names;
}
const { site_name, state, time_zone, sky, languages, currency } = TownSchema.entries;
type Question = readonly [question: string, isFine: (text: string) => boolean];
const QUESTIONS = {
  name: [
    'What is the town called?',
    (text) => slugify(text) !== '' && v.is(site_name, `${text} Today`),
  ],
  state: [
    'Its state or region, and its country in two letters, as "Jalisco, MX"?',
    (text) => v.is(state, splitState(text)[0]),
  ],
  'time-zone': ['Its time zone, as America/Mexico_City?', (text) => v.is(time_zone, text)],
  zones: ['Two parts of the town or more, as "Centro, Norte"?', areZones],
  point: [
    'Latitude and longitude of its main square, as "20.6767, -103.3476"? Maps on the web show them at a right click.',
    (text) => v.is(sky, toPoint(text)),
  ],
  languages: [
    'Its first language, "es, en" or "en, es"?',
    (text) => v.is(languages, splitList(text)),
  ],
  currency: ['Its currency, as EUR?', (text) => v.is(currency.entries.code, text)],
} satisfies Record<string, Question>;
type Answers = Readonly<Record<string, string | undefined>>;

/** What is given, or answered at a terminal. Throws with the names of what is missing or wrong. */
async function ask(given: Answers, names: readonly (keyof typeof QUESTIONS)[]): Promise<Answers> {
  const open = names.filter((name) => !QUESTIONS[name][1](given[name] ?? ''));
  const answers: Record<string, string | undefined> = { ...given };
  if (open.length === 0) return answers;
  if (!process.stdin.isTTY || open.some((name) => given[name] !== undefined)) {
    const flags = open.map((name) => `--${name}`).join(', ');
    throw new Error(`Missing or wrong: ${flags}. npm run new-town -- --help says what they take`);
  }
  const here = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  // Ctrl+C and Ctrl+D.
  const hear = (text: string): Promise<string> =>
    terminal.question(text).catch(() => Promise.reject(new Error('\nNothing was written')));
  for (const name of open) {
    // A machine without one says UTC.
    const usual = name === 'time-zone' && here.includes('/') ? here : '';
    const [question, isFine] = QUESTIONS[name];
    const asked = `${question}${usual && ` [${usual}]`} `;
    let answer = '';
    while (!isFine(answer))
      answer = (await hear(`${answer && 'Not so. '}${asked}`)).trim() || usual;
    answers[name] = answer;
  }
  terminal.close();
  return answers;
}

/** As somebody says an amount of it: the name without the country. */
function nameCurrency(code: string, lang: string, at: number): string {
  const style = { style: 'currency', currency: code, currencyDisplay: 'name' } as const;
  const parts = new Intl.NumberFormat(lang, style).formatToParts(150);
  return (parts.find(({ type }) => type === 'currency')?.value ?? code).split(' ').at(at) ?? code;
}

const CategoriesSchema = v.array(v.looseObject({ motif: v.string() }));
const MotifsSchema = v.array(v.looseObject({ key: v.string() }));
const readOurs = (...path: string[]): string => readFileSync(join(PROJECT_DIR, ...path), 'utf8');

/** What any town can begin with, without the words of this one. */
function listCopied(): Readonly<Record<string, string>> {
  const categories = v.parse(CategoriesSchema, parse(readOurs('content', 'categories.yml')));
  const drawn = new Set(categories.map(({ motif }) => motif));
  const motifs = v.parse(MotifsSchema, parse(readOurs('content', 'motifs.yml')));
  const kept = motifs.filter(({ key }) => drawn.has(key));
  const names = kept.map(({ key }) => `motifs/${key}.svg`);
  return {
    'categories.yml': stringify(categories.map(({ description: _, ...category }) => category)),
    'motifs.yml': stringify(kept),
    ...Object.fromEntries(names.map((file) => [file, readOurs('content', file)])),
    'search-words.yml': readOurs('content', 'search-words.yml').replace(/^.*# of here\n/gm, ''),
  };
}

function listFiles(answers: Answers, now_ms: number): Readonly<Record<string, string>> {
  const {
    name = '',
    zones = '',
    point = '',
    currency: code = '',
    'time-zone': zone = '',
  } = answers;
  const [state, country] = splitState(answers.state);
  const parts = splitList(zones).map((part) => ({
    key: slugify(part),
    name: { es: part, en: part },
    name_in: { es: `en ${part}`, en: `in ${part}` },
    slug: { es: slugify(part), en: slugify(part) },
  }));
  const now = Temporal.Instant.fromEpochMilliseconds(now_ms).toZonedDateTimeISO(zone);
  const [first = '', second = ''] = splitList(answers.languages ?? '');
  const filled: Readonly<Record<string, unknown>> = {
    ...{ name, state, country, code, ...toPoint(point), time_zone: zone, zone: parts[0]?.key },
    ...{ key: `hoy-${slugify(name)}`, today: now.toPlainDate(), languages: [first, second] },
    site_name: first === 'es' ? `Hoy ${name}` : `${name} Today`,
    money: { es: nameCurrency(code, 'es', 0), en: nameCurrency(code, 'en', -1) },
    calling_code: findFacts(country).calling_code ?? null,
    left_out: splitWords(name).filter((word) => word.length > 2),
  };
  // JSON is YAML.
  const fill = (text: string): string =>
    text
      .replace(/<(\w+)>/g, (_, word: string) => JSON.stringify(filled[word]))
      .replace(/.*\n.*: null\n/, '');
  const folder = join('examples', 'template');
  const own = readdirSync(join(PROJECT_DIR, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.\w+$/.test(file))
    .map((file) => [file, fill(readOurs(folder, file))]);
  return { ...Object.fromEntries(own), ...listCopied(), 'zones.yml': ZONES + stringify(parts) };
}
const ZONES = `# The parts of the town, in the order readers see. Keys never change; names may.
# name_in: as a title says it, "en el Centro".
`;

await runScript(HELP, async ({ words: [dir = ''], options, now_ms, config }) => {
  const folder = resolve(dir);
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Error(`${dir} is not empty. Name a folder that is not there yet`);
  const given = await ask(options, ['name', 'state', 'time-zone', 'zones', 'point']);
  const usual = findFacts(splitState(given.state)[1]);
  const files = listFiles(await ask({ ...usual, ...given }, ['languages', 'currency']), now_ms);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  const path = relative('', folder);
  const at = /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
  // What another town has published there would be missed, and its addresses would be gone for ever.
  const data = existsSync(config.data_dir) ? `DATA_DIR=${at}-data ` : '';
  say(`The folder of ${given.name} is in ${at}: ${Object.keys(files).length} files. Look through town.yml and zones.yml once.
The one event and the one place are examples, to be seen and deleted; calendar.yml has no holidays yet.
content/README.md says what each file takes. Next:

  ${data}CONTENT_DIR=${at} npm start

and open the address that it prints. As lines of .env these settings are those of every command.`);
});
