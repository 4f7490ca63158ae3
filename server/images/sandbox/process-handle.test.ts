import type { ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import type { ImageReply } from '../protocol.ts'
import { startImageProcess } from './process-handle.ts'

/** An image process that writes what the test says, and what its handle received and did. */
function startFake() {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const kills: string[] = []
  const emitter = new EventEmitter()
  const child = Object.assign(emitter, { pid: 42, stdin, stdout, stderr, kill: (signal: string) => kills.push(signal) })
  // Only these members are used.
  const start = () => child as unknown as ChildProcess
  const handle = startImageProcess({ start, close: () => {} }, 0, '/slot')
  const replies: ImageReply[] = []
  handle.setListener({ onMessage: (reply) => void replies.push(reply) })
  return { handle, replies, kills, stdin, stdout, stderr, emitter }
}

test('replies are lines of JSON, however they are divided', async () => {
  const { replies, kills, stdout } = startFake()
  stdout.write('{"type":"rea')
  stdout.write('dy"}\n{"id":1,"type":"sized","megapixels":12}\n')
  await expect
    .poll(() => replies)
    .toEqual([{ type: 'ready' }, { id: 1, type: 'sized', megapixels: 12, animated: false }])
  expect(kills).toEqual([])
})

test.each([
  ['a line that is not a reply', 'hello\n'],
  ['a line without an end', 'x'.repeat(70_000)],
])('a process that writes %s is killed', async (_, text) => {
  const { replies, kills, stdout } = startFake()
  stdout.write(text)
  await expect.poll(() => kills).toContain('SIGKILL')
  expect(replies).toEqual([])
})

test('a request is one line of JSON', () => {
  const { handle, stdin } = startFake()
  const request = { id: 1, work: 'photo', maxMegapixels: 1, watermark: null } as const
  handle.send(request)
  expect(stdin.read().toString()).toBe(`${JSON.stringify(request)}\n`)
})

test('the exit is reported with the end of standard error', async () => {
  const { handle, stderr, emitter } = startFake()
  stderr.write(`${'x'.repeat(3_000)}the reason\n`)
  await new Promise((resolve) => setImmediate(resolve))
  emitter.emit('close', 1, null)
  const exit = await handle.exited
  expect(exit).toMatchObject({ code: 1, signal: null, stderrTail: expect.stringMatching(/^x+the reason$/) })
  expect(exit.stderrTail.length).toBeLessThan(2_000)
})

test('a process that could not be started has exited', async () => {
  const { handle, emitter } = startFake()
  emitter.emit('error', new Error('spawn ENOENT'))
  expect(await handle.exited).toEqual({ code: null, signal: null, stderrTail: 'spawn ENOENT' })
})
