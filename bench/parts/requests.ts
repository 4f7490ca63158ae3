import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { atLeast, found, type Bench, type Finding, type Part } from '../measurement.ts'
import { startFileFloor } from '../floor/start-floor.ts'
import { openHouse, type Guest, type House } from '../test-server.ts'
import { measureLoad, type Load } from '../http-load.ts'
import { ratios, spreadOf } from '../statistics.ts'
import { sampleOf, smallPhoto } from '../sample-photos.ts'

const photosListed = 24
const downloads = 4
const connections = 20
const owners = 20

const pathOf = (address: string): string => new URL(address).pathname + new URL(address).search

/** More users with as many photos: rows alone, since nobody fetches their bytes here. Their tokens. */
async function others(house: House, like: Guest): Promise<string[]> {
  const others = await house.guests(owners - 1)
  const database = await house.database()
  for (const { id } of others)
    await database.query(
      `insert into photos (id, user_id, code, filename, state, created_at, counted_month, full_key, full_type, full_bytes,
         thumb_key, thumb_bytes, width, height, thumbhash)
       select left(md5(random()::text), 22), $1, left(md5(random()::text), 22), filename, state, created_at, counted_month,
         'full/' || left(md5(random()::text), 22), full_type, full_bytes,
         'thumb/' || left(md5(random()::text), 22), thumb_bytes, width, height, thumbhash
       from photos where user_id = $2`,
      [id, like.id],
    )
  return others.map(({ token }) => token)
}

/** A user with a screenful of photos, and the same files as the bare server is to send them. */
async function prepare(house: House, dir: string): Promise<{ guest: Guest; thumbs: string[]; codes: string[] }> {
  const [guest] = (await house.guests(1)) as [Guest]
  const small = await smallPhoto()
  const large = (await sampleOf('12 MP')).kept
  for (let at = 0; at < photosListed; at++) {
    const { photo } = await guest.send(at < downloads ? large : small)
    await guest.screen.complete(photo.id)
  }
  const photos = (await (await guest.call('GET', '/photos?limit=500')).json()) as Photo[] // what the contract says
  const copy = async (path: string, name: string): Promise<void> => {
    const answer = await fetch(`${house.program.address}${path}`)
    if (!answer.ok) throw new Error(`${path} was answered ${answer.status}`)
    writeFileSync(join(dir, name), Buffer.from(await answer.arrayBuffer()))
  }
  const thumbs = photos.map(({ thumbnail_url: address }) => pathOf(address!))
  const codes = photos.slice(-downloads).map(({ qr_code_url: address }) => pathOf(address).replace('/qr', ''))
  for (const [at, path] of thumbs.entries()) await copy(path, `t${at}`)
  for (const [at, path] of codes.entries()) await copy(path, `d${at}`)
  return { guest, thumbs, codes }
}

async function run({ scratch, quick, say }: Bench): Promise<Finding[]> {
  const house = await openHouse(scratch)
  const dir = join(scratch, 'same-files')
  mkdirSync(dir)
  const { guest, thumbs, codes } = await prepare(house, dir)
  const floor = await startFileFloor(dir)
  const [rounds, seconds] = quick ? [2, 2] : [5, 3]
  const ask = async (what: Pick<Load, 'address' | 'paths' | 'as'>): Promise<number> =>
    (await measureLoad({ ...what, seconds, connections })).perSecond
  const server = house.program.address
  const one = [guest.token]
  const many = [guest.token, ...(await others(house, guest))]
  const runs: Record<
    'list' | 'lists' | 'latest' | 'latests' | 'thumbs' | 'bareThumbs' | 'downloads' | 'bareDownloads',
    number[]
  > = {
    list: [],
    lists: [],
    latest: [],
    latests: [],
    thumbs: [],
    bareThumbs: [],
    downloads: [],
    bareDownloads: [],
  }
  const names = (kind: string, count: number): string[] => Array.from({ length: count }, (_, at) => `/${kind}${at}`)
  for (let round = 0; round < rounds; round++) {
    runs.list.push(await ask({ address: server, paths: ['/photos?limit=20'], as: one }))
    runs.lists.push(await ask({ address: server, paths: ['/photos?limit=20'], as: many }))
    runs.latest.push(await ask({ address: server, paths: ['/photos/latest'], as: one }))
    runs.latests.push(await ask({ address: server, paths: ['/photos/latest'], as: many }))
    runs.bareThumbs.push(await ask({ address: floor.address, paths: names('t', thumbs.length) }))
    runs.thumbs.push(await ask({ address: server, paths: thumbs }))
    runs.bareDownloads.push(await ask({ address: floor.address, paths: names('d', codes.length) }))
    runs.downloads.push(await ask({ address: server, paths: codes }))
    say(
      Object.entries(runs)
        .map(([name, values]) => `${name} ${values.at(-1)!.toFixed(0)}`)
        .join(', '),
    )
  }
  await Promise.all([house.stop(), floor.stop()])
  return [
    atLeast(found('GET /photos?limit=20, screens of one user', 'requests/s', runs.list), 3000),
    atLeast(found(`GET /photos?limit=20, ${owners} users in turn`, 'requests/s', runs.lists), 3000),
    atLeast(found('GET /photos/latest, screens of one user', 'requests/s', runs.latest), 3000),
    atLeast(found(`GET /photos/latest, ${owners} users in turn`, 'requests/s', runs.latests), 3000),
    beside('thumbnails', runs.thumbs, runs.bareThumbs),
    beside('GET /d/{code}, 12 MP photos', runs.downloads, runs.bareDownloads),
  ]
}

function beside(what: string, ours: number[], bare: number[]): Finding {
  const ratio = spreadOf(ratios(ours, bare))
  return {
    ...found(what, 'requests/s', ours),
    beside: { name: 'bare node:http', values: spreadOf(bare) },
    ratio,
    limit: '>= 0.6 x bare node:http',
    holds: ratio.median >= 0.6,
  }
}

export const requests: Part = {
  name: 'requests',
  title: 'Lists, thumbnails and downloads',
  how: `${connections} connections, as many requests as are answered; a bare server streams the same bytes from the same disk, without access rules or database. All in turn.`,
  run,
}
