import { expect, test } from 'vitest'
import type { ImageRefusalCode } from '../protocol.ts'
import { crashFailure, memoryFailure, refusalFailure, timeoutFailure } from './image-jobs.ts'

const codes: ImageRefusalCode[] = [
  'format',
  'unsupported',
  'pixels',
  'animation',
  'damaged',
  'memory',
  'logo',
  'active',
  'drawing',
]

test('every failure has a sentence that says what to do', () => {
  for (const { sentence } of [
    ...codes.map((code) => refusalFailure(code, 120)),
    timeoutFailure(),
    memoryFailure(),
    crashFailure(),
  ])
    expect(sentence).toMatch(/[.] Please .+\.$/)
})

test('the sentences about too many pixels name the limits', () => {
  expect(refusalFailure('pixels', 120)).toMatchObject({ kind: 'refused', code: 'pixels' })
  expect(refusalFailure('pixels', 120).sentence).toContain('more than 120 megapixels')
  for (const [most, limits] of [
    [120, 'up to 200 frames, and 40 megapixels over all frames'],
    [8, 'up to 200 frames, and 8 megapixels over all frames'],
  ] as const)
    expect(refusalFailure('animation', most).sentence).toContain(limits)
})

test('a process that runs out of memory fails like one that is stopped for it', () => {
  expect(refusalFailure('memory', 120)).toMatchObject({ kind: 'memory', sentence: memoryFailure().sentence })
})
