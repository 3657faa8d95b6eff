/** Bodies of the API: a field that is not described is refused, and nothing is done. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { strict } from '../../../src/routes/http/strict-body.ts'
import { fieldsOf } from '../../../src/routes/http/valid.ts'
import { useApp } from '../../support/app/app.ts'
import { document, operations } from '../../support/app/contract.ts'
import { administrator, follows } from '../../support/app/people.ts'

const app = useApp()
const { ask, sql, jsonAt } = app

const faultsOf = (schema: z.ZodType, body: unknown) => {
  const { error } = strict(schema).safeParse(body)
  return error ? Object.keys(fieldsOf(error.issues)) : []
}

describe('a strict schema', () => {
  const inner = z.object({ a: z.number() })
  it.each([
    ['an object', inner, { a: 1, b: 2 }, ['b']],
    ['an object inside', z.object({ inner }), { inner: { a: 1, b: 2 } }, ['inner.b']],
    ['a list', z.object({ list: z.array(inner) }), { list: [{ a: 1 }, { a: 1, b: 2 }] }, ['list.1.b']],
    ['what may be absent', z.object({ x: inner.nullable().default(null).optional() }), { x: { a: 1, b: 2 } }, ['x.b']],
    ['one of several forms', z.union([inner, z.object({ c: z.number() })]), { c: 1, b: 2 }, ['b']],
    ['every form', z.union([inner, z.object({ c: z.number() })]), { b: 2 }, ['b']],
    ['what is changed before', z.preprocess(Object, z.object({ inner })), { inner: { a: 1, b: 2 } }, ['inner.b']],
    ['what is changed after', inner.transform(({ a }) => a), { a: 1, b: 2 }, ['b']],
    ['what is checked', inner.refine(({ a }) => a > 0), { a: 1, b: 2 }, ['b']],
    ['a record', z.record(z.string(), inner), { x: { a: 1, b: 2 } }, ['x.b']],
  ])('refuses an unknown field of %s', (_, schema, body, faults) => {
    expect(faultsOf(schema, body)).toEqual(faults)
  })

  it('keeps checks, defaults and words, and what is loose on purpose', () => {
    const Body = z.object({ a: z.number().default(3), free: z.looseObject({}) }).describe('Words.')
    const made = strict(Body)
    expect(made.parse({ free: { x: 1 } })).toEqual({ a: 3, free: { x: 1 } })
    expect(made.description).toBe('Words.')
    expect(faultsOf(z.object({ a: z.number().min(2) }), { a: 1 })).toEqual(['a'])
    expect(Body.safeParse({ free: {}, b: 1 }).success).toBe(true)
  })
})

type Shape = { type?: string; additionalProperties?: unknown; [name: string]: unknown }

/** The objects in a schema that do not say which other fields they may have. */
const openIn = (shape: unknown): Shape[] =>
  typeof shape !== 'object' || shape === null
    ? []
    : [
        ...('properties' in shape && (shape as Shape).additionalProperties === undefined ? [shape as Shape] : []),
        ...Object.values(shape).flatMap(openIn),
      ]

type Described = { requestBody?: { content: Record<string, { schema: Shape }> } }
const bodies = Object.entries(document.paths as Record<string, Record<string, Described>>).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { requestBody }]) => {
    const schema = requestBody?.content['application/json']?.schema
    return schema ? [{ method, path, schema }] : []
  }),
)

describe('every body of the API', () => {
  /** It takes documents of other versions. */
  const lenient = 'post /archive'

  it('is described without further fields, but for an archive', () => {
    expect(bodies.length).toBeGreaterThan(30)
    const open = bodies.filter(({ schema }) => openIn(schema).length > 0)
    expect(open.map(({ method, path }) => `${method} ${path}`)).toEqual([lenient])
    expect(operations[lenient]?.description).toContain('fields of other versions are ignored.')
  })

  it('is refused with the name of an unknown field', async () => {
    const admin = await administrator(sql, 'admin')
    for (const { method, path } of bodies) {
      if (`${method} ${path}` === lenient) continue
      const json = { surprise: 1 }
      const answer = await ask(`/api${path.replace(/\{\w+\}/g, 'x')}`, {
        as: admin,
        method: method.toUpperCase(),
        json,
      })
      const { errors } = (await answer.json()) as { errors?: Record<string, string> }
      expect([method, path, answer.status, errors?.surprise]).toEqual([
        method,
        path,
        422,
        'There is no such field. Remove it.',
      ])
    }
  })

  it('marks nothing as watched when it names videos in a field that does not exist', async () => {
    const admin = await administrator(sql, 'admin')
    await follows(admin, 'c', ['v1', 'v2'])
    const json = { video_ids: ['v1'], until: new Date().toISOString() }
    expect((await ask('/api/videos/seen', { as: admin, method: 'POST', json })).status).toBe(422)
    expect(await jsonAt('/api/watched', { as: admin })).toMatchObject({ entries: [] })
  })
})
