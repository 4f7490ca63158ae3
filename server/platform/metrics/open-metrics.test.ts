import { expect, onTestFinished, test } from 'vitest'
import { photoActions, photoFile } from '../../test/photo-actions.ts'
import { ageJobs, newClientAddress, startServerBehindProxy, useServer } from '../../test/harness.ts'
import { connectLive } from '../../test/live-client.ts'
import { makeUser, upload, validPassword } from '../../test/test-data.ts'
import { type MetricsReading, metricsToken, parseMetrics, readMetrics } from '../../test/prometheus.ts'
import { promisedMs } from '../../test/statistics.ts'
import { catalogue } from './metrics.ts'
import { jobObserver } from './open-metrics.ts'
import { createPrometheusMetrics } from './prometheus.ts'

const env = { METRICS_TOKEN: metricsToken }

const server = useServer(env)

/**
 * The metrics once a series has a value: for a second all callers get the same page, and a busy machine may take longer to
 * ask the database than the page waits.
 */
async function readOnce(series: string, expected: number): Promise<MetricsReading> {
  let reading = await readMetrics(server)
  await expect.poll(async () => (reading = await readMetrics(server)).value(series)).toBe(expected)
  return reading
}

test('shows every metric of the catalogue, and those of the process', async () => {
  const { names } = await readMetrics(server)
  for (const name of Object.keys(catalogue)) expect(names).toContain(name)
  for (const name of [
    'process_resident_memory_bytes',
    'process_open_fds',
    'process_max_fds',
    'nodejs_eventloop_lag_p99_seconds',
    'nodejs_gc_duration_seconds',
  ])
    expect(names).toContain(name)
})

test('counts what happens to photos, people and requests, without an id or an address in any label', async () => {
  const user = await makeUser(server)
  const { processedPhoto, get } = photoActions(() => server)
  const photo = await processedPhoto(user)
  const damaged = photoFile.subarray(0, photoFile.length / 2)
  await upload(server, user, damaged)
  await upload(server, user, Buffer.from('not a photo'))
  await server.work()
  await get(user, `/photos/${photo.id}`)
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const signIn = async (password: string) =>
    server.request({
      method: 'POST',
      url: '/token',
      headers: form,
      body: new URLSearchParams({ username: user.email, password }).toString(),
    })
  await signIn(validPassword)
  await signIn('wrong')
  const from = newClientAddress()
  await server.request({ method: 'GET', url: `/secret-${photo.id}`, from })

  const { text, value } = await readOnce('keepsnap_uploads_total{outcome="accepted",code="none"}', 2)
  expect(value('keepsnap_uploads_total{outcome="refused",code="not_an_image"}')).toBe(1)
  const { rows } = await server.app.deps.pool.query('select sum(original_bytes)::int as bytes from photos')
  expect(value('keepsnap_upload_bytes_total')).toBe(rows[0].bytes)
  expect(value('keepsnap_photos_finished_total{kind="quick",outcome="ready"}')).toBe(1)
  expect(value('keepsnap_photo_ready_seconds_count{kind="quick"}')).toBe(1)
  expect(value('keepsnap_photos_finished_total{kind="quick",outcome="refused"}')).toBe(1)
  expect(value('keepsnap_sign_ins_total{outcome="accepted"}')).toBe(1)
  expect(value('keepsnap_sign_ins_total{outcome="refused"}')).toBe(1)
  expect(value('keepsnap_http_requests_total{method="GET",route="/photos/:id",status="200"}')).toBe(2)
  expect(value('keepsnap_http_requests_total{method="GET",route="none",status="404"}')).toBe(1)
  expect(value('keepsnap_http_request_duration_seconds_count{method="POST",route="/token"}')).toBe(2)
  expect(value('keepsnap_storage_operation_seconds_count{operation="commit"}')).toBe(2)
  expect(value('keepsnap_disk_free_bytes')).toBeGreaterThan(0)
  for (const canary of [user.id, user.email, user.token, photo.id, from, metricsToken, validPassword])
    expect(text).not.toContain(canary)
})

test('shows what waits in the database, and the last integrity check', async () => {
  const user = await makeUser(server)
  await upload(server, user, photoFile)
  await server.app.deps.pool.query(
    `update photos set created_at = now() - interval '10 minutes' where state <> 'ready' and state <> 'failed';
     insert into storage_checks (objects, missing, unknown) values (5, 2, 1);
     update backup_state set since = to_timestamp(1e9), finished_at = to_timestamp(1.5e9), seconds = 12.5,
       checked_at = to_timestamp(1.2e9), damaged = 3;
     update payment_settings set last_webhook_at = to_timestamp(1.4e9), compared_at = to_timestamp(1.3e9), mismatches = 2;
     insert into payment_events (provider, id, type, created_at, received_at)
       values ('stripe', 'evt_1', 'invoice.paid', now(), now() - interval '20 minutes');
     update removal_guard set stopped_at = now(), stopped_because = 'too many';`,
  )
  await ageJobs(server.app.deps.pool, '5 minutes')
  const { value } = await readOnce('keepsnap_photos_unfinished', 1)
  expect(value('keepsnap_queue_jobs{job_name="process-photo",state="waiting"}')).toBe(1)
  expect(value('keepsnap_queue_oldest_seconds{job_name="process-photo"}')).toBeGreaterThanOrEqual(300)
  expect(value('keepsnap_photos_unfinished_oldest_seconds')).toBeGreaterThanOrEqual(600)
  expect(value('keepsnap_integrity_problems{kind="missing"}')).toBe(2)
  expect(value('keepsnap_integrity_problems{kind="untracked"}')).toBe(1)
  expect(value('keepsnap_removals_stopped')).toBe(1)
  expect(value('keepsnap_backup_last_success_timestamp_seconds')).toBe(1.5e9)
  expect(value('keepsnap_backup_last_duration_seconds')).toBe(12.5)
  expect(value('keepsnap_backup_watched_since_timestamp_seconds')).toBe(1e9)
  expect(value('keepsnap_backup_checked_timestamp_seconds')).toBe(1.2e9)
  expect(value('keepsnap_backup_damaged_files')).toBe(3)
  expect(value('keepsnap_payment_last_webhook_timestamp_seconds')).toBe(1.4e9)
  expect(value('keepsnap_payment_events_waiting')).toBe(1)
  expect(value('keepsnap_payment_sync_lag_seconds')).toBeGreaterThanOrEqual(1_200)
  expect(value('keepsnap_payment_compared_timestamp_seconds')).toBe(1.3e9)
  expect(value('keepsnap_payment_mismatches')).toBe(2)
})

test('counts live sockets and messages', async () => {
  const user = await makeUser(server)
  const client = await connectLive(await server.listen(), user.token)
  onTestFinished(() => client.socket.terminate())
  await client.next(({ action }) => action === 'identified')
  const { value } = await readOnce('keepsnap_live_sockets', 1)
  expect(value('keepsnap_live_messages_total')).toBeGreaterThanOrEqual(1)
  expect(value('keepsnap_http_connections')).toBeGreaterThanOrEqual(1)
})

test('while the database is down, the page reports it in time and shows no stale values', async () => {
  const { server: remote, proxy } = await startServerBehindProxy(env)
  onTestFinished(() => remote.close())
  const { bus } = remote.app.deps
  await expect.poll(() => bus.isListening()).toBe(true)
  await proxy.dropConnectionsDuring(async () => {
    await expect.poll(() => bus.isListening()).toBe(false)
    const startedAtMs = performance.now()
    const { value } = await readMetrics(remote)
    expect(performance.now() - startedAtMs).toBeLessThan(promisedMs(4_000))
    expect(value('keepsnap_database_up')).toBe(0)
    expect(value('keepsnap_emails_waiting')).toBeUndefined()
    expect(value('keepsnap_bus_listening{channel="events"}')).toBe(0)
    expect(value('keepsnap_bus_gaps_total')).toBe(1)
  })
})

const strangers: Record<string, Record<string, string>> = {
  'no token': {},
  'a wrong token': { authorization: `Bearer ${metricsToken.replace('0', '1')}` },
  'the beginning of the token': { authorization: `Bearer ${metricsToken.slice(0, -1)}` },
  'another scheme': { authorization: `Basic ${metricsToken}` },
  'an empty token': { authorization: 'Bearer ' },
}

test('a stranger gets the answer of a URL that does not exist', async () => {
  for (const [name, headers] of Object.entries(strangers)) {
    for (const [method, accept] of [
      ['GET', 'text/html'],
      ['GET', '*/*'],
      ['HEAD', '*/*'],
      ['POST', '*/*'],
    ] as const) {
      const ask = async (url: string) => {
        const answer = await server.request({ method, url, headers: { accept, ...headers } })
        const { 'x-request-id': id, date, ...others } = answer.headers
        expect([typeof id, typeof date]).toEqual(['string', 'string'])
        return { status: answer.statusCode, body: answer.body, others }
      }
      const expected = await ask('/nothing-is-here')
      expect(expected.status).toBe(404)
      expect([name, await ask('/metrics')]).toEqual([name, expected])
    }
  }
})

test('a part that cannot be read is absent and counted, and the others are shown', async () => {
  let nowMs = 0
  const metrics = createPrometheusMetrics({ nowMs: () => nowMs })
  const names = ['keepsnap_live_sockets'] as const
  let fails = false
  metrics.addSource({
    part: 'sockets',
    names,
    async read() {
      if (fails) throw new Error('broken')
      return [{ name: 'keepsnap_live_sockets', labels: {}, value: 3 }]
    },
  })
  expect(parseMetrics(await metrics.render()).value('keepsnap_live_sockets')).toBe(3)
  fails = true
  // Within a second, callers share one text.
  nowMs = 1_000
  expect(parseMetrics(await metrics.render()).value('keepsnap_live_sockets')).toBe(3)
  nowMs = 1_001
  const { value } = parseMetrics(await metrics.render())
  expect(value('keepsnap_live_sockets')).toBeUndefined()
  expect(value('keepsnap_scrape_failures_total{part="sockets"}')).toBe(1)
})

test('counts jobs by name and outcome, and runs each in its context', async () => {
  const metrics = createPrometheusMetrics()
  const contexts: object[] = []
  const observer = jobObserver(metrics, (context, work) => {
    contexts.push(context)
    return work()
  })
  await observer.run({ id: '1', name: 'clean-up', attempt: 1 }, async () => {})
  await expect(
    observer.run({ id: '2', name: 'clean-up', attempt: 1 }, async () => {
      throw new Error('failed')
    }),
  ).rejects.toThrow('failed')
  observer.onUnlocked(3)
  const { value } = parseMetrics(await metrics.render())
  expect(value('keepsnap_jobs_total{job_name="clean-up",outcome="done"}')).toBe(1)
  expect(value('keepsnap_jobs_total{job_name="clean-up",outcome="error"}')).toBe(1)
  expect(value('keepsnap_job_duration_seconds_count{job_name="clean-up"}')).toBe(2)
  expect(value('keepsnap_jobs_unlocked_total')).toBe(3)
  expect(contexts).toEqual([
    { job: 'clean-up', jobId: '1' },
    { job: 'clean-up', jobId: '2' },
  ])
})
