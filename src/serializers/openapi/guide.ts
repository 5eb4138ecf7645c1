// The description read back for people: the very document that programs get, each operation with
// its references resolved.
import * as v from 'valibot';
import type {
  ApiExamples,
  ApiGuide,
  DocsSection,
  GuideError,
  GuideOperation,
  GuideParameter,
} from '../../domain/api-guide.ts';
import { ERROR_CODES, STATUS_OF } from '../../domain/app-error.ts';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import type { Taxonomy } from '../../domain/taxon.ts';
import { API_PATHS } from '../../i18n/api-paths.ts';
import { OPENAPI_PATH, toAbsolute, toPagePath } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { readSentence } from '../guide/sections.ts';
import { inlineCode, paragraph, text } from '../markdown/nodes.ts';
import { toOpenApi } from './document.ts';
import { OPERATIONS } from './operations.ts';
import { toParameterComponents } from './parameters.ts';
import { CODES, OTHER_CODES } from './responses.ts';
import { toAddress, toSamples } from './samples.ts';
import { toShortJson } from './short-json.ts';

const RefSchema = v.object({ $ref: v.string() });
const DataSchema = v.union([
  RefSchema,
  v.pipe(
    v.object({ items: RefSchema }),
    v.transform(({ items }) => items),
  ),
]);
const OkSchema = v.object({
  content: v.object({
    'application/json': v.object({
      schema: v.object({ properties: v.object({ data: DataSchema }) }),
      example: v.optional(v.unknown()),
    }),
  }),
});
const ParameterSchema = v.object({
  name: v.string(),
  required: v.optional(v.boolean(), false),
  in: v.picklist(['query', 'path']),
  description: v.string(),
  schema: v.object({ enum: v.optional(v.array(v.string()), []) }),
  example: v.optional(v.union([v.string(), v.number()])),
});
const OperationSchema = v.object({
  summary: v.string(),
  description: v.string(),
  parameters: v.array(RefSchema),
  responses: v.record(v.string(), v.unknown()),
});
const FieldsSchema = v.object({
  properties: v.optional(v.record(v.string(), v.unknown()), {}),
  allOf: v.optional(
    v.array(
      v.object({
        $ref: v.optional(v.string()),
        properties: v.optional(v.record(v.string(), v.unknown()), {}),
      }),
    ),
    [],
  ),
});
const DocumentSchema = v.object({
  paths: v.record(v.string(), v.object({ get: OperationSchema })),
  components: v.object({
    parameters: v.record(v.string(), ParameterSchema),
    schemas: v.record(v.string(), v.unknown()),
  }),
});
type Document = v.InferOutput<typeof DocumentSchema>;
type Operation = v.InferOutput<typeof OperationSchema>;

const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

const toGuideParameters = ({ parameters }: Operation, { components }: Document): GuideParameter[] =>
  parameters
    .flatMap(({ $ref }) => components.parameters[nameOf($ref)] ?? [])
    .map(({ name, required, in: place, description, schema, example }) => ({
      name,
      required,
      rule: readSentence(description),
      example: example === undefined ? null : String(example),
      in_path: place === 'path',
      choices: schema.enum,
    }));

/** The fields of a schema, those of what it refers to first. */
function listFields(name: string, document: Document): readonly string[] {
  const { properties, allOf } = v.parse(FieldsSchema, document.components.schemas[name]);
  const parts = allOf.flatMap((part) => [
    ...(part.$ref === undefined ? [] : listFields(nameOf(part.$ref), document)),
    ...Object.keys(part.properties),
  ]);
  return [...parts, ...Object.keys(properties)];
}

/** What a success holds; of a calendar nothing is told. */
function toAnswer({ responses }: Operation, document: Document) {
  const ok = v.safeParse(OkSchema, responses['200']);
  if (!ok.success) return { type: 'text/calendar', fields: [], example: null };
  const { schema, example } = ok.output.content['application/json'];
  return {
    type: 'application/json',
    fields: listFields(nameOf(schema.properties.data.$ref), document),
    example: example === undefined ? null : toShortJson(example),
  };
}

const toError = (code: GuideError['code']): GuideError => ({ status: STATUS_OF[code], code });

/** Every code that the API may answer; what each means is on a page of its own. */
function toErrorSection(site: Site, lang: Lang): DocsSection {
  const codes = new Set<string>([...CODES, ...OTHER_CODES]);
  const url = toAbsolute(site.url, toPagePath('docs_errors', lang));
  return {
    id: 'errors',
    title: t(lang, 'docs.errors'),
    body: [
      paragraph(...readSentence(t(lang, 'docs.errors.about'))),
      paragraph(...readSentence(t(lang, 'docs.errors.all', { url }))),
      paragraph(
        ...ERROR_CODES.filter((code) => codes.has(code)).flatMap((code, at) => [
          text(`${at === 0 ? '' : ', '}${STATUS_OF[code]} `),
          inlineCode(code),
        ]),
        text('.'),
      ),
    ],
  };
}

/**
 * What the docs page explains, in one language; `chapters` are what a person wrote. Throws where the
 * description is not as we write it.
 */
export function toApiGuide(
  taxonomy: Taxonomy,
  site: Site,
  examples: ApiExamples,
  chapters: readonly DocsSection[],
  lang: Lang,
): ApiGuide {
  const document = v.parse(DocumentSchema, toOpenApi(taxonomy, site, examples, lang));
  const parameters = toParameterComponents(examples, lang);
  const operations = OPERATIONS.flatMap((form): GuideOperation[] => {
    const path = API_PATHS[form.id];
    const get = document.paths[path]?.get;
    if (get === undefined) return [];
    const address = toAddress(form, parameters, site, lang);
    return [
      {
        id: form.id,
        path,
        summary: get.summary,
        description: readSentence(get.description),
        parameters: toGuideParameters(get, document),
        address,
        samples: toSamples(address, form.printed),
        ...toAnswer(get, document),
        errors: (['invalid_parameter', ...form.errors] as const).map(toError),
      },
    ];
  });
  return {
    about: t(lang, 'openapi.about'),
    base_url: site.url,
    machine: readSentence(
      t(lang, 'docs.start.machine', { url: toAbsolute(site.url, OPENAPI_PATH) }),
    ),
    operations,
    sections: [toErrorSection(site, lang), ...chapters],
  };
}
