// Command line: runs a script with its arguments, the settings and the time, or prints its help.
import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import { createClock } from '../src/clock.ts';
import { type Config, loadConfig } from '../src/config.ts';
import type { Actor } from '../src/domain/change.ts';
import { type Inbox, openInbox, inboxLocation } from '../src/inbox/open.ts';

/** Input of a script. */
export interface ScriptInput {
  /** Arguments without `--`, in order. */
  readonly positionals: readonly string[];
  /** Values of the `--` options; 'true' for an option without a value. */
  readonly options: Readonly<Record<string, string>>;
  readonly config: Config;
  readonly now_ms: number;
}

export const printLine = (line: string): void => void process.stdout.write(`${line}\n`);

/**
 * Parses arguments by the usage line of the help, such as `EVENT [--reason TEXT] [--whole]`.
 * Brackets mark optional arguments; `…` after the last one allows any number.
 * @throws Error with the usage if arguments or options do not match it.
 */
function parseInput(usage: string, args: readonly string[]): ScriptInput {
  const option_types = [...usage.matchAll(/--([a-z-]+)( [A-Z]+)?/g)].map(
    ([, name = '', value]) => [name, { type: value ? 'string' : 'boolean' }] as const,
  );
  // parseArgs takes a value such as -33.05 for an option unless it is joined with `=`.
  const joined: string[] = [];
  for (const arg of args)
    if (/^-\d/.test(arg) && joined.at(-1)?.startsWith('--')) joined.push(`${joined.pop()}=${arg}`);
    else joined.push(arg);
  const { values, positionals } = parseArgs({
    args: joined,
    options: Object.fromEntries(option_types),
    allowPositionals: true,
  });
  const expected_names = usage
    .replace(/\[?--[a-z-]+( [A-Z]+)?\]?/g, '')
    .split(' ')
    .filter(Boolean);
  const min_count = expected_names.filter((name) => !name.startsWith('[')).length;
  const takes_any_number = expected_names.at(-1)?.includes('…');
  const max_count = takes_any_number ? Number.POSITIVE_INFINITY : expected_names.length;
  if (positionals.length < min_count || positionals.length > max_count)
    throw new Error(`Usage: ${usage || 'takes no arguments'}`);
  const options = Object.entries(values).map(([name, value]) => [name, String(value)] as const);
  const config = loadConfig();
  const now_ms = createClock(config.clock_start)();
  return { positionals, options: Object.fromEntries(options), config, now_ms };
}

/** Returns the arguments, or prints the help and returns null if they contain --help. */
function getArguments(help: string): readonly string[] | null {
  const args = process.argv.slice(2);
  if (!args.includes('--help') && !args.includes('-h')) return args;
  process.stdout.write(help);
  return null;
}

/** Returns the arguments in the first line of a help text, `npm run export -- DIR`; or ''. */
export const getUsage = (help: string): string => /^npm .*? -- (.*)/.exec(help)?.[1] ?? '';

/** Runs a script. The first line of its help is its usage. */
export async function runScript(
  help: string,
  main: (input: ScriptInput) => unknown,
): Promise<void> {
  const args = getArguments(help);
  if (args !== null) await main(parseInput(getUsage(help), args));
}

/** Context of a command that works on the inbox. */
export interface InboxCommandContext extends Pick<ScriptInput, 'options' | 'config'> {
  readonly inbox: Inbox;
  readonly actor: Actor;
}

/** Description and function of a command; the returned text is printed. `args` follow its name. */
type InboxCommand = readonly [
  description: string,
  run: (context: InboxCommandContext, ...args: string[]) => string | Promise<string>,
];

/**
 * Runs the inbox command that the first argument names.
 * @param commands Commands by their usage, which also defines their syntax: `cancel EVENT [--reason
 * TEXT]`.
 * @throws Error with the usage if arguments or options do not match it.
 */
export async function runInboxCommand(
  about: string,
  commands: Readonly<Record<string, InboxCommand>>,
): Promise<void> {
  const entries = Object.entries(commands);
  const descriptions = entries.map(([usage, [description]]) => `  ${usage}\n      ${description}`);
  const help = `${about}\n\n${descriptions.join('\n')}\n`;
  const args = getArguments(help);
  if (args === null) return;
  const command = entries.find(([usage]) => usage.split(' ')[0] === args[0]);
  if (command === undefined)
    throw new Error(`${args[0] ? `Unknown command '${args[0]}'` : 'Command missing'}.\n\n${help}`);
  const [usage, [, run]] = command;
  const { positionals, options, config, now_ms } = parseInput(usage, args);
  const inbox = await openInbox(inboxLocation(config));
  try {
    const actor = { editor: terminalEditorName(), now_ms };
    printLine(await run({ config, inbox, actor, options }, ...positionals.slice(1)));
  } finally {
    await inbox.close();
  }
}

/**
 * Returns the operator's name for the decision log: the system user, or its number in containers
 * without names.
 */
function terminalEditorName(): string {
  try {
    return `${userInfo().username} (terminal)`;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'} (terminal)`;
  }
}
