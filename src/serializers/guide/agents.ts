// The page for those who connect a model: by MCP in each app, without MCP, what it costs, how to cite,
// limits, what not to do (contract 13).
import { type GuideBlock, type GuideSection, toSection } from '../../domain/api-guide.ts';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import {
  LLMS_PATH,
  MCP_PATH,
  OPENAPI_PATH,
  SERVER_CARD_PATH,
  toAbsolute,
  toMarkdownPath,
  toPagePath,
} from '../../i18n/paths.ts';
import { TOOL_NAMES } from '../../i18n/tool-names.ts';
import { type Key, t } from '../../i18n/translate.ts';

/** What the server is called in a file of settings. */
const NAME = 'hoy-cancun';

const toJson = (value: object): string => JSON.stringify(value, null, 2);

/** Settings to paste, by app. */
function toSettings(url: string, lang: Lang): readonly GuideBlock[] {
  const block = (key: Key, language: GuideBlock['language'], text: string): GuideBlock => ({
    label: t(lang, key),
    ...{ language, text },
  });
  const call = {
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: { name: 'eventos_hoy', arguments: { lang } },
  };
  return [
    block('agents.clients.claude_code', 'sh', `claude mcp add --transport http ${NAME} ${url}`),
    block('agents.clients.vscode', 'json', toJson({ servers: { [NAME]: { type: 'http', url } } })),
    block('agents.clients.cursor', 'json', toJson({ mcpServers: { [NAME]: { url } } })),
    block(
      'agents.clients.generic',
      'json',
      toJson({
        mcpServers: { [NAME]: { type: 'http', url, headers: { 'x-api-key': 'KEY' } } },
      }),
    ),
    block(
      'agents.clients.raw',
      'sh',
      `curl '${url}' -H 'content-type: application/json' -H 'accept: application/json, text/event-stream' -H 'mcp-protocol-version: 2025-06-18' -d '${JSON.stringify(call)}'`,
    ),
  ];
}

/** All of it. */
export function toAgentSections(site: Site, lang: Lang): readonly GuideSection[] {
  const at = (path: string): string => toAbsolute(site.url, path);
  const parts = {
    site: site.name,
    card: at(SERVER_CARD_PATH),
    data: at(toPagePath('data', lang)),
    llms: at(LLMS_PATH),
    openapi: at(OPENAPI_PATH),
    tools: TOOL_NAMES.map((name) => `\`${name}\``).join(', '),
  };
  const say = (key: Key): string => t(lang, key, parts);
  const sayAll = (...keys: readonly Key[]): readonly string[] => keys.map(say);
  return [
    toSection(
      'mcp',
      say('agents.mcp'),
      sayAll('agents.mcp.address', 'agents.mcp.versions', 'agents.mcp.tools'),
      { copies: [{ label: 'MCP', text: at(MCP_PATH) }] },
    ),
    toSection('clients', say('agents.clients'), sayAll('agents.clients.about'), {
      points: sayAll('agents.clients.claude', 'agents.clients.chatgpt'),
      blocks: toSettings(at(MCP_PATH), lang),
    }),
    toSection(
      'markdown',
      say('agents.markdown'),
      sayAll('agents.markdown.llms', 'agents.markdown.api'),
      {
        copies: [
          { label: 'llms.txt', text: at(LLMS_PATH) },
          { label: 'Markdown', text: at(toMarkdownPath(toPagePath('today', lang))) },
        ],
      },
    ),
    toSection('tokens', say('agents.tokens'), sayAll('agents.tokens.bounds', 'agents.tokens.ask')),
    toSection('cite', say('agents.cite'), [], {
      points: sayAll('agents.cite.link', 'agents.cite.sure', 'agents.cite.now'),
    }),
    toSection('limits', say('agents.limits'), sayAll('agents.limits.rate', 'agents.limits.sync')),
    toSection('avoid', say('agents.avoid'), [], {
      points: sayAll(
        'agents.avoid.data',
        'agents.avoid.keep',
        'agents.avoid.submit',
        'agents.avoid.train',
      ),
    }),
  ];
}
