// The one prompt: plan a weekend with what is on.
import { ProtocolError } from '@modelcontextprotocol/server';
import { DEFAULT_LANG, LANGS, type Lang } from '../domain/lang.ts';
import { t } from '../i18n/translate.ts';
import { toLine } from '../serializers/plain-text.ts';
import { RPC_CODES } from './rpc-response.ts';

const NAME = 'plan_fin_de_semana';
const ARGUMENTS = ['zone', 'with', 'budget', 'lang'] as const;
const MAX_ARGUMENT_LENGTH = 200;

const inAllLangs = (key: 'title' | 'description' | (typeof ARGUMENTS)[number]): string =>
  LANGS.map((lang) => t(lang, `mcp.prompt.${key}`)).join(' · ');

/** What `prompts/list` gives. */
export function listPrompts() {
  return [
    {
      name: NAME,
      title: inAllLangs('title'),
      description: inAllLangs('description'),
      arguments: ARGUMENTS.map((name) => ({
        name,
        required: false,
        description: inAllLangs(name),
      })),
    },
  ];
}

/** What `prompts/get` gives: one message, in the language of `lang`. Throws ProtocolError. */
export function getPrompt(name: string, args: Readonly<Record<string, string>>) {
  if (name !== NAME) throw new ProtocolError(RPC_CODES.params, `name: no such prompt. Use ${NAME}`);
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
  const text = [t(lang, 'mcp.prompt.text'), ...wishes].join('\n');
  return {
    description: t(lang, 'mcp.prompt.description'),
    messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
  };
}
