import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { hasProc } from '../server/platform/process/processes.ts'

let parent: string
beforeEach(({ skip }) => {
  skip(!hasProc, 'reads /proc')
  parent = mkdtempSync(join(tmpdir(), 'keepsnap-parents-'))
  onTestFinished(() => rmSync(parent, { recursive: true }))
})

/** A run that starts a detached shell and two with another environment, one of which leaves a child that ends slowly. */
async function startRun() {
  const seconds = `1000.${process.pid}${Date.now()}`
  const program = `
    import { spawn } from 'node:child_process'
    import { startTestRun } from '${join(import.meta.dirname, 'test-run.ts')}'
    const { folder } = startTestRun(['${join(parent, 'missing')}', '${parent}'])
    const start = (background, options) =>
      spawn('sh', ['-c', '(' + background + ') & sleep ${seconds}; true'], { stdio: 'ignore', ...options })
    start('sleep ${seconds}; true', { env: { PATH: '/bin:/usr/bin', TMPDIR: folder }, detached: true })
    start('sleep ${seconds}; true', { env: {} })
    start('trap "sleep 0.5; exit" TERM; sleep ${seconds} & wait', { env: {} })
    console.log(folder)
    setInterval(() => {}, 1_000)`
  const args = ['--input-type=module', '--eval', program]
  const run = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void run.kill('SIGKILL'))
  const [folder = ''] = (await once(createInterface(run.stdout), 'line')) as string[] // its own line
  const sleeping = (): number => Number(spawnSync('pgrep', ['-fxc', `sleep ${seconds}`]).stdout)
  return { run, folder, sleeping }
}

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s ends what a run has started, and its folder goes',
  async (signal) => {
    const { run, folder, sleeping } = await startRun()
    await expect.poll(sleeping).toBe(6)
    const ended = once(run, 'exit')
    run.kill(signal)
    run.kill(signal)
    expect(await ended).toEqual([128 + constants.signals[signal], null])
    expect([sleeping(), existsSync(folder)]).toEqual([0, false])
  },
)

test('the folder of a run that was killed is removed by the next one, others are not', async () => {
  const ended = spawnSync(process.execPath, ['-v']).pid
  const names = ['something-else', `keepsnap-test-${process.pid}-a`, `keepsnap-test-${ended}-b`]
  for (const name of names) mkdirSync(join(parent, name, 'with', 'files'), { recursive: true })
  const { run, folder } = await startRun()
  const found = readdirSync(parent).map((name) => join(parent, name))
  expect(found.toSorted()).toEqual([...names.slice(0, 2).map((name) => join(parent, name)), folder].toSorted())
  run.kill('SIGTERM')
  await once(run, 'exit')
})
