// The prompts: plan a weekend, plan the evening, what to do with children, out of what is on.
import { ProtocolError } from '@modelcontextprotocol/server';
import { DEFAULT_LANG, LANGS, type Lang } from '../domain/lang.ts';
import { type Key, t } from '../i18n/translate.ts';
import { toLine } from '../serializers/plain-text.ts';
import { RPC_CODES } from './rpc-response.ts';

interface Prompt {
  readonly name: string;
  readonly title: Key;
  readonly description: Key;
  readonly text: Key;
}

const PROMPTS: readonly Prompt[] = [
  {
    name: 'plan_fin_de_semana',
    title: 'mcp.prompt.title',
    description: 'mcp.prompt.description',
    text: 'mcp.prompt.text',
  },
  {
    name: 'plan_esta_noche',
    title: 'mcp.prompt.evening.title',
    description: 'mcp.prompt.evening.description',
    text: 'mcp.prompt.evening.text',
  },
  {
    name: 'plan_con_ninos',
    title: 'mcp.prompt.kids.title',
    description: 'mcp.prompt.kids.description',
    text: 'mcp.prompt.kids.text',
  },
];
const ARGUMENTS = ['zone', 'with', 'budget', 'lang'] as const;
const MAX_ARGUMENT_LENGTH = 200;

const inAllLangs = (key: Key): string => LANGS.map((lang) => t(lang, key)).join(' · ');

/** What `prompts/list` gives. */
export const listPrompts = () =>
  PROMPTS.map(({ name, title, description }) => ({
    name,
    title: inAllLangs(title),
    description: inAllLangs(description),
    arguments: ARGUMENTS.map((argument) => ({
      name: argument,
      required: false,
      description: inAllLangs(`mcp.prompt.${argument}`),
    })),
  }));

/** What `prompts/get` gives: one message, in the language of `lang`. Throws ProtocolError. */
export function getPrompt(name: string, args: Readonly<Record<string, string>>) {
  const prompt = PROMPTS.find((known) => known.name === name);
  if (prompt === undefined) {
    const names = PROMPTS.map((known) => known.name).join(', ');
    throw new ProtocolError(RPC_CODES.params, `name: no such prompt. Use ${names}`);
  }
  const unknown = Object.keys(args).find((key) => !ARGUMENTS.some((known) => known === key));
  if (unknown !== undefined)
    throw new ProtocolError(
      RPC_CODES.params,
      `${toLine(unknown).slice(0, 40)}: is not an argument. Use ${ARGUMENTS.join(', ')}`,
    );
  const lang: Lang = LANGS.find((known) => known === args.lang) ?? DEFAULT_LANG;
  const wishes = ARGUMENTS.filter((key) => key !== 'lang').flatMap((key) => {
    const value = toLine(args[key] ?? '').slice(0, MAX_ARGUMENT_LENGTH);
    return value === '' ? [] : [`- ${t(lang, `mcp.prompt.${key}.label`)}: ${value}`];
  });
  const text = [t(lang, prompt.text), ...wishes].join('\n');
  return {
    description: t(lang, prompt.description),
    messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
  };
}
