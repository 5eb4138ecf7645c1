// What every command line here has in common: help, the words and options of a use, the settings, the hour.
import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import { createClock } from '../src/clock.ts';
import { type Config, loadConfig } from '../src/config.ts';
import type { Actor } from '../src/domain/change.ts';
import { type Inbox, openInbox, inboxLocation } from '../src/inbox/open.ts';

export interface Run {
  readonly words: readonly string[];
  /** What was given behind `--`; of one that takes no value, 'true'. */
  readonly options: Readonly<Record<string, string>>;
  readonly config: Config;
  readonly now_ms: number;
}

export const say = (line: string): void => void process.stdout.write(`${line}\n`);

/**
 * The words and options of a use as help says it: `EVENT [--reason TEXT] [--whole]`. Throws with the
 * use where they do not fit.
 */
function readRun(use: string, args: readonly string[]): Run {
  const known = [...use.matchAll(/--([a-z-]+)( [A-Z]+)?/g)].map(
    ([, name = '', value]) => [name, { type: value ? 'string' : 'boolean' }] as const,
  );
  // A value such as -33.05 would be an option unless it is joined.
  const joined: string[] = [];
  for (const arg of args)
    if (/^-\d/.test(arg) && joined.at(-1)?.startsWith('--')) joined.push(`${joined.pop()}=${arg}`);
    else joined.push(arg);
  const { values, positionals: words } = parseArgs({
    args: joined,
    options: Object.fromEntries(known),
    allowPositionals: true,
  });
  const wanted = use
    .replace(/\[?--[a-z-]+( [A-Z]+)?\]?/g, '')
    .split(' ')
    .filter(Boolean);
  const least = wanted.filter((word) => !word.startsWith('[')).length;
  const most = wanted.at(-1)?.includes('…') ? Number.POSITIVE_INFINITY : wanted.length;
  if (words.length < least || words.length > most) throw new Error(`Its use: ${use || 'no words'}`);
  const given = Object.entries(values).map(([name, value]) => [name, String(value)] as const);
  const config = loadConfig();
  const now_ms = createClock(config.clock_start)();
  return { words, options: Object.fromEntries(given), config, now_ms };
}

/** What was asked; null, and the help is shown, where that is asked. */
function readArguments(help: string): readonly string[] | null {
  const args = process.argv.slice(2);
  if (!args.includes('--help') && !args.includes('-h')) return args;
  process.stdout.write(help);
  return null;
}

/** Runs a script of one use, which stands in the first line of its help: `npm run due -- [--days N]`. */
export async function runScript(help: string, run: (asked: Run) => unknown): Promise<void> {
  const args = readArguments(help);
  const [, use = ''] = /^npm .*? -- (.*)$/m.exec(help.split('\n')[0] ?? '') ?? [];
  if (args !== null) await run(readRun(use, args));
}

export interface Desk extends Pick<Run, 'options' | 'config'> {
  readonly inbox: Inbox;
  readonly actor: Actor;
}

/** What a command is for, and what it does; the text that it gives is printed. */
type Command = readonly [
  what: string,
  run: (desk: Desk, ...words: string[]) => string | Promise<string>,
];

/**
 * Runs the one command over the inbox that the command line names. `commands` are listed by their use, which is the
 * syntax too: `cancel EVENT [--reason TEXT]`. Throws with the use where words or options do not fit.
 */
export async function runInboxCommand(
  about: string,
  commands: Readonly<Record<string, Command>>,
): Promise<void> {
  const uses = Object.entries(commands);
  const help = `${about}\n\n${uses.map(([use, [what]]) => `  ${use}\n      ${what}`).join('\n')}\n`;
  const args = readArguments(help);
  if (args === null) return;
  const found = uses.find(([use]) => use.split(' ')[0] === args[0]);
  if (found === undefined) throw new Error(`Say what to do.\n\n${help}`);
  const [use, [, run]] = found;
  const { words, options, config, now_ms } = readRun(use, args);
  const inbox = await openInbox(inboxLocation(config));
  try {
    const actor = { editor: nameEditor(), now_ms };
    say(await run({ config, inbox, actor, options }, ...words.slice(1)));
  } finally {
    await inbox.close();
  }
}

/** The user's name, or the number of one without a name, as a container may have. */
function nameEditor(): string {
  try {
    return `${userInfo().username} (terminal)`;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'} (terminal)`;
  }
}
