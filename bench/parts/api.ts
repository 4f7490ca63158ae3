import { newApiKey } from '@keepsnap/server/lib/api-keys.ts'
import { hashOf, newId } from '@keepsnap/server/lib/ids.ts'
import type { Client } from 'pg'
import { copyPhotos } from '../copied-photos.ts'
import { measureRate } from '../http-load.ts'
import {
  atLeast,
  comparedWith,
  measured,
  ratioAtMost,
  type BenchOptions,
  type Measurement,
  type BenchmarkPart,
} from '../measurement.ts'
import { itemAt } from '../round-robin.ts'
import { sampleOf, smallPhoto } from '../sample-photos.ts'
import { startTestServer, type TestServer, type TestUser } from '../test-server.ts'
import { uploadTimed } from '../timed-upload.ts'

const userCount = 20
const photosPerUser = 60
/** Each may call 100 times a minute, and a round takes some seconds. */
const keysPerUser = 20
const connections = 20
const leastPerSecond = 2000
const mostUploadRatio = 1.1

/** Adds keys of a user, in the way of the server, without its limit of keys. Returns them in full. */
async function addKeys(database: Client, userId: string, count: number): Promise<string[]> {
  const keys = Array.from({ length: count }, () => newApiKey('customer'))
  await database.query(
    `insert into api_keys (id, user_id, name, key_hash, last_four)
     select id, $1, 'bench', hash, 'abcd' from unnest($2::text[], $3::bytea[]) as new (id, hash)`,
    [userId, keys.map(() => newId()), keys.map(hashOf)],
  )
  return keys
}

interface Subjects {
  server: TestServer
  database: Client
  users: { user: TestUser; keys: string[] }[]
}

/** Users with photos; the files of most do not exist, because nobody requests them. */
async function createSubjects(scratchDir: string): Promise<Subjects> {
  const server = await startTestServer(scratchDir)
  const users = await server.createUsers(userCount)
  const database = await server.connectDatabase()
  const source = itemAt(users, 0)
  await source.addPhoto(await smallPhoto())
  const others = users.filter((user) => user !== source).map(({ id }) => id)
  await copyPhotos(database, { from: source.id, to: others, times: photosPerUser })
  await copyPhotos(database, { from: source.id, to: [source.id], times: photosPerUser - 1 })
  const withKeys: Subjects['users'] = []
  for (const user of users) withKeys.push({ user, keys: await addKeys(database, user.id, keysPerUser) })
  return { server, database, users: withKeys }
}

/** Requests per second of lists, of one user and of all. Every round starts with unused limits. */
async function measureLists(
  { server, database, users }: Subjects,
  { quick, log }: BenchOptions,
): Promise<Measurement[]> {
  const { user: one } = itemAt(users, 0)
  const targets: { name: string; keys: string[]; rates: number[] }[] = [
    { name: 'one user', keys: await addKeys(database, one.id, keysPerUser * userCount), rates: [] },
    { name: `${userCount} users`, keys: users.flatMap(({ keys }) => keys), rates: [] },
  ]
  const [rounds, seconds] = quick ? [2, 2] : [5, 3]
  for (let round = 0; round < rounds; round++) {
    for (const { name, keys, rates } of targets) {
      await database.query('delete from rate_hits')
      const { address } = server.program
      rates.push(await measureRate({ address, paths: ['/api/photos?limit=50'], keys, seconds, connections }))
      log(`${name}: ${rates.at(-1)?.toFixed(0)} requests/s`)
    }
  }
  return targets.map(({ name, rates }) =>
    atLeast(measured(`GET /api/photos?limit=50 by key, ${name}`, 'requests/s', rates), leastPerSecond),
  )
}

/** How long the response to an upload takes after its last byte, by key and by the page in turns. */
async function measureUploads({ server, users }: Subjects, { quick, log }: BenchOptions): Promise<Measurement> {
  const { kept } = await sampleOf('12 MP')
  const times: Record<'byKey' | 'byPage', number[]> = { byKey: [], byPage: [] }
  const uploadMs = async (headers: Record<string, string>): Promise<number> => {
    const { respondedAt, lastByteAt } = await uploadTimed(server.program.address, kept, headers)
    return respondedAt - lastByteAt
  }
  for (let photo = 0; photo < (quick ? 10 : 60); photo++) {
    const { user, keys } = itemAt(users, photo)
    times.byPage.push(await uploadMs({ authorization: `Bearer ${user.token}` }))
    times.byKey.push(await uploadMs({ 'x-api-key': itemAt(keys, 0) }))
  }
  log(`${times.byKey.length} uploads by key, and as many by the page`)
  const byKey = measured('response to an upload by key, 12 MP', 'ms', times.byKey)
  return ratioAtMost(comparedWith(byKey, { name: 'by the page', values: times.byPage }), mostUploadRatio)
}

async function measureApi(options: BenchOptions): Promise<Measurement[]> {
  const subjects = await createSubjects(options.scratchDir)
  const lists = await measureLists(subjects, options)
  const uploads = await measureUploads(subjects, options)
  await subjects.server.stop()
  return [...lists, uploads]
}

export const api: BenchmarkPart = {
  name: 'api',
  title: 'Calls with an API key',
  method: `wrk with ${connections} connections and ${userCount * keysPerUser} keys, because each may call 100 times a minute; users have ${photosPerUser} photos. Every call is authenticated and counted. Uploads by key and by the page take turns.`,
  run: measureApi,
}
