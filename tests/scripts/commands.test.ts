// Commands: the usage line of each help text, which the program parses, has the options that the
// text describes.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { getUsage } from '../../scripts/commands.ts';

const SCRIPTS = join(import.meta.dirname, '../../scripts');
const HELPS = readdirSync(SCRIPTS).flatMap((name) => {
  if (!name.endsWith('.ts')) return [];
  const [, help] = /const HELP = `([^`]*)`/.exec(readFileSync(join(SCRIPTS, name), 'utf8')) ?? [];
  return help === undefined ? [] : [[name, help] as const];
});
const listOptions = (text: string, pattern: RegExp): string[] =>
  Array.from(text.matchAll(pattern), ([, option = '']) => option).sort();

test.each(HELPS)('%s accepts the options that its help describes', (_, help) => {
  expect(listOptions(getUsage(help), /--([a-z-]+)/g)).toEqual(
    listOptions(help, /^ {2}--([a-z-]+)/gm),
  );
});

test('help texts are found', () => {
  expect(HELPS.length).toBeGreaterThan(10);
});
