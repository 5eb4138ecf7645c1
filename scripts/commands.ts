// What every command line here has in common: help, the words and options of a use, the settings, the hour.
import { parseArgs } from 'node:util';
import { startClock } from '../src/clock.ts';
import { type Config, readConfig } from '../src/config.ts';

export interface Asked {
  readonly words: readonly string[];
  /** What was given behind `--`; of one that takes no value, 'true'. */
  readonly options: Readonly<Record<string, string>>;
}

export interface Run extends Asked {
  readonly config: Config;
  readonly now_ms: number;
}

export const say = (line: string): void => void process.stdout.write(`${line}\n`);

export const asksHelp = (args: readonly string[]): boolean =>
  args.includes('--help') || args.includes('-h');

/**
 * The words and options of a use as help says it: `EVENT [--reason TEXT] [--whole]`. Throws with the
 * use where they do not fit.
 */
export function readArguments(use: string, args: readonly string[]): Asked {
  const known = [...use.matchAll(/--([a-z-]+)( [A-Z]+)?/g)].map(
    ([, name = '', value]) => [name, { type: value ? 'string' : 'boolean' }] as const,
  );
  const { values, positionals: words } = parseArgs({
    args: [...args],
    options: Object.fromEntries(known),
    allowPositionals: true,
  });
  const wanted = use
    .replace(/\[?--[a-z-]+( [A-Z]+)?\]?/g, '')
    .split(' ')
    .filter(Boolean);
  const least = wanted.filter((word) => !word.startsWith('[')).length;
  const most = wanted.includes('…') ? Number.POSITIVE_INFINITY : wanted.length;
  if (words.length < least || words.length > most) throw new Error(`Its use: ${use || 'no words'}`);
  const given = Object.entries(values).map(([name, value]) => [name, String(value)] as const);
  return { words, options: Object.fromEntries(given) };
}

/** Runs a script of one use, which stands in the first line of its help: `npm run due -- [--days N]`. */
export async function runScript(help: string, run: (asked: Run) => unknown): Promise<void> {
  const args = process.argv.slice(2);
  if (asksHelp(args)) return void process.stdout.write(help);
  const [, use = ''] = /^npm .*? -- (.*)$/m.exec(help.split('\n')[0] ?? '') ?? [];
  const asked = readArguments(use, args);
  const config = readConfig();
  await run({ ...asked, config, now_ms: startClock(config.clock_start)() });
}
