import type { Assumptions, MachinePrice } from './assumptions.ts'
import { findResult, workCost, type CommittedResult } from './measured-costs.ts'
import { averagePhoto, trafficOf } from './photo-work.ts'

export const steps = [1, 10, 1000, 100000] as const

/** What a day with so many events needs at its peak, and over the time that photos are kept. */
export interface Demand {
  events: number
  atOnce: number
  photosPerSecond: number
  guestsPerSecond: number
  sockets: number
  socketBytes: number
  /** Cores that are busy at the peak. */
  imageCores: number
  programCores: number
  /** Of which: all but the photos themselves. */
  guestCores: number
  databaseCores: number
  /** At the peak. */
  transactionsPerSecond: number
  walBytesPerSecond: number
  notificationsPerSecond: number
  bitsInPerSecond: number
  bitsOutPerSecond: number
  /** Over all months that photos are kept. */
  databaseBytes: number
  storedBytes: number
  /** Days until photos have filled the disk of the smallest machine. */
  daysUntilDiskFull: number
  /** On an average day. */
  photosPerDay: number
  emailsPerDay: number
  readsPerDay: number
  writesPerDay: number
  bytesOutPerDay: number
}

/** Assumed: the disk of a machine of 2 cores. */
const smallDiskBytes = 80e9
/** Objects that are written for a photo in a store that is not on the machine: the original, the full image, the thumbnail. */
export const writesPerPhoto = 3
const daysPerMonth = 365 / 12

const secondsPerMinute = 60

/** Cores for open sockets in which nothing happens, and for the big screens, which ask for the newest photo once a minute. */
function openPagesCores(
  { sockets, bigScreens }: { sockets: number; bigScreens: number },
  costs: CommittedResult,
  { operation }: Assumptions,
): number {
  const asked = workCost(costs, 'newest photo, asked by a big screen').program
  const silentMs = costs.find('CPU per silent socket') ?? operation.silentSocketMs
  return (sockets * silentMs + bigScreens * asked) / 1000 / secondsPerMinute
}

export function demandOf(events: number, costs: CommittedResult, assumptions: Assumptions): Demand {
  const { event, day, operation } = assumptions
  const photo = averagePhoto(costs, assumptions)
  const traffic = trafficOf(costs, assumptions)
  const atOnce = Math.max(1, events * (day.overlap[events] ?? 1))
  const rate = (atOnce * event.photos * (day.jointPeak[events] ?? 1)) / (event.hours * 3600)
  // One event a day is one event on the busiest day; the average day has fewer.
  const photosPerDay = events * event.photos * (events === 1 ? 1 : day.averageDay)
  const cores = (ms: number): number => (rate * ms) / 1000
  const sockets = atOnce * (event.bigScreens + event.otherSockets)
  const guestCores =
    cores(traffic.program) + openPagesCores({ sockets, bigScreens: atOnce * event.bigScreens }, costs, assumptions)
  const photosKept = photosPerDay * day.monthsKept * daysPerMonth
  return {
    events,
    atOnce,
    photosPerSecond: rate,
    guestsPerSecond: rate * event.scans,
    sockets,
    socketBytes: sockets * Math.max(costs.find('memory per socket') ?? 0, operation.socketKb) * 1024,
    imageCores: cores(photo.images),
    programCores: cores(photo.program) + guestCores,
    guestCores,
    databaseCores: cores(photo.database + traffic.database),
    transactionsPerSecond: rate * photo.transactions,
    walBytesPerSecond: rate * photo.walBytes,
    notificationsPerSecond: rate * operation.notificationsPerPhoto,
    bitsInPerSecond: rate * photo.uploadedBytes * 8,
    bitsOutPerSecond: rate * traffic.bytesOut * 8,
    databaseBytes: photosKept * costs.valueOf('growth of the database per photo'),
    storedBytes: photosKept * photo.storedBytes,
    daysUntilDiskFull: smallDiskBytes / (photosPerDay * photo.storedBytes),
    photosPerDay,
    emailsPerDay: photosPerDay * event.emails,
    readsPerDay: photosPerDay * traffic.reads,
    writesPerDay: photosPerDay * writesPerPhoto,
    bytesOutPerDay: photosPerDay * traffic.bytesOut,
  }
}

/** The machines that a step needs. */
export interface Layout {
  machine: MachinePrice
  /** Machines with API and worker. */
  nodes: number
  /** Programs on each of them: each has one thread for requests. */
  programsPerNode: number
  /** Cores of PostgreSQL on machines of its own; 0 when it runs on the node. */
  databaseCores: number
  /** Whether photos are in an object store, or on the node's disk. */
  usesStore: boolean
}

/** The smallest layout whose processors are used no more than planned, and whose programs have a thread to spare. */
export function layoutOf(demand: Demand, { operation, prices }: Assumptions): Layout {
  const { small, large } = prices.machines
  const usable = (machine: MachinePrice): number => machine.cores * operation.mostUse
  const together = demand.imageCores + demand.programCores + demand.databaseCores
  if (together <= usable(small) && demand.events <= 10)
    return {
      machine: small,
      nodes: 1,
      programsPerNode: 1,
      databaseCores: 0,
      usesStore: demand.storedBytes > smallDiskBytes,
    }
  const nodes = Math.max(2, Math.ceil((demand.imageCores + demand.programCores) / usable(large)))
  const programsPerNode = Math.ceil(demand.programCores / operation.mostUse / nodes)
  const coresPerUnit = large.cores
  const databaseCores = Math.ceil(demand.databaseCores / usable(large)) * coresPerUnit
  return { machine: large, nodes, programsPerNode, databaseCores, usesStore: true }
}

/** How much of one resource of a layout the peak uses; above 1 it does not suffice. */
export interface ResourceUse {
  name: string
  use: number
}

/** 16 of the pool, and two that listen. */
const connectionsPerProgram = 18
/** What is usual for one PostgreSQL without a connection pooler, and what the embedded one allows. */
const mostConnections = { apart: 500, embedded: 60 }
const networkBits = 1e9

/** Notifications per second that LISTEN/NOTIFY delivers in time: the least that `bench -- bus` has measured, or what is assumed. */
export function notificationsMost(assumed: number): number {
  const measurements = findResult('bus')?.result.measurements ?? []
  const rates = measurements.filter(({ name }) => name.startsWith('PostgreSQL') && name.includes('events with p99'))
  return rates.length ? Math.min(...rates.map(({ values }) => values.median)) : assumed
}

/** The resources that could be the first bottleneck of a layout, the most used first. */
export function usesOf(
  demand: Demand,
  { machine, nodes, programsPerNode, databaseCores, usesStore }: Layout,
  { operation }: Assumptions,
): ResourceUse[] {
  const hasDatabase = databaseCores > 0
  const programs = nodes * programsPerNode
  const nodeCores = demand.imageCores + demand.programCores + (hasDatabase ? 0 : demand.databaseCores)
  const connectionsMost = hasDatabase ? mostConnections.apart : mostConnections.embedded
  const uses: ResourceUse[] = [
    { name: 'cores of the nodes', use: nodeCores / (nodes * machine.cores) },
    { name: 'the one thread of each program', use: demand.programCores / programs },
    {
      name: 'network of the nodes',
      use: (demand.bitsInPerSecond + (usesStore ? 0 : demand.bitsOutPerSecond)) / (nodes * networkBits),
    },
    { name: 'connections to PostgreSQL', use: (programs * connectionsPerProgram) / connectionsMost },
    { name: 'LISTEN/NOTIFY', use: demand.notificationsPerSecond / notificationsMost(operation.notificationsMost) },
    ...(hasDatabase ? [{ name: 'cores of PostgreSQL', use: demand.databaseCores / databaseCores }] : []),
    ...(usesStore ? [] : [{ name: 'disk of the machine', use: demand.storedBytes / smallDiskBytes }]),
  ]
  return uses.toSorted((a, b) => b.use - a.use)
}
