import type { Inputs } from './inputs.ts'
import { demandOf, layoutOf, steps, usesOf, type Demand, type Layout } from './demand.ts'
import { bitRate, bytes, cents, dollars, milliseconds, percent, plain, table } from './format.ts'
import { findResult, totalMs, workCost } from './measured-costs.ts'
import { machineDollars } from './money.ts'
import { planTable, priceTable, sourceTable } from './price-tables.ts'
import { averagePhoto, emailBytesOf, photoBytes, photoCost, photoKinds, trafficOf } from './photo-work.ts'
import { compareWithRuns, errorMax } from './validate.ts'
import { waitsOf, type QueueTimes } from './waits.ts'

const daysPerMonth = 365 / 12

interface Step {
  demand: Demand
  layout: Layout
}

const stepsOf = ({ costs, assumptions }: Inputs): Step[] =>
  steps.map((events) => {
    const demand = demandOf(events, costs, assumptions)
    return { demand, layout: layoutOf(demand, assumptions) }
  })

const stepHead = (): string[] => ['', ...steps.map((events) => `${plain(events)} a day`)]

function measuredTable({ costs }: Inputs): string {
  const names = [
    '12 MP, kept',
    '12 MP, re-encoded',
    '12 MP, watermarked',
    '24 MP, kept',
    'guest page',
    'thumbnail',
    'download of a 12 MP photo',
    'QR code',
    'newest photo, asked by a big screen',
    'email with a 12 MP photo',
    'update of one photo to the 50 sockets of its owner',
  ]
  const ms = (value: number): string => (value >= 10 ? String(Math.round(value)) : value.toFixed(2))
  const rows = names.map((name) => {
    const cost = workCost(costs, name)
    const cpu = [cost.program, cost.images, cost.database, totalMs(cost)].map(ms)
    return [name, ...cpu, bytes(cost.walBytes)]
  })
  return table(['one', 'program, ms', 'images, ms', 'PostgreSQL, ms', 'together, ms', 'write-ahead log'], rows)
}

function mixTable({ costs, assumptions }: Inputs): string {
  const average = averagePhoto(costs, assumptions)
  const traffic = trafficOf(costs, assumptions)
  const rows = photoKinds(assumptions).map((kind) => {
    const { uploaded, stored } = photoBytes(costs, kind, assumptions)
    const ms = Math.round(totalMs(photoCost(costs, kind, assumptions)))
    return [kind, percent(assumptions.event.mix[kind]), `${ms} ms`, bytes(uploaded), bytes(stored)]
  })
  const all = [
    '**average photo**',
    '',
    `${Math.round(totalMs(average))} ms`,
    bytes(average.uploadedBytes),
    bytes(average.storedBytes),
  ]
  const rest = [
    'its guests, screens, emails',
    '',
    `${Math.round(traffic.program + traffic.database)} ms`,
    '',
    `${bytes(traffic.bytesOut)} sent`,
  ]
  return table(['kind of file', 'share', 'CPU', 'uploaded', 'stored'], [...rows, all, rest])
}

function demandTable(inputs: Inputs): string {
  const all = stepsOf(inputs).map(({ demand }) => demand)
  const row = (name: string, textOf: (demand: Demand) => string): string[] => [name, ...all.map(textOf)]
  return table(stepHead(), [
    row('events at once', ({ atOnce }) => plain(atOnce)),
    row('photos/s, peak', ({ photosPerSecond }) => plain(photosPerSecond)),
    row('guests/s, peak', ({ guestsPerSecond }) => plain(guestsPerSecond)),
    row('sockets', ({ sockets }) => plain(sockets)),
    row('memory of sockets', ({ socketBytes }) => bytes(socketBytes)),
    row('busy cores: images', ({ imageCores }) => plain(imageCores)),
    row('busy cores: program', ({ programCores }) => plain(programCores)),
    row('busy cores: PostgreSQL', ({ databaseCores }) => plain(databaseCores)),
    row('transactions/s', ({ transactionsPerSecond }) => plain(transactionsPerSecond)),
    row('write-ahead log/s', ({ walBytesPerSecond }) => bytes(walBytesPerSecond)),
    row('notifications/s', ({ notificationsPerSecond }) => plain(notificationsPerSecond)),
    row('network in, peak', ({ bitsInPerSecond }) => bitRate(bitsInPerSecond)),
    row('network out, peak', ({ bitsOutPerSecond }) => bitRate(bitsOutPerSecond)),
    row('size of the database', ({ databaseBytes }) => bytes(databaseBytes)),
    row('days until 80 GB of disk are full', ({ daysUntilDiskFull }) => plain(daysUntilDiskFull)),
    row('stored photos', ({ storedBytes }) => bytes(storedBytes)),
    row('emails, average day', ({ emailsPerDay }) => plain(emailsPerDay)),
    row('store: writes, average day', ({ writesPerDay }) => plain(writesPerDay)),
    row('store: reads, average day', ({ readsPerDay }) => plain(readsPerDay)),
    row('sent to guests, average day', ({ bytesOutPerDay }) => bytes(bytesOutPerDay)),
  ])
}

function layoutTable(inputs: Inputs): string {
  const all = stepsOf(inputs)
  const row = (name: string, textOf: (step: Step) => string): string[] => [name, ...all.map(textOf)]
  const waits = all.map((step) => waitsOf(step, inputs.costs, inputs.assumptions))
  const surges = all.map((step) => waitsOf({ ...step, factor: 1.5 }, inputs.costs, inputs.assumptions))
  const ofWaits = (name: string, all: QueueTimes[], textOf: (one: QueueTimes) => string): string[] => [
    name,
    ...all.map(textOf),
  ]
  return table(stepHead(), [
    row('machine', ({ layout: { machine } }) => `${machine.name}: ${machine.cores} cores, ${machine.memoryGb} GB`),
    row('nodes', ({ layout }) => plain(layout.nodes)),
    row('programs on each', ({ layout }) => plain(layout.programsPerNode)),
    row('PostgreSQL', ({ layout }) => (layout.databaseCores ? `${layout.databaseCores} cores apart` : 'on the node')),
    row('photos in', ({ layout }) => (layout.usesStore ? 'an object store' : 'files on disk')),
    row('machines a month', ({ layout }) => dollars(machineDollars(layout, layout.machine))),
    row('machines, per photo', ({ demand, layout }) =>
      cents((machineDollars(layout, layout.machine) * 100) / (demand.photosPerDay * daysPerMonth)),
    ),
    ofWaits('cores used for photos, peak', waits, ({ use }) => percent(use)),
    ofWaits('upload to shown, p50', waits, ({ p50Ms }) => milliseconds(p50Ms)),
    ofWaits('p95', waits, ({ p95Ms }) => milliseconds(p95Ms)),
    ofWaits('p99', waits, ({ p99Ms }) => milliseconds(p99Ms)),
    ofWaits('p95 with 1.5 times the photos', surges, ({ p95Ms }) => milliseconds(p95Ms)),
  ])
}

/** The first bottleneck of a layout at the load of the next step. */
function bottleneckTable(inputs: Inputs): string {
  const all = stepsOf(inputs)
  const rows = all.map(({ demand, layout }, index) => {
    const textOf = (uses: ReturnType<typeof usesOf>): string =>
      uses
        .slice(0, 3)
        .map(({ name, use }) => `${name} ${percent(use)}`)
        .join(', ')
    const next = all[index + 1]
    const atNext = next ? textOf(usesOf(next.demand, layout, inputs.assumptions)) : ''
    return [plain(demand.events), textOf(usesOf(demand, layout, inputs.assumptions)), atNext]
  })
  return table(['events a day', 'most used, at this step', 'the same layout at the next step'], rows)
}

function validationTable({ costs }: Inputs): string {
  const { fitted, files, rows } = compareWithRuns(costs)
  const cells = rows.map(({ name, unit, measured, simulated, error }) => [
    name,
    `${plain(measured)} ${unit}`,
    `${plain(simulated)} ${unit}`,
    `${error > 0 ? '+' : '−'}${percent(Math.abs(error))}`,
  ])
  const largest = Math.max(...rows.map(({ error }) => Math.abs(error)))
  return [
    `Measured: ${files.map((file) => `bench/results/${file}`).join(', ')}. Fitted: speed ${fitted.speed.toFixed(2)}, of busy cores ${fitted.busySpeed.toFixed(2)} of that; largest error ${percent(largest)}, allowed ${percent(errorMax)}.`,
    '',
    table(['load', 'measured', 'simulated', 'error'], cells),
  ].join('\n')
}

function busTable(): string {
  const bus = findResult('bus')
  if (!bus)
    return 'Not measured yet: `npm run bench -- bus` writes the numbers, which then stand here. Until then 5,000 notifications a second are assumed.'
  const rows = bus.result.measurements.map(({ name, unit, values }) => [
    name,
    `${values.median} (${values.min} to ${values.max}) ${unit}`,
  ])
  return [`From bench/results/${bus.file}.`, '', table(['measured', 'median (range)'], rows)].join('\n')
}

function sourceOfCosts({ costs: { file, result } }: Inputs): string {
  const { machine, date, loadAfter, method, quick } = result
  return (
    `bench/results/${file}: ${date.slice(0, 10)}, ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, commit ${machine.commit}; ` +
    `load average ${machine.loadBefore} before and ${loadAfter} after.${quick ? ` **A quick run.** ${method}` : ''}`
  )
}

function otherCosts({ costs: { find, valueOf }, costs, assumptions: { operation } }: Inputs): string {
  const measuredOr = (name: string, assumed: number): string => {
    const value = find(name)
    return value === undefined ? `${plain(assumed)} (assumed)` : plain(value)
  }
  const idleMs = valueOf('idle, CPU of program') + valueOf('idle, CPU of database')
  return [
    `- Each photo: ${bytes(valueOf('growth of the database per photo'))} in the database, all tables and indexes together, and ${plain(valueOf('12 MP, kept, transactions'))} transactions.`,
    `- A socket, KB of memory: ${plain(operation.socketKb)} (assumed; measured ${measuredOr('memory per socket', 0)}, but garbage collection changes more than that); ms of CPU per minute of silence: ${measuredOr('CPU per silent socket', operation.silentSocketMs)}.`,
    `- An idle server: ${plain(idleMs)} ms of CPU a second, and ${plain(valueOf('idle, memory without the database'))} MB without PostgreSQL.`,
    `- Sent: guest page ${bytes(valueOf('guest page, sent'))}, thumbnail ${bytes(valueOf('thumbnail, sent'))}; an email with a 12 MP photo, from its size, ${bytes(emailBytesOf(costs))}.`,
  ].join('\n')
}

/** Everything in docs/sizing.md that is computed, by the name of its place. */
export const computedParts: Record<string, (inputs: Inputs) => string> = {
  'source of costs': sourceOfCosts,
  measured: measuredTable,
  others: otherCosts,
  mix: mixTable,
  demand: demandTable,
  layout: layoutTable,
  bottlenecks: bottleneckTable,
  bus: busTable,
  prices: priceTable,
  plans: planTable,
  sources: sourceTable,
  validation: validationTable,
}
