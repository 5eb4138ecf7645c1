// Calendar programs that are not ours: run with a home of their own, what they print given back.
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { findCalendarClients } from '../../fixtures/programs.ts';

const Moment = v.object({ value: v.string(), all_day: v.boolean() });
const Text = v.nullable(v.string());
const ReadSchema = v.object({
  name: v.string(),
  events: v.array(
    v.object({
      uid: v.string(),
      summary: v.string(),
      description: Text,
      location: Text,
      status: v.string(),
      sequence: v.number(),
      categories: v.array(v.string()),
      url: Text,
      contact: Text,
      start: Moment,
      end: Moment,
    }),
  ),
});
/** What a program printed. Throws with what it said where it failed. */
function run(
  program: string,
  args: readonly string[],
  input: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const options = {
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8', ...env },
    maxBuffer: 64 * 1024 * 1024,
  };
  return new Promise((done, fail) => {
    const child = execFile(program, [...args], options, (error, out, said) =>
      error === null
        ? done(out)
        : fail(new Error(`${program} ${args.join(' ')}: ${(out + said).slice(-2000)}`)),
    );
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}

/** As vobject reads a calendar, which validates it. */
export async function readWithVobject(calendar: string): Promise<v.InferOutput<typeof ReadSchema>> {
  const { python } = await findCalendarClients();
  const script = join(import.meta.dirname, 'read-vobject.py');
  return v.parse(ReadSchema, JSON.parse(await run(python, [script], calendar, {})));
}

/** What khal shows of one occurrence, in its own local time. */
export interface Shown {
  readonly uid: string;
  readonly start: string;
  readonly end: string;
  readonly title: string;
  readonly status: string;
  readonly location: string;
}

const BREAK = '␞';
const FORMAT = `{uid}␟{start-long}␟{end-long}␟{title}␟{status}␟{location}${BREAK}`;

/** A person's calendar in `home`: khal shows it, vdirsyncer keeps it as the feed has it. */
export async function createSubscriber(home: string, local_zone: string, feed_url: string) {
  const { khal, vdirsyncer } = await findCalendarClients();
  const calendar = join(home, 'calendar');
  mkdirSync(calendar, { recursive: true });
  writeFileSync(
    join(home, 'khal.conf'),
    `[calendars]
[[feed]]
path = ${calendar}
[locale]
local_timezone = ${local_zone}
default_timezone = ${local_zone}
timeformat = %H:%M
dateformat = %Y-%m-%d
longdateformat = %Y-%m-%d
datetimeformat = %Y-%m-%dT%H:%M
longdatetimeformat = %Y-%m-%dT%H:%M
[sqlite]
path = ${join(home, 'khal.db')}
`,
  );
  writeFileSync(
    join(home, 'vdirsyncer.conf'),
    `[general]
status_path = "${join(home, 'status')}"
[pair feed]
a = "remote"
b = "local"
collections = null
conflict_resolution = "a wins"
[storage remote]
type = "http"
url = "${feed_url}"
[storage local]
type = "filesystem"
path = "${calendar}"
fileext = ".ics"
`,
  );
  const env = {
    HOME: home,
    XDG_CACHE_HOME: join(home, 'cache'),
    XDG_CONFIG_HOME: home,
    XDG_DATA_HOME: home,
  };
  const askKhal = (args: readonly string[], input = ''): Promise<string> =>
    run(khal, ['-c', join(home, 'khal.conf'), ...args], input, env);
  const askSyncer = (args: readonly string[]): Promise<string> =>
    run(vdirsyncer, ['-c', join(home, 'vdirsyncer.conf'), ...args], '', env);
  return {
    subscribe: () => askSyncer(['discover']),
    sync: () => askSyncer(['sync']),
    importFile: (file: string) => askKhal(['import', '--batch', '-a', 'feed', file]),
    /** All that khal shows from one day to another, each occurrence once, in its order. */
    show: async (from: string, to: string): Promise<Shown[]> => {
      const formats = ['--day-format', '', '--format', FORMAT];
      const text = await askKhal(['list', '--once', ...formats, from, to]);
      return text
        .split(BREAK)
        .map((line) => line.trim())
        .filter((line) => line !== '')
        .map((line) => toShown(line.split('␟')));
    },
  };
}

function toShown(parts: readonly string[]): Shown {
  const [uid = '', start = '', end = '', title = '', status = '', location = ''] = parts;
  if (parts.length !== 6) throw new Error(`khal printed ${JSON.stringify(parts)}`);
  return { uid, start, end, title, status: status.trim(), location };
}
