/**
 * What 1 to 100,000 events a day need and cost: prints the tables of the section about sizing in docs/runbook.md
 * (`node bench/sizing.ts`). For another event or other prices, change the assumptions here.
 */
import { emailLimits } from '@keepsnap/contract/limits.ts'
import { planIds, plans, storageBytes } from '@keepsnap/contract/plans.ts'
import { quantile } from './results.ts'

/**
 * What photos of each kind need: processor milliseconds of the main process, of image processes and of PostgreSQL. These and
 * the other costs were measured on 2026-11-23 at commit 7f2c06248e4d by a benchmark that has been removed; its result is in
 * the history as bench/results/2026-11-23-18-26-costs.md. The shares are assumed.
 */
const photoKinds = [
  // 12 MP, kept as they are.
  { share: 0.51, program: 53.55, images: 82.78, database: 10.73, uploadedBytes: 4_793_000, storedBytes: 4_831_000 },
  // 12 MP with a watermark; the picture without it is stored too.
  { share: 0.2, program: 99.81, images: 252.2, database: 10, uploadedBytes: 4_793_000, storedBytes: 9_461_000 },
  // 12 MP, HEIC: the time of the images is from decision 30, and its sizes are assumed.
  { share: 0.04, program: 79.39, images: 1_630, database: 10.06, uploadedBytes: 1_900_000, storedBytes: 3_600_000 },
  // 24 MP, kept as they are.
  { share: 0.25, program: 96.23, images: 100.8, database: 11.95, uploadedBytes: 9_584_000, storedBytes: 9_632_000 },
]
type PhotoKind = (typeof photoKinds)[number]
const [plainPhoto] = photoKinds as [PhotoKind]
const costOf = {
  guestPage: { program: 0.2841, database: 0.04287, sentBytes: 36_320 },
  thumbnail: { program: 0.2598, database: 0, sentBytes: 39_020 },
  download: { program: 4.259, database: 0.07793 },
  qrCode: { program: 0.1604, database: 0.01876 },
  email: { program: 85.36, database: 11.18 },
  updateOf50Sockets: { program: 0.612, database: 0.1265 },
}
/** A big screen asks for the newest photo once a minute. */
const minuteMs = { socket: 0.0778, bigScreen: 0.2852 }
const databaseBytesPerPhoto = 1_775
/** The least of three engines and two numbers of sockets: bench/results/2026-11-23-18-14-bus.md in the history. */
const mostNotificationsPerSecond = 14_420

// Everything from here to the prices is assumed.

/** `burst`: photos that come right after each other, on average. Scans, downloads and emails are per photo. */
const event = { photos: 200, hours: 5, burst: 4, scans: 1.5, downloads: 1, emails: 0.15 }
const opened = { bigScreens: 1, otherSockets: 2, galleries: 5 }
/** The share of a day's events that overlap, and their photos an hour at the joint peak, divided by those of an average hour. */
const steps = [
  { events: 1, overlap: 1, jointPeak: 4 },
  { events: 10, overlap: 0.8, jointPeak: 2.5 },
  { events: 1_000, overlap: 0.6, jointPeak: 1.6 },
  { events: 100_000, overlap: 0.6, jointPeak: 1.5 },
]
/** Events of an average day, divided by those of the busiest. At one event a day, every day has one. */
const averageDay = 0.35
const daysPerMonth = 365 / 12
const monthsKept = 12
/** The highest use of cores and threads at the peak. */
const mostUse = 0.5
const uplinkMbit = 20
/** Three requests to the object store, one after the other, before a photo is shown. */
const storeWaitMs = 3 * 40
/** Connections: a pool of 16 and two that listen; an embedded PostgreSQL allows 60, one on its own machine 500. */
const connections = { perProgram: 18, embedded: 60, apart: 500 }

// Hetzner, with 8 and 32 GB of memory, and AWS m6a.2xlarge in Frankfurt, with 8 cores and 32 GB: dollars a month before tax,
// from the providers’ price APIs, collected by github.com/moveinfra/eu-cloud-prices on 2026-10-28, 1.1133 $/€.
const small = { name: 'CCX13', cores: 2, dollars: 47.86 }
const large = { name: 'CCX33', cores: 8, dollars: 154.18 }
const largeAwsDollars = 302.22
/** Dollars per GB and month, per million writes and reads, and per GB out; how much out is free per GB stored and month. */
const stores = [
  // Cloudflare’s documentation (cloudflare-docs, r2/pricing), a stored copy without date.
  { name: 'Cloudflare R2', gbMonth: 0.015, writes: 4.5, reads: 0.36, gbOut: 0, freeOut: 0 },
  // Requests: a stored copy of Backblaze’s page of transaction prices; the rest is assumed, as several articles of 2026 say.
  { name: 'Backblaze B2', gbMonth: 0.006, writes: 0, reads: 0.4, gbOut: 0.01, freeOut: 3 },
  // Assumed: us-east-1 as articles of 2026 say; Frankfurt is a little dearer.
  { name: 'AWS S3 Standard', gbMonth: 0.023, writes: 5, reads: 0.4, gbOut: 0.09, freeOut: 0 },
]
/** Amazon SES without a plan, AWS Price List API of 2026-07-22, us-east-1. */
const emailPrice = { each: 0.0001, gbAttached: 0.12 }

const average = (part: Exclude<keyof PhotoKind, 'share'>): number =>
  photoKinds.reduce((sum, kind) => sum + kind.share * kind[part], 0)
const thumbnails = event.scans + opened.galleries
const fullImages = event.downloads + opened.bigScreens
/** What guests, screens, lists and emails of one photo need; the server sends three updates of it. */
const guestMs = (part: 'program' | 'database'): number =>
  event.scans * costOf.guestPage[part] +
  thumbnails * costOf.thumbnail[part] +
  fullImages * costOf.download[part] +
  opened.bigScreens * costOf.qrCode[part] +
  event.emails * costOf.email[part] +
  3 * ((costOf.updateOf50Sockets[part] * (opened.bigScreens + opened.otherSockets)) / 50)
/** An attachment is in base64, in lines of 76 characters. */
const emailBytes = plainPhoto.storedBytes * (4 / 3) * (78 / 76)
const dollarsPerEmail = emailPrice.each + (emailBytes / 1e9) * emailPrice.gbAttached
const bytesToGuests =
  event.scans * costOf.guestPage.sentBytes +
  thumbnails * costOf.thumbnail.sentBytes +
  fullImages * average('storedBytes')
const bytesOut = bytesToGuests + event.emails * emailBytes

/** The load of a day at its peak, and the machines for it; `apartCores`: of PostgreSQL on machines of its own. */
function planOf({ events, overlap, jointPeak }: (typeof steps)[number]) {
  const atOnce = Math.max(1, events * overlap)
  const photosPerSecond = (atOnce * event.photos * jointPeak) / (event.hours * 3600)
  const busyCores = (msPerPhoto: number): number => (photosPerSecond * msPerPhoto) / 1000
  const sockets = atOnce * (opened.bigScreens + opened.otherSockets)
  const openPagesMs = (sockets * minuteMs.socket + atOnce * opened.bigScreens * minuteMs.bigScreen) / 60
  const guestCores = busyCores(guestMs('program')) + openPagesMs / 1000
  const imageCores = busyCores(average('images'))
  const programCores = busyCores(average('program')) + guestCores
  const databaseCores = busyCores(average('database') + guestMs('database'))
  const photosPerDay = events * event.photos * (events === 1 ? 1 : averageDay)
  const load = { photosPerSecond, guestCores, imageCores, programCores, databaseCores, photosPerDay }
  if (imageCores + programCores + databaseCores <= small.cores * mostUse && events <= 10)
    return { events, ...load, machine: small, nodes: 1, programsPerNode: 1, apartCores: 0, dollars: small.dollars }
  const nodes = Math.max(2, Math.ceil((imageCores + programCores) / (large.cores * mostUse)))
  const programsPerNode = Math.ceil(programCores / mostUse / nodes)
  const apartCores = Math.ceil(databaseCores / (large.cores * mostUse)) * large.cores
  const dollars = (nodes + apartCores / large.cores) * large.dollars
  return { events, ...load, machine: large, nodes, programsPerNode, apartCores, dollars }
}
type Plan = ReturnType<typeof planOf>

/** What a load uses most of the machines that were planned for it or for a smaller one. */
function mostUsed(load: Plan, { machine, nodes, programsPerNode, apartCores }: Plan): string {
  const programs = nodes * programsPerNode
  const nodeCores = load.imageCores + load.programCores + (apartCores ? 0 : load.databaseCores)
  const uses: [use: number, name: string][] = [
    [nodeCores / (nodes * machine.cores), 'node cores'],
    [load.programCores / programs, 'program threads'],
    [(load.photosPerSecond * average('uploadedBytes') * 8) / (nodes * 1e9), 'network, of 1 Gbit/s a node'],
    [(programs * connections.perProgram) / (apartCores ? connections.apart : connections.embedded), 'connections'],
    [(load.photosPerSecond * 4) / mostNotificationsPerSecond, 'LISTEN/NOTIFY, 4 for each photo'],
    [apartCores && load.databaseCores / apartCores, 'cores of PostgreSQL'],
  ]
  const [use, name] = uses.reduce((most, one) => (one[0] > most[0] ? one : most))
  return `${name} ${Math.round(use * 100)} %`
}

/** Bursts of photos at random times, the same in every run; the photos of a burst follow each other as the uplink allows. */
function arrivalsAt(photosPerSecond: number) {
  const count = 4_000
  const arrivals: { atMs: number; kind: PhotoKind }[] = []
  let state = 20_261_123
  /** From 0 to 1 (mulberry32). */
  const random = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  for (let burstAtMs = 0; arrivals.length < count;) {
    burstAtMs += -((event.burst * 1000) / photosPerSecond) * Math.log(1 - random())
    let atMs = burstAtMs
    do {
      let left = random()
      const kind = photoKinds.find(({ share }) => (left -= share) < 0) ?? plainPhoto
      arrivals.push({ atMs, kind })
      atMs += (kind.uploadedBytes * 8) / (uplinkMbit * 1000)
    } while (random() > 1 / event.burst)
  }
  return arrivals.toSorted((a, b) => a.atMs - b.atMs).slice(0, count)
}

/** A photo waits in these queues, one after the other. */
const stages = [
  { queue: 'thread', msOf: ({ program }: PhotoKind) => program / 2 },
  { queue: 'database', msOf: ({ database }: PhotoKind) => database / 2 },
  { queue: 'render', msOf: ({ images }: PhotoKind) => images },
  { queue: 'thread', msOf: ({ program }: PhotoKind) => program / 2 },
  { queue: 'database', msOf: ({ database }: PhotoKind) => database / 2 },
] as const

/**
 * Milliseconds from the last byte of a photo until a screen is told to show it, on one node with its share of the photos.
 * Nodes really take photos from one queue, so the waits of several are a little shorter than here.
 */
function simulate({ photosPerSecond, nodes, programsPerNode, machine, guestCores, apartCores }: Plan): number[] {
  const guestThread = guestCores / nodes
  const guestDatabase = apartCores ? 0 : ((photosPerSecond / nodes) * guestMs('database')) / 1000
  const cores = machine.cores - guestThread - guestDatabase
  const threadShare = 1 - guestThread / programsPerNode
  const servers = { thread: programsPerNode, database: 16, render: machine.cores }
  const arrivals = arrivalsAt(photosPerSecond / nodes)
  const taskOf = (arrival: (typeof arrivals)[number], stage: number) => {
    const { queue, msOf } = stages[stage]!
    return { arrival, stage, queue, leftMs: msOf(arrival.kind) }
  }
  let waiting: ReturnType<typeof taskOf>[] = []
  let running: typeof waiting = []
  const latenciesMs: number[] = []
  for (let now = 0, next = 0; latenciesMs.length < arrivals.length;) {
    for (const task of waiting)
      if (running.filter(({ queue }) => queue === task.queue).length < servers[task.queue]) running.push(task)
    waiting = waiting.filter((task) => !running.includes(task))
    // Image processes have the lowest priority.
    const others = running.filter(({ queue }) => queue !== 'render').length
    const forOthers = Math.min(1, cores / Math.max(1, others))
    const left = Math.max(cores * 0.02, cores - others * forOthers)
    const forRenders = Math.min(1, left / Math.max(1, running.length - others))
    const rateOf = { thread: Math.min(forOthers, threadShare), database: forOthers, render: forRenders }
    const untilArrival = (arrivals[next]?.atMs ?? Infinity) - now
    const stepMs = Math.min(untilArrival, ...running.map(({ queue, leftMs }) => leftMs / rateOf[queue]))
    now += stepMs
    for (const task of running) task.leftMs -= rateOf[task.queue] * stepMs
    const done = running.filter(({ leftMs }) => leftMs <= 1e-6)
    running = running.filter((task) => !done.includes(task))
    for (const { arrival, stage } of done)
      if (stage + 1 < stages.length) waiting.push(taskOf(arrival, stage + 1))
      // What comes before rendering is done while bytes arrive, if nothing waits.
      else latenciesMs.push(now - arrival.atMs - (arrival.kind.program + arrival.kind.database) / 2 + storeWaitMs)
    for (; (arrivals[next]?.atMs ?? Infinity) <= now; next++) waiting.push(taskOf(arrivals[next]!, 0))
  }
  return latenciesMs
}

/** What the average photo costs in cents, with so many dollars for each machine that 1,000 events a day need. */
function photoCents({ gbMonth, writes, reads, gbOut, freeOut }: (typeof stores)[number], machineDollars: number) {
  const { dollars, photosPerDay } = planOf(steps[2]!)
  const storedGbMonths = (average('storedBytes') / 1e9) * monthsKept
  const readsPerPhoto = thumbnails + fullImages + event.emails
  const cents = {
    machines: ((dollars / large.dollars) * machineDollars * 100) / (photosPerDay * daysPerMonth),
    storing: storedGbMonths * gbMonth * 100,
    requests: ((3 * writes + readsPerPhoto * reads) * 100) / 1e6,
    traffic: Math.max(0, bytesToGuests / 1e9 - freeOut * storedGbMonths) * gbOut * 100,
    emails: event.emails * dollarsPerEmail * 100,
  }
  return { ...cents, together: Object.values(cents).reduce((sum, one) => sum + one, 0) }
}

/** Two significant digits, and thousands separated by commas. */
const plain = (value: number): string => Number(value.toPrecision(2)).toLocaleString('en', { maximumFractionDigits: 9 })
const dollarText = (value: number): string => `$${value >= 1000 ? plain(value) : value.toFixed(2)}`
const centText = (value: number): string => `${value.toFixed(value < 0.1 ? 3 : 2)} ¢`
function scaled(value: number, units: string[]): string {
  const exponent = Math.min(units.length - 1, Math.floor(Math.log10(value) / 3))
  return `${plain(value / 1000 ** exponent)} ${units[exponent]}`
}
const byteText = (value: number): string => scaled(value, ['B', 'KB', 'MB', 'GB', 'TB', 'PB'])
const bitText = (value: number): string => scaled(value / 1e6, ['Mbit/s', 'Gbit/s'])
const tableText = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('')

const kept = ({ photosPerDay }: Plan): number => photosPerDay * monthsKept * daysPerMonth
const dayRows: Record<string, (plan: Plan, index: number, all: Plan[]) => string> = {
  'photos/s, peak': ({ photosPerSecond }) => plain(photosPerSecond),
  'busy cores: images, program, PostgreSQL': ({ imageCores, programCores, databaseCores }) =>
    [imageCores, programCores, databaseCores].map(plain).join(', '),
  'network in, peak': ({ photosPerSecond }) => bitText(photosPerSecond * average('uploadedBytes') * 8),
  'network out, peak': ({ photosPerSecond }) => bitText(photosPerSecond * bytesOut * 8),
  'size of the database': (plan) => byteText(kept(plan) * databaseBytesPerPhoto),
  'stored photos': (plan) => byteText(kept(plan) * average('storedBytes')),
  'days until 80 GB are full': ({ photosPerDay }) => plain(80e9 / (photosPerDay * average('storedBytes'))),
  'emails, average day': ({ photosPerDay }) => plain(photosPerDay * event.emails),
  machine: ({ machine }) => machine.name,
  nodes: ({ nodes }) => plain(nodes),
  'programs on each': ({ programsPerNode }) => plain(programsPerNode),
  PostgreSQL: ({ apartCores }) => (apartCores ? `${apartCores} cores apart` : 'on the node'),
  'machines a month': ({ dollars }) => dollarText(dollars),
  'machines, per photo': ({ dollars, photosPerDay }) => centText((dollars * 100) / (photosPerDay * daysPerMonth)),
  'upload to shown: p50, p95, p99 in ms': (plan) => {
    const latenciesMs = simulate(plan)
    return [0.5, 0.95, 0.99].map((share) => Math.round(quantile(latenciesMs, share))).join(', ')
  },
  'most used': (plan) => mostUsed(plan, plan),
  'at the next step': (plan, index, all) => (all[index + 1] ? mostUsed(all[index + 1]!, plan) : ''),
}
const photoRows = stores.map((store) => {
  const cents = photoCents(store, store.name.startsWith('AWS') ? largeAwsDollars : large.dollars)
  return [store.name, ...Object.values(cents).map(centText)]
})
/** A month of each plan at its limits, with the first store. */
const planTexts = planIds.map((id) => {
  const [store] = stores as [(typeof stores)[number]]
  const { together, storing } = photoCents(store, large.dollars)
  const storingFull = (storageBytes(plans[id]) / 1e9) * store.gbMonth
  return `${dollarText((plans[id].features.max_photos * (together - storing)) / 100 + storingFull)} (${plans[id].name})`
})

const all = steps.map(planOf)
const photoMs = Math.round(average('program') + average('images') + average('database'))
const [uploaded, stored, sent] = [average('uploadedBytes'), average('storedBytes'), bytesOut].map(byteText)
process.stdout.write(
  [
    `The average photo takes ${photoMs} ms of processor time; ${uploaded} are uploaded and ${stored} stored. Its guests, screens`,
    `and emails take ${Math.round(guestMs('program') + guestMs('database'))} ms; ${sent} are sent.\n`,
    tableText(
      ['events a day', ...steps.map(({ events }) => plain(events))],
      Object.entries(dayRows).map(([name, textOf]) => [name, ...all.map(textOf)]),
    ),
    tableText(['a photo', 'machines', 'storing', 'requests', 'traffic', 'emails', 'together'], photoRows),
    `A month at the limits of a plan costs ${planTexts.join(', ')} with ${stores[0]!.name}; as many emails as`,
    `every plan allows, ${plain(emailLimits.perOwnerDay)} a day, cost ${dollarText(emailLimits.perOwnerDay * daysPerMonth * dollarsPerEmail)}.\n`,
  ].join('\n'),
)
