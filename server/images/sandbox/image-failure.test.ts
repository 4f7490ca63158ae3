import { describe, expect, test } from 'vitest'
import { crashFailure, memoryFailure, refusalFailure, timeoutFailure } from './image-failure.ts'

describe('every failure has a sentence that says what to do', () => {
  test.each([
    'format',
    'unsupported',
    'pixels',
    'animation',
    'damaged',
    'memory',
    'logo',
    'active',
    'drawing',
  ] as const)('%s', (code) => {
    expect(refusalFailure(code, 120).sentence).toMatch(/[.] Please .+\.$/)
  })
  test.each([timeoutFailure, memoryFailure, crashFailure])('$name', (fail) => {
    expect(fail().sentence).toMatch(/[.] Please .+\.$/)
  })
})

test('the sentence about too many pixels names the limit', () => {
  expect(refusalFailure('pixels', 120)).toMatchObject({ kind: 'refused', code: 'pixels' })
  expect(refusalFailure('pixels', 120).sentence).toContain('more than 120 megapixels')
})

test.each([
  [120, 'up to 200 frames, and 40 megapixels over all frames'],
  [8, 'up to 200 frames, and 8 megapixels over all frames'],
])(
  'the sentence about a large animation names both limits, with at most %i megapixels for a picture',
  (most, limits) => {
    expect(refusalFailure('animation', most).sentence).toContain(limits)
  },
)

test('a process that runs out of memory fails like one that is stopped for it', () => {
  expect(refusalFailure('memory', 120)).toMatchObject({ kind: 'memory', sentence: memoryFailure().sentence })
})
