import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '@keepsnap/server/test/free-ports.ts'
import { atMost, measured, type BenchOptions, type Measurement } from '../measurement.ts'
import { sampleOf, smallPhoto } from '../sample-photos.ts'
import { startTestServer } from '../test-server.ts'
import { addEmailBacklog } from './email-backlog.ts'
import { startMailSink, type MailSink } from './mail-sink.ts'

const backlog = 5_000
const timeoutMs = 15 * 60_000

/** Seconds until the mail server has received a number of emails. */
async function timeToReceive(sink: MailSink, count: number, log: BenchOptions['log']): Promise<number> {
  const startedAt = performance.now()
  const seconds = (): number => (performance.now() - startedAt) / 1000
  for (let loggedThousands = -1; performance.now() - startedAt < timeoutMs; await wait(250)) {
    const { emails } = await sink.received()
    if (emails >= count) return seconds()
    const thousands = Math.floor(emails / 1000)
    if (thousands !== loggedThousands) log(`${emails} emails after ${seconds().toFixed(0)} s`)
    loggedThousands = thousands
  }
  throw new Error('the emails were not sent in time')
}

/** How long a backlog of emails takes after the mail server has become reachable again. */
export async function measureEmailBacklog({ scratchDir, quick, log }: BenchOptions): Promise<Measurement[]> {
  const port = await freePort()
  const env = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'photos@bench.example' }
  const server = await startTestServer(`${scratchDir}/backlog`, env)
  const owner = await server.createUser()
  const database = await server.connectDatabase()
  const results: Measurement[] = []
  const backlogs = [
    { name: 'small photo', file: await smallPhoto(), count: quick ? backlog / 5 : backlog, mostSeconds: 300 },
    { name: '12 MP photo', file: (await sampleOf('12 MP')).kept, count: quick ? 20 : 200 },
  ]
  for (const { name, file, count, mostSeconds } of backlogs) {
    const { id: photoId } = await owner.addPhoto(file)
    await database.query('delete from emails')
    await addEmailBacklog(database, { userId: owner.id, photoId, count })
    const sink = await startMailSink(port)
    const seconds = await timeToReceive(sink, count, log)
    const { emails, bytes } = await sink.received()
    await sink.stop()
    const { rows } = await database.query<{ sent: number }>(
      `select count(*)::int as sent from emails where state = 'sent'`,
    )
    const title = `${count} emails, ${name}, ${(bytes / emails / 1e6).toFixed(2)} MB each`
    log(`${title}: ${seconds.toFixed(1)} s, ${rows[0]?.sent} recorded as sent`)
    const duration = measured(`${title}: from the mail server's return to the last email`, 's', [seconds])
    results.push(
      mostSeconds === undefined ? duration : atMost(duration, mostSeconds),
      atMost(measured(`${title}: sent twice`, 'emails', [emails - count]), 0),
    )
  }
  await server.stop()
  return results
}
