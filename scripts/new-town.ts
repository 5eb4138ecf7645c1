// npm run new-town: creates the content folder of a new town, ready to start.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { parse, stringify } from 'yaml';
import { slugify, splitWords } from '../src/domain/text-folding.ts';
import { PROJECT_DIR } from '../src/releases/snapshots.ts';
import { TownSchema } from '../src/town.ts';
import { runScript, printLine } from './commands.ts';

const HELP = `npm run new-town -- DIR [--name TEXT] [--state TEXT] [--time-zone TEXT] [--zones TEXT] [--point TEXT] [--languages TEXT] [--currency TEXT]

Creates the content folder of a new town in DIR, which must be missing or empty: CONTENT_DIR=DIR npm start serves it. Asks for missing
options.
  --name "Valle de Bravo"
  --state "Estado de México, MX"    state or region, and country in two letters
  --time-zone America/Mexico_City
  --zones "Centro, Avándaro"        two or more parts of the town
  --point "19.1951, -100.1331"      latitude and longitude of its main square: maps on the web show them at a right click
  --languages "en, es"              default language first (the country's)
  --currency EUR                    (the country's)
`;

/** Country, currency and calling code. The first language is Spanish, unless `:en` follows. */
const COUNTRIES = `MX:MXN:52 ES:EUR:34 US:USD:1:en PT:EUR:351:en FR:EUR:33:en IT:EUR:39:en DE:EUR:49:en IE:EUR:353:en GB:GBP:44:en
CA:CAD:1:en BR:BRL:55:en AR:ARS:54 BO:BOB:591 CL:CLP:56 CO:COP:57 CR:CRC:506 DO:DOP:1 EC:USD:593 GT:GTQ:502 HN:HNL:504
NI:NIO:505 PA:USD:507 PE:PEN:51 PR:USD:1 PY:PYG:595 SV:USD:503 UY:UYU:598`;
function findCountryDefaults(country: string) {
  const [entry = ''] = new RegExp(`\\b${country}:\\S+`).exec(COUNTRIES) ?? [];
  const [, currency, calling_code, lang = entry === '' ? 'en' : 'es'] = entry.split(':');
  return { currency, calling_code, languages: lang === 'es' ? 'es, en' : 'en, es' };
}

const splitList = (text: string): string[] => text.split(/\s*,\s*/).map((part) => part.trim());
function parseState(text = ''): readonly [state: string, country: string] {
  const [, state = '', country = ''] = /^\s*(.{1,60}?),\s*([a-z]{2})\s*$/i.exec(text) ?? [];
  return [state, country.toUpperCase()];
}
const parsePoint = (text: string) => {
  const [, lat, lng] = /^(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)$/.exec(text.trim()) ?? [];
  return { lat: Number(lat), lng: Number(lng) };
};
/** Returns true for two or more zones with different slugs. */
function areValidZones(text: string): boolean {
  const zones = splitList(text);
  const slugs = new Set(zones.map(slugify));
  // `name_in` is the longest text of a zone. It has the limits of any line, such as the state.
  const are_valid_names = zones.every((zone) => v.is(state, `en ${zone}`));
  return slugs.size > 1 && slugs.size === zones.length && !slugs.has('') && are_valid_names;
}
/** Schemas of town.yml; `sky` is the point for the times of sun and moon. */
const { site_name, state, time_zone, sky, languages, currency } = TownSchema.entries;
type Question = readonly [question: string, isValid: (text: string) => boolean];
/** Question and check of each option. */
const QUESTIONS = {
  name: [
    'What is the town called?',
    (text) => slugify(text) !== '' && v.is(site_name, `${text} Today`),
  ],
  state: [
    'State or region, and two-letter country code, such as "Jalisco, MX"?',
    (text) => v.is(state, parseState(text)[0]),
  ],
  'time-zone': ['Time zone, such as America/Mexico_City?', (text) => v.is(time_zone, text)],
  zones: ['Two or more parts of the town, such as "Centro, Norte"?', areValidZones],
  point: [
    'Latitude and longitude of the main square, such as "20.6767, -103.3476"? Web maps show them on a right click.',
    (text) => v.is(sky, parsePoint(text)),
  ],
  languages: [
    'Languages, default first: "es, en" or "en, es"?',
    (text) => v.is(languages, splitList(text)),
  ],
  currency: ['Currency, such as EUR?', (text) => v.is(currency.entries.code, text)],
} satisfies Record<string, Question>;
type Answers = Readonly<Record<string, string | undefined>>;

/**
 * Asks for missing options at the terminal.
 * @throws Error that lists the missing and invalid options elsewhere.
 */
async function askMissing(
  options: Answers,
  names: readonly (keyof typeof QUESTIONS)[],
): Promise<Answers> {
  const open_names = names.filter((name) => !QUESTIONS[name][1](options[name] ?? ''));
  const answers: Record<string, string | undefined> = { ...options };
  if (open_names.length === 0) return answers;
  if (!process.stdin.isTTY || open_names.some((name) => options[name] !== undefined)) {
    const flags = open_names.map((name) => `--${name}`).join(', ');
    throw new Error(`Missing or wrong: ${flags}. npm run new-town -- --help describes them`);
  }
  const machine_zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  // Rejects on Ctrl+C and Ctrl+D.
  const readLine = (prompt: string): Promise<string> =>
    terminal.question(prompt).catch(() => Promise.reject(new Error('\nNothing was written')));
  for (const name of open_names) {
    // UTC, without a slash, is the zone of machines without a setting.
    const suggestion = name === 'time-zone' && machine_zone.includes('/') ? machine_zone : '';
    const [question, isValid] = QUESTIONS[name];
    const prompt = `${question}${suggestion && ` [${suggestion}]`} `;
    let answer = '';
    while (!isValid(answer))
      answer = (await readLine(`${answer && 'Invalid. '}${prompt}`)).trim() || suggestion;
    answers[name] = answer;
  }
  terminal.close();
  return answers;
}

/**
 * Returns the everyday name of a currency, which is the first word of its full name in Spanish
 * (`pesos mexicanos`) and the last one in English (`Mexican pesos`).
 */
function currencyName(code: string, lang: 'es' | 'en'): string {
  const style = { style: 'currency', currency: code, currencyDisplay: 'name' } as const;
  // A large number, so that the name is a plural.
  const parts = new Intl.NumberFormat(lang, style).formatToParts(150);
  const name = parts.find(({ type }) => type === 'currency')?.value ?? code;
  return name.split(' ').at(lang === 'es' ? 0 : -1) ?? code;
}

const CategoriesSchema = v.array(v.looseObject({ motif: v.string() }));
const MotifsSchema = v.array(v.looseObject({ key: v.string() }));
const readProjectFile = (...path: string[]): string =>
  readFileSync(join(PROJECT_DIR, ...path), 'utf8');

/** Builds the files that every town can use, from content/, without texts about one town. */
function buildSharedFiles(): Readonly<Record<string, string>> {
  const categories = v.parse(CategoriesSchema, parse(readProjectFile('content', 'categories.yml')));
  const used_keys = new Set(categories.map(({ motif }) => motif));
  const all_motifs = v.parse(MotifsSchema, parse(readProjectFile('content', 'motifs.yml')));
  const motifs = all_motifs.filter(({ key }) => used_keys.has(key));
  const names = motifs.map(({ key }) => `motifs/${key}.svg`);
  return {
    'categories.yml': stringify(categories.map(({ description: _, ...category }) => category)),
    'motifs.yml': stringify(motifs),
    ...Object.fromEntries(names.map((file) => [file, readProjectFile('content', file)])),
    // Without the lines that the comment `# of here` marks: words of one town.
    'search-words.yml': readProjectFile('content', 'search-words.yml').replace(
      /^.*# of here\n/gm,
      '',
    ),
  };
}

/** Builds all files of the town: the filled-in template, the shared files and zones.yml. */
function buildFiles(answers: Answers, now_ms: number): Readonly<Record<string, string>> {
  const {
    name = '',
    zones = '',
    point = '',
    currency: code = '',
    'time-zone': zone = '',
  } = answers;
  const [state, country] = parseState(answers.state);
  const parts = splitList(zones).map((part) => ({
    key: slugify(part),
    name: { es: part, en: part },
    name_in: { es: `en ${part}`, en: `in ${part}` },
    slug: { es: slugify(part), en: slugify(part) },
  }));
  const now = Temporal.Instant.fromEpochMilliseconds(now_ms).toZonedDateTimeISO(zone);
  const [first = '', second = ''] = splitList(answers.languages ?? '');
  // Values of the placeholders in examples/template: <name>, <state> and so on.
  const values: Readonly<Record<string, unknown>> = {
    ...{ name, state, country, code, ...parsePoint(point), time_zone: zone, zone: parts[0]?.key },
    ...{ key: `hoy-${slugify(name)}`, today: now.toPlainDate(), languages: [first, second] },
    site_name: first === 'es' ? `Hoy ${name}` : `${name} Today`,
    money: { es: currencyName(code, 'es'), en: currencyName(code, 'en') },
    calling_code: findCountryDefaults(country).calling_code ?? null,
    // Words that names of places may omit, such as the name of the town.
    left_out: splitWords(name).filter((word) => word.length > 2),
  };
  // JSON is valid YAML. An unknown calling code (null) is removed with the comment line above it.
  const fillIn = (text: string): string =>
    text
      .replace(/<(\w+)>/g, (_, placeholder: string) => JSON.stringify(values[placeholder]))
      .replace(/.*\n.*: null\n/, '');
  const folder = join('examples', 'template');
  const template = readdirSync(join(PROJECT_DIR, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.\w+$/.test(file))
    .map((file) => [file, fillIn(readProjectFile(folder, file))]);
  return {
    ...Object.fromEntries(template),
    ...buildSharedFiles(),
    'zones.yml': ZONES_HEADER + stringify(parts),
  };
}
const ZONES_HEADER = `# The parts of the town, in the order readers see. Keys never change; names may.
# name_in: as a title says it, "en el Centro".
`;

await runScript(HELP, async ({ positionals: [dir = ''], options, now_ms, config }) => {
  const folder = resolve(dir);
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Error(`${dir} is not empty. Choose a folder that does not exist yet`);
  const answers = await askMissing(options, ['name', 'state', 'time-zone', 'zones', 'point']);
  const defaults = findCountryDefaults(parseState(answers.state)[1]);
  const all_answers = await askMissing({ ...defaults, ...answers }, ['languages', 'currency']);
  const files = buildFiles(all_answers, now_ms);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  const path = relative('', folder);
  const quoted_path = /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
  // A town needs its own DATA_DIR: the existing one holds the published addresses of another town.
  const data = existsSync(config.data_dir) ? `DATA_DIR=${quoted_path}-data ` : '';
  printLine(`Wrote ${Object.keys(files).length} files for ${answers.name} to ${quoted_path}. Review town.yml and zones.yml.
The event and the venue are examples to delete; calendar.yml has no holidays yet.
content/README.md describes each file. Next:

  ${data}CONTENT_DIR=${quoted_path} npm start

and open the address that it prints. Put these settings into .env to use them for all commands.`);
});
