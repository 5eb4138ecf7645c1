// The pages of the docs beside the reference, as sections: for those who connect a model (contract 13), calendars
// (12), what changed (15.5), errors (9.3, 9.5), the service's status, the same as /healthz tells programs.
import { Temporal } from 'temporal-polyfill';
import { API_CHANGES } from '../domain/api-changes.ts';
import {
  type GuideBlock,
  type GuideRow,
  type GuideSection,
  type PathExamples,
  toSection,
} from '../domain/api-guide.ts';
import { ERROR_CODES, type ErrorCode, STATUS_OF } from '../domain/app-error.ts';
import { toCancun } from '../domain/cancun-time.ts';
import type { Health } from '../domain/health.ts';
import { byLang, type Lang } from '../domain/lang.ts';
import type { Site } from '../domain/site.ts';
import { toDayOfMonth, toHour, toLongDay } from '../i18n/dates.ts';
import { LIMIT_NUMBERS } from '../i18n/parameter-words.ts';
import {
  HEALTH_PATH,
  LLMS_PATH,
  MCP_PATH,
  OPENAPI_PATH,
  READINESS_PATH,
  SERVER_CARD_PATH,
  STATUS_PATH,
  toAbsolute,
  toDateIcsPath,
  toFeedPath,
  toMarkdownPath,
  toPagePath,
  toThingIcsPath,
} from '../i18n/paths.ts';
import { TOOL_NAMES } from '../i18n/tool-names.ts';
import { type Key, t, tCount } from '../i18n/translate.ts';
import { MESSAGES } from './openapi/responses.ts';
import { toShortJson } from './openapi/short-json.ts';
import { toErrorBody } from './wire/error.ts';

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

const FILTERS = { category: 'live-music', free: '1' } as const;
const THINGS = ['event', 'venue', 'organizer'] as const;
const APPS = ['google', 'iphone', 'mac', 'outlook', 'thunderbird'] as const;
const CHANGES = ['uid', 'cancelled', 'refresh'] as const;

/** `examples` are identifiers that exist, `day` is one on which the event takes place. */
export function toCalendarSections(
  site: Site,
  examples: PathExamples,
  day: string | null,
  lang: Lang,
): readonly GuideSection[] {
  const url = toAbsolute(site.url, toPagePath('calendar', lang));
  const say = (key: Key): string => t(lang, key, { ...LIMIT_NUMBERS, url });
  const copy = (key: Key, path: string) => ({
    label: say(key),
    text: toAbsolute(site.url, path),
  });
  return [
    toSection('follow', say('cal.follow'), [say('cal.follow.follow'), say('cal.follow.button')]),
    toSection(
      'addresses',
      say('cal.addresses'),
      [say('cal.addresses.filters'), say('cal.addresses.webcal')],
      {
        copies: [
          copy('guide.feeds.list', toFeedPath(FILTERS, lang)),
          ...THINGS.map((kind) =>
            copy(
              `guide.feeds.${kind}`,
              toThingIcsPath(
                kind,
                byLang(() => examples[kind]),
                lang,
              ),
            ),
          ),
          ...(day === null
            ? []
            : [copy('cal.address.date', toDateIcsPath(examples.event, day, lang))]),
        ],
      },
    ),
    toSection('apps', say('cal.apps'), [], { points: APPS.map((app) => say(`cal.apps.${app}`)) }),
    toSection(
      'changes',
      say('cal.changes'),
      CHANGES.map((change) => say(`cal.changes.${change}`)),
    ),
    toSection('bring', say('cal.bring'), [
      t(lang, 'cal.bring.how', { url: toAbsolute(site.url, toPagePath('import', lang)) }),
      say('cal.bring.read'),
    ]),
    toSection('times', say('cal.times'), [say('cal.times.zone'), say('cal.times.unknown')]),
  ];
}

/** Each version with its entries; the rule of what may change stands with the newest. */
export function toChangelogSections(site: Site, lang: Lang): readonly GuideSection[] {
  const changes = toAbsolute(site.url, toPagePath('changes', lang));
  return API_CHANGES.map(({ version, day, entries }) =>
    toSection(
      day === null ? 'since' : `v${version.replaceAll('.', '-')}`,
      day === null
        ? t(lang, 'changelog.since', { version })
        : t(lang, 'changelog.release', {
            version,
            day: toDayOfMonth(Temporal.PlainDate.from(day), lang),
          }),
      day === null ? [t(lang, 'changelog.rule', { changes })] : [],
      { points: entries.map((entry) => t(lang, `changelog.entry.${entry}`)) },
    ),
  );
}

const NOTES = ['body', 'decide', 'order', 'mcp'] as const;

const toRpcBody = (message: string) => ({
  jsonrpc: '2.0',
  error: { code: -32600, message },
  id: null,
});

const SENTENCES: Partial<Record<ErrorCode, string>> = MESSAGES;
/** What is said where it never gives the code: at /mcp, by a tool. */
const OTHERS: Partial<Record<ErrorCode, object>> = {
  payload_too_large: toRpcBody('body: at most 65536 bytes are read'),
  unsupported_media_type: toRpcBody('content-type: is not application/json'),
  invalid_submission: {
    isError: true,
    content: [{ type: 'text', text: 'start: is in the past' }],
  },
};

function toExample(code: ErrorCode, site: Site, lang: Lang): GuideBlock {
  const label = t(lang, 'errors.label.example');
  const sentence = SENTENCES[code];
  const body = sentence === undefined ? OTHERS[code] : toErrorBody(code, sentence, site);
  // Only a page is asked for in a form that it has not; it answers in words.
  return body === undefined
    ? { label, language: 'text', text: t(lang, 'error.not_acceptable') }
    : { label, language: 'json', text: toShortJson(body) };
}

function toCodeSection(code: ErrorCode, site: Site, lang: Lang): GuideSection {
  return toSection(code, `${STATUS_OF[code]} ${code}`, [t(lang, `openapi.error.${code}`)], {
    rows: [
      { label: t(lang, 'errors.label.when'), text: t(lang, `errors.when.${code}`) },
      { label: t(lang, 'errors.label.do'), text: t(lang, `errors.do.${code}`) },
    ],
    blocks: [toExample(code, site, lang)],
  });
}

/** How an error is read, then each code in order of status. */
export const toErrorSections = (site: Site, lang: Lang): readonly GuideSection[] => [
  toSection(
    'read',
    t(lang, 'errors.read'),
    NOTES.map((note) => t(lang, `errors.read.${note}`)),
  ),
  ...ERROR_CODES.map((code) => toCodeSection(code, site, lang)),
];

const MINUTE_MS = 60_000;

/** `sábado 21 de noviembre de 2026, 19:30`, in Cancún. */
function toMoment(epoch_ms: number, lang: Lang): string {
  const moment = toCancun(epoch_ms);
  return t(lang, 'status.moment', {
    day: toLongDay(moment.toPlainDate(), lang),
    hour: toHour(moment.toPlainTime(), lang),
  });
}

function toAge(minutes: number, lang: Lang): string {
  return minutes < 60
    ? tCount(lang, 'status.age.minutes', minutes)
    : t(lang, 'status.age.hours', { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
}

function toState({ failure, refusal, is_stale }: Health): Key {
  if (is_stale) return 'status.state.late';
  return failure === null && refusal === null ? 'status.state.ok' : 'status.state.failed';
}

const countFiles = (faults: Health['faults']): number =>
  new Set(faults.map(({ file }) => file)).size;

function toRows(health: Health, now_ms: number, lang: Lang): readonly GuideRow[] {
  const { release, generated_ms, next_ms, failure, faults } = health;
  const minutes = Math.max(0, Math.floor((now_ms - generated_ms) / MINUTE_MS));
  const row = (label: Key, text: string): GuideRow => ({ label: t(lang, label), text });
  return [
    row('status.label.state', t(lang, toState(health))),
    row('status.label.release', `\`${release}\``),
    row('status.label.made', toMoment(generated_ms, lang)),
    row('status.label.age', toAge(minutes, lang)),
    row('status.label.next', next_ms === null ? t(lang, 'status.never') : toMoment(next_ms, lang)),
    ...(failure === null
      ? []
      : [row('status.label.failed', toMoment(Date.parse(failure.at), lang))]),
    ...(faults.length === 0
      ? []
      : [row('status.label.faults', tCount(lang, 'status.faults', countFiles(faults)))]),
  ];
}

/** `health` is null where no server knows: in a build, in the development server. */
export function toStatusSections(
  health: Health | null,
  now_ms: number,
  site: Site,
  lang: Lang,
): readonly GuideSection[] {
  const at = (path: string): string => toAbsolute(site.url, path);
  const parts = {
    healthz: at(HEALTH_PATH),
    readyz: at(READINESS_PATH),
    statusz: at(STATUS_PATH),
    changes: at(toPagePath('changes', lang)),
    changelog: at(toPagePath('docs_changelog', lang)),
  };
  return [
    toSection(
      'now',
      t(lang, 'status.now'),
      health === null ? [t(lang, 'status.unknown')] : [],
      health === null ? {} : { rows: toRows(health, now_ms, lang) },
    ),
    toSection('programs', t(lang, 'status.programs'), [
      t(lang, 'status.programs.healthz', parts),
      t(lang, 'status.programs.changes', parts),
    ]),
  ];
}
