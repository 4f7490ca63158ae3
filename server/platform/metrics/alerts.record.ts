import { execFileSync } from 'node:child_process'
import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { photoFile } from '../../test/photo-actions.ts'
import { ageJobs, failJobs, serverForThisTest, startServerBehindProxy, type TestServer } from '../../test/harness.ts'
import { scratchFolder } from '../../test/child-processes.ts'
import { makeUser, upload } from '../../test/test-data.ts'
import { metricsToken, type PrometheusServer, startPrometheus } from '../../test/prometheus.ts'

const folder = join(import.meta.dirname, '../../../deploy/prometheus')
const env = { METRICS_TOKEN: metricsToken }
vi.setConfig({ testTimeout: 180_000 })
const withinMs = { timeout: 40_000, interval: 500 }

/** A server that Prometheus reads, with a worker as far as the database knows, and no alert. */
async function startPrometheusFor(server: TestServer): Promise<PrometheusServer> {
  const address = new URL(await server.listen())
  await server.app.deps.pool.query(
    "insert into workers (id, node, heartbeat_at) values ('worker', 'node', now() + interval '1 hour')",
  )
  const prometheus = await startPrometheus(onTestFinished, address.host)
  await expect.poll(() => prometheus.query('up{job="keepsnap"}'), withinMs).toBe(1)
  return prometheus
}

async function expectFiring(prometheus: PrometheusServer, alerts: string[]): Promise<void> {
  await expect.poll(() => prometheus.firing(), withinMs).toEqual(expect.arrayContaining(alerts))
}

test('each rule fires in its case, and is quiet beside it', () => {
  execFileSync('promtool', ['check', 'rules', 'alerts.yaml'], { cwd: folder, stdio: 'pipe' })
  execFileSync('promtool', ['check', 'config', '--syntax-only', 'prometheus.yaml'], { cwd: folder, stdio: 'pipe' })
  const said = execFileSync('promtool', ['test', 'rules', 'alerts.test.yaml'], { cwd: folder, encoding: 'utf8' })
  expect(said).toContain('SUCCESS')
})

test('a database that goes away, and its return', async () => {
  const { server, proxy } = await startServerBehindProxy(env)
  onTestFinished(() => server.close())
  const prometheus = await startPrometheusFor(server)
  // A free disk of the machine that runs this says nothing about the program.
  const others = async () => (await prometheus.firing()).filter((alert) => alert !== 'KeepsnapDiskNearlyFull')
  expect(await others()).toEqual([])
  await proxy.dropConnectionsDuring(() =>
    expectFiring(prometheus, ['KeepsnapDatabaseDown', 'KeepsnapEventsDisconnected']),
  )
  await expect.poll(others, withinMs).toEqual([])
})

test('what waits or is wrong in the database', async () => {
  const server = await serverForThisTest(env)
  const user = await makeUser(server)
  await upload(server, user, photoFile)
  const prometheus = await startPrometheusFor(server)
  const query = (text: string): Promise<unknown> => server.app.deps.pool.query(text)
  await query(`update photos set created_at = now() - interval '10 minutes'`)
  await query("select graphile_worker.add_job('delete-object', '{}'::json, job_key => 'failed')")
  const { pool } = server.app.deps
  await ageJobs(pool, '1 hour')
  await failJobs(pool, 'failed')
  await query(
    `insert into emails (id, kind, recipient, recipient_key, created_at, give_up_at)
     select 'email-' || n, 'photo', 'guest@example.com', 'guest@example.com', now() - interval '1 hour', now() + interval '1 day'
     from generate_series(1, 11) as n`,
  )
  await query(
    `insert into payment_events (provider, id, type, created_at, received_at)
     values ('demo', 'event', 'paid', now(), now() - interval '1 hour')`,
  )
  await query(`insert into storage_checks (objects, missing, unknown) values (5, 1, 500)`)
  await query(`update backup_state set since = now() - interval '49 hours'`)
  await query(`update removal_guard set stopped_at = now(), stopped_because = 'too many'`)
  await query("update workers set heartbeat_at = now() - interval '1 minute'")
  await expectFiring(prometheus, [
    'KeepsnapEmailsWait',
    'KeepsnapFilesMissing',
    'KeepsnapFilesUntracked',
    'KeepsnapJobsFailed',
    'KeepsnapNoBackup',
    'KeepsnapNoWorkers',
    'KeepsnapPaymentsBehind',
    'KeepsnapPhotosWait',
    'KeepsnapQueueStuck',
    'KeepsnapRemovalsStopped',
  ])
})

test('a store that fails, and a node that is gone', async () => {
  const server = await serverForThisTest(env)
  const user = await makeUser(server)
  const prometheus = await startPrometheusFor(server)
  // The counters must have been read before they grow.
  await expect.poll(() => prometheus.query('count_over_time(up{job="keepsnap"}[1m])'), withinMs).toBeGreaterThan(2)
  const files = join(server.dir, 'files')
  await rename(files, `${files}-gone`)
  for (let at = 0; at < 6; at++) {
    expect((await upload(server, user, photoFile)).statusCode).toBe(503)
    const seen = await prometheus.query('sum(keepsnap_storage_errors_total)')
    await expect.poll(() => prometheus.query('sum(keepsnap_storage_errors_total)'), withinMs).not.toBe(seen)
  }
  await expectFiring(prometheus, ['KeepsnapStoreFails', 'KeepsnapUploadsFail'])
  await rename(`${files}-gone`, files)
  await server.app.http?.close()
  await expectFiring(prometheus, ['KeepsnapDown'])
})

test('a disk that is nearly full', async ({ skip }) => {
  skip(process.geteuid?.() !== 0, 'needs root, to mount a small disk')
  const disk = scratchFolder(onTestFinished)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', disk])
  onTestFinished(() => void execFileSync('umount', ['--lazy', disk]))
  await mkdir(join(disk, 'data'))
  const server = await serverForThisTest(env, { dir: join(disk, 'data') })
  const prometheus = await startPrometheusFor(server)
  await expectFiring(prometheus, ['KeepsnapDiskNearlyFull'])
})
