import { measured, type BenchOptions, type Measurement } from '../measurement.ts'
import { roundRobin } from '../round-robin.ts'
import { sampleOf, smallPhoto, type PhotoSize } from '../sample-photos.ts'
import type { TestServer, TestUser } from '../test-server.ts'
import { measureCost, type MeasuredServer } from './measure-cost.ts'

const userCount = 30
const inFlight = 2

interface PhotoUpload {
  name: string
  file: Buffer
  users: TestUser[]
  count: number
}

/** A photo with a logo on it is encoded anew, and its unmarked picture is kept as well. */
async function addWatermark(user: TestUser): Promise<void> {
  const form = new FormData()
  const logo = await smallPhoto()
  form.append('file', new Blob([logo], { type: 'image/jpeg' }), 'logo.jpg')
  const uploaded = await user.call('POST', '/upload-logo', { body: form })
  const saved = await user.call('PUT', '/user/settings', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ use_logo_as_watermark: true }),
  })
  if (!uploaded.ok || !saved.ok) throw new Error(`the watermark was not set: ${uploaded.status}, ${saved.status}`)
}

async function storedBytes({ database }: MeasuredServer, ids: string[]): Promise<Measurement['values']['runs']> {
  const { rows } = await database.query<{ bytes: string }>(
    `select coalesce(full_bytes, 0) + coalesce(thumb_bytes, 0) + coalesce(unmarked_bytes, 0) as bytes from photos where id = any($1)`,
    [ids],
  )
  return rows.map(({ bytes }) => Number(bytes))
}

async function measureUploads(server: MeasuredServer, upload: PhotoUpload, rounds: number): Promise<Measurement[]> {
  const { name, file, users, count } = upload
  const nextUser = roundRobin(users)
  const ids: string[] = []
  const action = async (): Promise<void> => void ids.push((await nextUser().addPhoto(file)).id)
  await action()
  const cost = await measureCost(server, name, { count, rounds, inFlight, action })
  return [
    ...cost,
    measured(`${name}, uploaded`, 'bytes', [file.length]),
    measured(`${name}, stored`, 'bytes', [Math.max(...(await storedBytes(server, ids)))]),
  ]
}

/** Bytes by which the database grows with each photo, all tables and indexes together. */
async function measureRows(server: MeasuredServer, users: TestUser[], count: number): Promise<Measurement[]> {
  const { database } = server
  const nextUser = roundRobin(users)
  const file = await smallPhoto()
  const sizeOf = async (): Promise<number> => {
    await database.query('vacuum')
    const { rows } = await database.query<{ bytes: string }>('select pg_database_size(current_database()) as bytes')
    return Number(rows[0]?.bytes)
  }
  const before = await sizeOf()
  const cost = await measureCost(server, '0.5 MP, kept', {
    count,
    rounds: 1,
    inFlight,
    action: () => nextUser().addPhoto(file),
  })
  const grown = (await sizeOf()) - before
  return [...cost, measured('growth of the database per photo', 'bytes', [grown / count])]
}

/** What photos of several kinds cost, from their upload until they are complete. */
export async function measurePhotos(
  measuredServer: MeasuredServer,
  server: TestServer,
  { quick, log }: BenchOptions,
): Promise<Measurement[]> {
  const users = await server.createUsers(userCount)
  const marked = await server.createUsers(userCount / 2)
  for (const user of marked) await addWatermark(user)
  const rounds = quick ? 1 : 2
  const results: Measurement[] = []
  const add = async (upload: PhotoUpload): Promise<void> => {
    const measurements = await measureUploads(measuredServer, upload, rounds)
    for (const { name, unit, values } of measurements) log(`${name}: ${values.median} ${unit}`)
    results.push(...measurements)
  }
  const sizes: [PhotoSize, number][] = [
    ['12 MP', quick ? 4 : 9],
    ['24 MP', quick ? 4 : 6],
  ]
  for (const [size, count] of sizes) {
    const { kept, reencoded } = await sampleOf(size)
    await add({ name: `${size}, kept`, file: kept, users, count })
    await add({ name: `${size}, re-encoded`, file: reencoded, users, count })
    await add({ name: `${size}, watermarked`, file: kept, users: marked, count })
  }
  return [...results, ...(await measureRows(measuredServer, users, quick ? 50 : 120))]
}
