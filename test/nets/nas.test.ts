/** The templates for Unraid and TrueNAS: what the systems accept, what the service knows, and what compose.yaml says. */
import { readFile } from 'node:fs/promises'
import { Ajv } from 'ajv'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import manifest from '../../package.json' with { type: 'json' }
import { Variables } from '../../src/config/variables.ts'
import { truenasApp, truenasQuestions, unraid } from '../release/schemas.ts'

const ajv = new Ajv({ allErrors: true, strict: false })
const faultsOf = (schema: object, value: unknown) =>
  ajv.validate(schema, value) ? [] : (ajv.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)

const read = (path: string) => readFile(path, 'utf8')
const known = [...Object.keys(Variables.shape), 'PUID', 'PGID']
const compose = parse(await read('compose.yaml'), { merge: true }).services.backlot
/** The variables that compose.yaml explains in a line of their own: those before the others. */
const explained = [
  ...(/environment:.*?\n(.*?)# The other settings/s
    .exec(await read('compose.yaml'))?.[1]
    ?.matchAll(/^ +([A-Z_]+):/gm) ?? []),
].map(([, name]) => name)

describe('the template for Unraid', async () => {
  const xml = await read('docs/nas/unraid.xml')
  const parser = new XMLParser({
    ...{ ignoreAttributes: false, attributeNamePrefix: '', textNodeName: 'value', ignoreDeclaration: true },
    ...{ parseTagValue: false, isArray: (name: string) => name === 'Config' },
  })
  type Config = { Name: string; Target: string; Default: string; Type: string; Mask: string; value?: string }
  const template = parser.parse(xml).Container as Record<string, string> & { Config: Config[] }
  const { Config } = template
  const ofType = (type: string) => Config.filter(({ Type }) => Type === type)

  it('is XML that the schema accepts', () => {
    expect(XMLValidator.validate(xml)).toBe(true)
    expect(faultsOf(unraid, template)).toEqual([])
  })

  it('the schema finds what is wrong', () => {
    const [first] = Config
    const wrong = { ...template, Support: undefined, Config: [{ ...first, Type: 'Folder', Mask: 'no' }] }
    expect(faultsOf(unraid, JSON.parse(JSON.stringify(wrong)))).toEqual([
      ...[" must have required property 'Support'"],
      ...['/Config/0/Type must be equal to one of the allowed values'],
      ...['/Config/0/Mask must be equal to one of the allowed values'],
    ])
  })

  it('has the variables that compose.yaml explains, and hides what is secret', () => {
    expect(explained.length).toBeGreaterThan(8)
    expect(
      ofType('Variable')
        .map(({ Target }) => Target)
        .toSorted(),
    ).toEqual(explained.toSorted())
    for (const { Target, Mask, Default, value = '' } of Config) {
      expect([Target, value]).toEqual([Target, Default])
      expect([Target, Mask]).toEqual([Target, String(/SECRET|SMTP_URL/.test(Target))])
    }
  })

  it('runs the same image with the same places and rights', () => {
    expect(template.Repository).toBe(compose.image)
    const places = compose.volumes.map((volume: string) => volume.split(':').at(-1))
    const temporary = /-v (\/\S+)/.exec(template.ExtraParams ?? '')?.[1]
    expect([...ofType('Path').map(({ Target }) => Target), temporary]).toEqual(places)
    for (const name of ['DOWNLOADS_DIR', 'MEDIA_DIR'])
      expect(Config.find(({ Target }) => Target === name)?.value).toBe(compose.environment[name])
    const rights = [...(template.ExtraParams ?? '').matchAll(/--cap-add=(\S+)/g)].map(([, name]) => name)
    expect(rights).toEqual(compose.cap_add)
    for (const option of ['--read-only', '--cap-drop=ALL', '--security-opt=no-new-privileges', '--stop-timeout=30'])
      expect(template.ExtraParams).toContain(option)
    expect(template.WebUI).toContain(`[PORT:${ofType('Port')[0]?.Target}]`)
  })
})

describe('the app for TrueNAS', async () => {
  const folder = 'docs/nas/truenas'
  const app = parse(await read(`${folder}/app.yaml`))
  const asked = parse(await read(`${folder}/questions.yaml`))
  const values = parse(await read(`${folder}/ix_values.yaml`))
  const template = await read(`${folder}/templates/docker-compose.yaml`)
  type Question = {
    variable: string
    schema: { attrs?: Question[]; type: string; private?: boolean; default?: unknown }
  }

  it('has metadata and questions that the schemas accept', () => {
    expect(faultsOf(truenasApp, app)).toEqual([])
    expect(faultsOf(truenasQuestions, asked)).toEqual([])
    const groups = asked.groups.map(({ name }: { name: string }) => name)
    for (const { group } of asked.questions) expect(groups).toContain(group)
    expect(app.name).toBe('backlot')
  })

  it('the schemas find what is wrong', () => {
    expect(faultsOf(truenasApp, { ...app, title: undefined, capabilities: 'none' })).not.toEqual([])
    const wrong = structuredClone(asked)
    wrong.questions[0].schema.default = 7
    expect(faultsOf(truenasQuestions, wrong).join('\n')).toContain('/questions/0/schema/default must be string')
    delete wrong.questions[0].group
    expect(faultsOf(truenasQuestions, wrong).join('\n')).toContain("/questions/0 must have required property 'group'")
  })

  it('every value in its template is asked for or given', () => {
    const reach = (questions: Question[], [name, ...rest]: string[]): boolean => {
      const found = questions.find(({ variable }) => variable === name)
      return found !== undefined && (rest.length === 0 || reach(found.schema.attrs ?? [], rest))
    }
    const used = [...template.matchAll(/values\.([\w.]+)/g)].map(([, path = '']) => path.split('.'))
    expect(used.length).toBeGreaterThan(15)
    const missing = used.filter(([top = '', ...rest]) =>
      top in values
        ? rest.some((_, at) => rest.slice(0, at + 1).reduce((part, name) => part?.[name], values[top]) === undefined)
        : !reach(asked.questions, [top, ...rest]),
    )
    expect(missing).toEqual([])
  })

  it('passes on the variables that compose.yaml explains; the library passes on TZ, UMASK, PUID and PGID', () => {
    const added = [...template.matchAll(/add_env\("(\w+)"/g)].map(([, name]) => name)
    expect([...added, 'TZ', 'UMASK', 'PUID', 'PGID'].toSorted()).toEqual(explained.toSorted())
    expect(explained.filter(name => !known.includes(name ?? ''))).toEqual([])
    const asking = asked.questions.map(({ variable }: Question) => variable)
    expect(asking).toEqual(expect.arrayContaining(['TZ', 'UMASK', 'run_as']))
    const settings = asked.questions.find(({ variable }: Question) => variable === 'backlot').schema.attrs as Question[]
    const secret = settings.filter(({ schema }) => schema.private).map(({ variable }) => variable)
    expect(secret).toEqual(['secret_key', 'smtp_url'])
  })

  it('runs this version of the image with the places of compose.yaml', () => {
    const { image } = values.images
    expect(`${image.repository}:latest`).toBe(compose.image)
    expect([image.tag, app.app_version]).toEqual([manifest.version, manifest.version])
    const { downloads_path, media_path } = values.consts
    expect([downloads_path, media_path]).toEqual([compose.environment.DOWNLOADS_DIR, compose.environment.MEDIA_DIR])
    expect(String(values.consts.port)).toBe(/:(\d+)$/.exec(compose.ports[0])?.[1])
  })
})
