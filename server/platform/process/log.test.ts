import { describe, expect, test } from 'vitest'
import { createLog, createLogOutput } from './log.ts'

describe('log output', () => {
  test('passes lines on, and drops and counts them while the target does not read', () => {
    const written: string[] = []
    const target = { writableLength: 0, write: (line: string) => written.push(line) }
    const output = createLogOutput(target)
    output.write('one\n')
    target.writableLength = 2 * 1024 * 1024
    output.write('two\n')
    output.write('three\n')
    target.writableLength = 0
    output.write('four\n')
    expect(written).toEqual(['one\n', 'four\n'])
    expect(output.droppedLines()).toBe(2)
  })

  test('goes on when the target fails, as a file on a full disk does, and writes again after that', () => {
    let isFull = true
    const written: string[] = []
    const output = createLogOutput({
      write(line) {
        if (isFull) throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
        written.push(line)
      },
    })
    output.write('one\n')
    isFull = false
    output.write('two\n')
    expect(written).toEqual(['two\n'])
    expect(output.droppedLines()).toBe(1)
  })
})

describe('log', () => {
  function logged(error: unknown): string {
    let text = ''
    createLog('info', { write: (line) => (text += line) }).warn({ err: error }, 'it broke')
    return text
  }

  test('logs the message, stack, code and cause of an error, and no other fields', () => {
    const cause = Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (email)=(ann@example.com)' })
    const text = logged(Object.assign(new Error('not saved', { cause }), { client: { password: 'pw-canary' } }))
    expect(JSON.parse(text)).toMatchObject({
      msg: 'it broke',
      err: { message: 'not saved', cause: { message: 'duplicate key', code: '23505' } },
    })
    expect(text).not.toMatch(/ann@example\.com|pw-canary/)
  })
})
