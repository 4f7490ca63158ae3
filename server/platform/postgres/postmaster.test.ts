import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { scratchFolder } from '../../test/child-processes.ts'
import { createLog } from '../process/log.ts'
import { type Postmaster, readPidFile, restartPauses, supervisePostgres } from './postmaster.ts'

describe('pid file', () => {
  test('the file names the postmaster, its port, its socket folder and its state, which an incomplete one has not', () => {
    const clusterDir = scratchFolder(onTestFinished)
    expect(readPidFile(clusterDir)).toBeUndefined()
    const lines = ['4711', clusterDir, '1777000000', '5432', '/tmp/socket', '', '  5432001  1', 'ready   ', '']
    writeFileSync(join(clusterDir, 'postmaster.pid'), lines.join('\n'))
    expect(readPidFile(clusterDir)).toEqual({ pid: 4711, port: 5432, socketDir: '/tmp/socket', status: 'ready' })
    writeFileSync(join(clusterDir, 'postmaster.pid'), '4711\n')
    expect(readPidFile(clusterDir)).toMatchObject({ pid: 4711, status: '' })
  })
})

describe('supervise postgres', () => {
  const log = createLog('silent')
  const shortPauses = { log, pausesMs: [0, 1], stableRunMs: 2_000 }

  /** A process that ends when it is told to. */
  function createPostmaster() {
    const { promise: ended, resolve: crash } = Promise.withResolvers<string>()
    return { ended, crash: () => crash('it was ended by SIGKILL'), stop: async () => crash('it ended with 0') }
  }

  test('PostgreSQL is started again after every crash, however many there are', async () => {
    let current = createPostmaster()
    let starts = 0
    const start = async (): Promise<Postmaster> => {
      starts += 1
      // As when the machine is busy or the disk is full for a while.
      if (starts % 3 === 0) throw new Error('PostgreSQL did not start')
      return (current = createPostmaster())
    }
    const supervised = supervisePostgres(current, start, shortPauses)
    for (let crash = 0; crash < 30; crash++) {
      const previous = current
      current.crash()
      await expect.poll(() => [supervised.state(), current === previous], { interval: 1 }).toEqual(['up', false])
    }
    expect(starts).toBe(44)
    await supervised.stop()
    expect(supervised.state()).toBe('stopped')
  })

  test('stopping ends the attempts to start it, also during a pause', async () => {
    const first = createPostmaster()
    const { promise: failed, resolve } = Promise.withResolvers<void>()
    const start = async (): Promise<Postmaster> => {
      resolve()
      throw new Error('PostgreSQL did not start')
    }
    const supervised = supervisePostgres(first, start, { log, pausesMs: [0, 3_600_000], stableRunMs: 0 })
    first.crash()
    await failed
    expect(supervised.state()).toBe('down')
    await supervised.stop()
    expect(supervised.state()).toBe('stopped')
  })

  test('a crash after seconds of running is followed by an attempt at once, and no pause is longer than 10 seconds', () => {
    expect(restartPauses.pausesMs[0]).toBe(0)
    expect(restartPauses.stableRunMs).toBeLessThan(3_000)
    expect(Math.max(...restartPauses.pausesMs)).toBe(10_000)
  })
})
