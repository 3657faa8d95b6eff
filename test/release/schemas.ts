/**
 * What the shops of two NAS systems accept, as JSON Schema. XML is read as an object: `$` has the attributes, `_` the text.
 * Sources: Unraid, wiki.unraid.net/DockerTemplateSchema, ca.unraid.net/submit/help/xml-field-reference and the check of
 * selfhosters/unRAID-CA-templates; TrueNAS, `apps_validation/json_schema_utils.py`, `apps_validation/validate_questions.py` and
 * `apps_schema/attrs` of github.com/truenas/apps_validation.
 */
const text = { type: 'string', minLength: 1 }
const texts = { type: 'array', items: { type: 'string' } }
const yes_or_no = { enum: ['true', 'false'] }
const address = { type: 'string', pattern: '^https://' }
const version = { type: 'string', pattern: '^[0-9]+\\.[0-9]+\\.[0-9]+$' }

const config = {
  type: 'object',
  properties: {
    Name: text,
    Target: text,
    Default: { type: 'string' },
    Mode: { enum: ['', 'rw', 'ro', 'tcp', 'udp'] },
    Description: { type: 'string', pattern: '^[^<>&"]+$' },
    Type: { enum: ['Path', 'Port', 'Variable', 'Label', 'Device'] },
    Display: { enum: ['always', 'always-hide', 'advanced', 'advanced-hide'] },
    Required: yes_or_no,
    Mask: yes_or_no,
    value: { type: 'string' },
  },
  required: ['Name', 'Target', 'Default', 'Mode', 'Description', 'Type', 'Display', 'Required', 'Mask'],
  additionalProperties: false,
}

export const unraid = {
  type: 'object',
  properties: {
    version: { const: '2' },
    Name: text,
    Repository: text,
    Registry: address,
    Network: { enum: ['bridge', 'host', 'none'] },
    Shell: { enum: ['sh', 'bash'] },
    Privileged: yes_or_no,
    Support: address,
    Project: address,
    Overview: { type: 'string', pattern: '^[^<>&"]+$' },
    Category: { type: 'string', pattern: '^([A-Za-z]+:[A-Za-z]*( |$))+$' },
    WebUI: { type: 'string', pattern: '^https?://\\[IP\\]:\\[PORT:[0-9]+\\]' },
    TemplateURL: address,
    Icon: address,
    ExtraParams: { type: 'string' },
    Config: { type: 'array', items: config, minItems: 1 },
  },
  required: [
    'version',
    'Name',
    'Repository',
    'Support',
    'Project',
    'Overview',
    'Category',
    'Icon',
    'TemplateURL',
    'Config',
  ],
  additionalProperties: false,
}

const person = {
  type: 'object',
  properties: { name: { type: 'string' }, email: { type: 'string' }, url: { type: 'string' } },
  required: ['name', 'email'],
}
const context = {
  type: 'object',
  properties: {
    description: { type: 'string' },
    uid: { type: 'integer' },
    gid: { type: 'integer' },
    user_name: { type: 'string' },
    group_name: { type: 'string' },
  },
  required: ['description'],
}

export const truenasApp = {
  type: 'object',
  properties: {
    ...{ name: text, train: text, title: text, description: text, home: text, app_version: text, icon: address },
    ...{ version, lib_version: version, lib_version_hash: { type: 'string', pattern: '^[0-9a-f]{64}$' } },
    ...{ sources: texts, screenshots: texts, keywords: texts, categories: texts },
    // As published: no day or month that ends with 0 matches.
    date_added: { type: 'string', pattern: '20[0-9][0-9]-[0-9][1-9]-[0-9][1-9]' },
    annotations: { type: 'object' },
    maintainers: { type: 'array', items: person },
    run_as_context: { type: 'array', items: context },
    capabilities: { type: 'array' },
    host_mounts: { type: 'array' },
  },
  required: [
    ...['name', 'train', 'version', 'app_version', 'title', 'description', 'home', 'sources', 'maintainers'],
    ...['run_as_context', 'capabilities', 'host_mounts', 'date_added'],
  ],
  dependentRequired: { lib_version: ['lib_version_hash'] },
  additionalProperties: false,
}

const common = {
  type: text,
  ...Object.fromEntries(
    ['required', 'null', 'editable', 'immutable', 'hidden'].map(name => [name, { type: 'boolean' }]),
  ),
  ...{ show_if: { type: 'array' }, $ref: texts },
}
const choices = (value: object) => ({
  type: 'array',
  items: {
    type: 'object',
    properties: { value, description: { type: ['string', 'null'] } },
    required: ['value', 'description'],
    additionalProperties: false,
  },
})
/** A schema of one type: `value` is that of its default; `more` may be there, `needed` must be. */
const kind = (names: string[], value: object, more: object = {}, needed: string[] = []) => ({
  type: 'object',
  properties: { ...common, type: { enum: names }, default: value, enum: choices(value), ...more },
  required: ['type', ...needed],
  additionalProperties: false,
})
const questions = { type: 'array', items: { $ref: '#/definitions/question' } }
const number = { type: 'integer' }
const string = { type: 'string' }

export const truenasQuestions = {
  definitions: {
    question: {
      type: 'object',
      properties: {
        variable: text,
        label: string,
        description: string,
        group: text,
        schema: { $ref: '#/definitions/schema' },
      },
      required: ['variable', 'label', 'schema'],
      additionalProperties: false,
    },
    schema: {
      oneOf: [
        kind(['string'], string, {
          min_length: number,
          max_length: number,
          private: { type: 'boolean' },
          valid_chars: string,
        }),
        kind(['path', 'hostpath', 'uri'], string),
        kind(['int'], number, { min: number, max: number }),
        kind(['boolean'], { type: 'boolean' }),
        kind(['dict'], { type: 'object' }, { attrs: questions }, ['attrs']),
        kind(['list'], { type: 'array' }, { items: { ...questions, maxItems: 1 } }, ['items']),
      ],
    },
  },
  type: 'object',
  properties: {
    groups: {
      type: 'array',
      items: { type: 'object', properties: { name: text, description: text }, required: ['name', 'description'] },
    },
    questions: { type: 'array', items: { allOf: [{ $ref: '#/definitions/question' }, { required: ['group'] }] } },
  },
  required: ['groups', 'questions'],
}
