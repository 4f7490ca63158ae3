import { freePort } from '@keepsnap/server/test/free-ports.ts'
import { measureGuests } from '../costs/guest-costs.ts'
import { measureIdle, type MeasuredServer } from '../costs/measure-cost.ts'
import { measurePhotos } from '../costs/photo-costs.ts'
import { measureSockets } from '../costs/socket-costs.ts'
import { startMailSink } from '../guests/mail-sink.ts'
import { measured, type BenchmarkPart, type BenchOptions, type Measurement } from '../measurement.ts'
import { cpuParts } from '../process-cpu.ts'
import { processMemory, processTree } from '../process-memory.ts'
import { startTestServer } from '../test-server.ts'

const idleMs = 20_000

async function runCosts(options: BenchOptions): Promise<Measurement[]> {
  const port = await freePort()
  const sink = await startMailSink(port)
  const env = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'photos@bench.example' }
  const server = await startTestServer(options.scratchDir, env)
  const { pid } = server.program
  // The first user makes the database known.
  await server.createUser()
  const database = await server.connectDatabase()
  const idle = await measureIdle({ pid, database }, options.quick ? idleMs / 5 : idleMs)
  const measuredServer: MeasuredServer = { pid, database, idle }
  const memory = processMemory(processTree(pid))
  const results = [
    ...cpuParts.map((part) => measured(`idle, CPU of ${part}`, 'ms per second', [idle[part]])),
    measured('idle, memory without the database', 'MB', [memory.rss]),
    ...(await measurePhotos(measuredServer, server, options)),
    ...(await measureGuests(measuredServer, { server, sink }, options)),
    ...(await measureSockets(measuredServer, server, options)),
  ]
  await server.stop()
  await sink.stop()
  return results
}

export const costs: BenchmarkPart = {
  name: 'costs',
  title: 'What one photo, one guest and one socket use',
  method:
    'Processor time of the main process, the image processes and PostgreSQL, from /proc, before and after some repetitions, divided by their number; what the idle server uses in the same time is ' +
    'subtracted. Processor time depends far less on other work on the machine than times by the clock do, but still on the machine: on a busy one it is up to several tens of percent ' +
    'higher. Photos are uploaded two at a time and counted until they are complete. Write-ahead log includes full pages after checkpoints. docs/sizing.md is computed from these numbers.',
  run: runCosts,
}
