import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { startFileBaseline } from '../baseline/start-baseline.ts'
import { copyPhotos } from '../copied-photos.ts'
import { measureRate } from '../http-load.ts'
import {
  atLeast,
  comparedWith,
  measured,
  ratioAtLeast,
  type BenchOptions,
  type Measurement,
  type BenchmarkPart,
} from '../measurement.ts'
import { sampleOf, smallPhoto } from '../sample-photos.ts'
import { startTestServer, type TestServer, type TestUser } from '../test-server.ts'

const listedPhotos = 24
const largePhotos = 4
const connections = 20
const userCount = 20
const leastPerSecond = 3000
const leastRatio = 0.6

function pathOf(url: string | null): string {
  if (url === null) throw new Error('a photo has no thumbnail')
  return new URL(url).pathname + new URL(url).search
}

/** More users with as many photos, whose files do not exist because nobody requests them. Returns their tokens. */
async function copyPhotosToUsers(server: TestServer, source: TestUser): Promise<string[]> {
  const users = await server.createUsers(userCount - 1)
  await copyPhotos(await server.connectDatabase(), { from: source.id, to: users.map(({ id }) => id) })
  return users.map(({ token }) => token)
}

interface PhotoPaths {
  thumbnails: string[]
  downloads: string[]
}

/** Adds photos, and copies their files into a folder for the baseline. Returns the paths on the server. */
async function addPhotos(server: TestServer, user: TestUser, dir: string): Promise<PhotoPaths> {
  const small = await smallPhoto()
  const large = (await sampleOf('12 MP')).kept
  for (let index = 0; index < listedPhotos; index++) await user.addPhoto(index < largePhotos ? large : small)
  const photos = (await (await user.call('GET', '/photos?limit=500')).json()) as Photo[] // the contract's reply
  const copy = async (path: string, name: string): Promise<void> => {
    const response = await fetch(`${server.program.address}${path}`)
    if (!response.ok) throw new Error(`the response of ${path} was ${response.status}`)
    writeFileSync(join(dir, name), Buffer.from(await response.arrayBuffer()))
  }
  const thumbnails = photos.map((photo) => pathOf(photo.thumbnail_url))
  const downloads = photos.slice(-largePhotos).map((photo) => pathOf(photo.qr_code_url).replace('/qr', ''))
  for (const [index, path] of thumbnails.entries()) await copy(path, `t${index}`)
  for (const [index, path] of downloads.entries()) await copy(path, `d${index}`)
  return { thumbnails, downloads }
}

/** What is requested, and the measured requests per second. */
interface Target {
  address: string
  paths: string[]
  tokens?: string[]
  rates: number[]
}

const baselinePaths = (prefix: string, { length }: string[]): string[] =>
  Array.from({ length }, (_, index) => `/${prefix}${index}`)

interface Subjects {
  /** Address of the product. */
  server: string
  /** Address of the baseline. */
  baseline: string
  /** Tokens. */
  oneUser: string[]
  allUsers: string[]
}

function targetsOf({ thumbnails, downloads }: PhotoPaths, { server, baseline, oneUser, allUsers }: Subjects) {
  const onServer = (paths: string[], tokens: string[] = []): Target => ({ address: server, paths, tokens, rates: [] })
  const onBaseline = (paths: string[]): Target => ({ address: baseline, paths, rates: [] })
  return {
    list: onServer(['/photos?limit=20'], oneUser),
    listOfAll: onServer(['/photos?limit=20'], allUsers),
    latest: onServer(['/photos/latest'], oneUser),
    latestOfAll: onServer(['/photos/latest'], allUsers),
    baselineThumbnails: onBaseline(baselinePaths('t', thumbnails)),
    thumbnails: onServer(thumbnails),
    baselineDownloads: onBaseline(baselinePaths('d', downloads)),
    downloads: onServer(downloads),
  }
}

async function measureRequests({ scratchDir, quick, log }: BenchOptions): Promise<Measurement[]> {
  const server = await startTestServer(scratchDir)
  const dir = join(scratchDir, 'baseline-files')
  mkdirSync(dir)
  const user = await server.createUser()
  const files = await addPhotos(server, user, dir)
  const baseline = await startFileBaseline(dir)
  const targets = targetsOf(files, {
    server: server.program.address,
    baseline: baseline.address,
    oneUser: [user.token],
    allUsers: [user.token, ...(await copyPhotosToUsers(server, user))],
  })
  const [rounds, seconds] = quick ? [2, 2] : [5, 3]
  for (let round = 0; round < rounds; round++) {
    for (const [name, target] of Object.entries(targets)) {
      const perSecond = await measureRate({ ...target, seconds, connections })
      target.rates.push(perSecond)
      log(`${name}: ${perSecond.toFixed(0)} requests/s`)
    }
  }
  await Promise.all([server.stop(), baseline.stop()])
  return [
    listMeasurement('GET /photos?limit=20, one user', targets.list),
    listMeasurement(`GET /photos?limit=20, ${userCount} users`, targets.listOfAll),
    listMeasurement('GET /photos/latest, one user', targets.latest),
    listMeasurement(`GET /photos/latest, ${userCount} users`, targets.latestOfAll),
    fileMeasurement('thumbnails', targets.thumbnails, targets.baselineThumbnails),
    fileMeasurement('GET /d/{code}, 12 MP photos', targets.downloads, targets.baselineDownloads),
  ]
}

const listMeasurement = (name: string, { rates }: Target): Measurement =>
  atLeast(measured(name, 'requests/s', rates), leastPerSecond)

const fileMeasurement = (name: string, { rates }: Target, baseline: Target): Measurement =>
  ratioAtLeast(
    comparedWith(measured(name, 'requests/s', rates), { name: 'bare node:http', values: baseline.rates }),
    leastRatio,
  )

export const requests: BenchmarkPart = {
  name: 'requests',
  title: 'Lists, thumbnails and downloads',
  method: `wrk with ${connections} connections, as many requests as the server can respond to; the baseline is a bare node:http server that streams the same files from the same disk, without access rules or database. Each round measures all, one after the other.`,
  run: measureRequests,
}
