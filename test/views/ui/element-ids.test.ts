import { describe, expect, it } from 'vitest'
import { cellId } from '../../../src/views/ui/element-ids.ts'

describe('cellId', () => {
  it.each(['dQw4w9WgXcQ', 'a.b', 'a:b', 'a/b?c#d', 'a b', '"><b>', '-_-', 'ä😀'])(
    'turns %s into an id that needs no escaping in a selector',
    video_id => {
      expect(cellId(video_id)).toMatch(/^[A-Za-z][A-Za-z0-9_\u00b7-]*$/)
    },
  )

  it('never gives two videos the same id', () => {
    const ids = ['a.b', 'a·2e·b', 'a_b', 'a-b', 'a2eb', 'a·b'].map(cellId)

    expect(new Set(ids).size).toBe(ids.length)
  })
})
