// The description read back for people: the very document that programs get, each operation with
// its references resolved.
import * as v from 'valibot';
import type {
  ApiGuide,
  GuideExample,
  GuideError,
  GuideOperation,
  GuideParameter,
  PathExamples,
} from '../../domain/api-guide.ts';
import { ERROR_CODES } from '../../domain/app-error.ts';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import type { Taxonomy } from '../../domain/taxon.ts';
import { t } from '../../i18n/translate.ts';
import { toOpenApi } from './document.ts';
import { toSections } from './sections.ts';
import { toShortJson } from './short-json.ts';

const RefSchema = v.object({ $ref: v.string() });
const ContentSchema = v.record(v.string(), v.object({ example: v.unknown() }));
const OkSchema = v.object({ content: ContentSchema });
const ParameterSchema = v.object({
  name: v.string(),
  required: v.boolean(),
  in: v.picklist(['query', 'path']),
  description: v.string(),
  schema: v.object({ enum: v.optional(v.array(v.string()), []) }),
  example: v.optional(v.union([v.string(), v.number()])),
});
const ErrorSchema = v.object({
  description: v.string(),
  content: v.object({
    'application/json': v.object({
      example: v.object({ error: v.object({ code: v.picklist(ERROR_CODES) }) }),
    }),
  }),
});
const SampleSchema = v.object({ label: v.string(), source: v.string() });
const OperationSchema = v.object({
  operationId: v.string(),
  summary: v.string(),
  description: v.string(),
  parameters: v.array(RefSchema),
  responses: v.record(v.string(), v.unknown()),
  'x-codeSamples': v.array(SampleSchema),
});
const DocumentSchema = v.object({
  paths: v.record(v.string(), v.object({ get: OperationSchema })),
  components: v.object({
    parameters: v.record(v.string(), ParameterSchema),
    responses: v.record(v.string(), ErrorSchema),
  }),
});
type Document = v.InferOutput<typeof DocumentSchema>;
type Operation = v.InferOutput<typeof OperationSchema>;

const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

function toGuideParameters({ parameters }: Operation, { components }: Document): GuideParameter[] {
  return parameters
    .flatMap(({ $ref }) => components.parameters[nameOf($ref)] ?? [])
    .map(({ name, required, in: place, description, schema, example }) => ({
      name,
      required,
      rule: description,
      example: example === undefined ? null : String(example),
      in_path: place === 'path',
      choices: schema.enum,
    }));
}

function toIssues({ responses }: Operation, { components }: Document): GuideError[] {
  return Object.entries(responses).flatMap(([status, response]) => {
    const ref = v.safeParse(RefSchema, response);
    const error = ref.success ? components.responses[nameOf(ref.output.$ref)] : undefined;
    return error
      ? [
          {
            status: Number(status),
            code: error.content['application/json'].example.error.code,
            meaning: error.description,
          },
        ]
      : [];
  });
}

/** The example of a calendar without its zone, its lines as a reader sees them. */
const toShortCalendar = (calendar: string): string =>
  calendar
    .replace(/BEGIN:VTIMEZONE.*END:VTIMEZONE/s, '…')
    .replaceAll('\r\n', '\n')
    .trimEnd();

/** The example of a success; `shown` has the examples of earlier operations, and which of them had each. */
function toAnswer({ operationId, responses }: Operation, shown: Map<string, string>): GuideExample {
  const [[type, { example }] = ['', { example: null }]] = Object.entries(
    v.parse(OkSchema, responses['200']).content,
  );
  const text = typeof example === 'string' ? toShortCalendar(example) : toShortJson(example);
  const same_as = shown.get(text) ?? null;
  if (same_as === null) shown.set(text, operationId);
  return { type, text, same_as };
}

const toAddress = ({ 'x-codeSamples': [sample] }: Operation): string =>
  /'([^']+)'/.exec(sample?.source ?? '')?.[1] ?? '';

/**
 * What the docs page explains, in one language. Throws where the description is not as we write it.
 */
export function toApiGuide(
  taxonomy: Taxonomy,
  site: Site,
  examples: PathExamples,
  lang: Lang,
): ApiGuide {
  const document = v.parse(DocumentSchema, toOpenApi(taxonomy, site, examples, lang));
  const shown = new Map<string, string>();
  const operations = Object.entries(document.paths).map(
    ([path, { get }]): GuideOperation => ({
      id: get.operationId,
      path,
      summary: get.summary,
      description: get.description,
      parameters: toGuideParameters(get, document),
      address: toAddress(get),
      samples: get['x-codeSamples'],
      answer: toAnswer(get, shown),
      errors: toIssues(get, document),
    }),
  );
  const errors = new Map(
    operations.flatMap((operation) =>
      operation.errors.map((error) => [error.code, error] as const),
    ),
  );
  return {
    about: t(lang, 'openapi.about'),
    base_url: site.url,
    operations,
    errors: [...errors.values()].sort((a, b) => a.status - b.status),
    sections: toSections(taxonomy, site, examples, lang),
  };
}
