import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { storageState } from '../ports/storage/store-in-use.ts'
import { hasRadosgw } from '../test/radosgw.ts'
import { logWithSeed, seededRandom } from '../test/statistics.ts'
import {
  createMovingFixture,
  keysOf,
  type MovingFixture,
  repeatUntilStopped,
  startCommand,
} from '../test/moving-fixture.ts'

const canStart = hasRadosgw()
let fixture: MovingFixture
beforeAll(async () => {
  if (canStart) fixture = await createMovingFixture({ S3_DOWNLOADS: 'proxy' })
}, 90_000)
beforeEach(({ skip }) => skip(!canStart, 'needs radosgw, ceph-osd and ceph-mon'))
afterAll(() => fixture?.close())

test('killed at random moments beside uploads, reads and deletions, moves lose nothing and leave nothing behind', async () => {
  const { server, stores, move } = fixture
  const random = seededRandom('killed moves')
  const files = await fixture.createFiles()
  for (let n = 0; n < 60; n++) await files.add(1 + random.integerBelow(40_000))
  const large = await files.add(9 * 1024 * 1024)
  const using = repeatUntilStopped(async () => {
    await files.expectReadable(await files.add(1 + random.integerBelow(5_000)))
    const keys = [...files.live.keys()]
    await files.expectReadable(keys[random.integerBelow(keys.length)]!)
    if (keys.length > 70) await files.remove(keys.filter((key) => key !== large)[random.integerBelow(keys.length - 1)]!)
    await wait(20)
  })
  const kills = 25
  const seen = new Map<string, number>()
  let to: 's3' | 'disk' = 's3'
  for (let n = 0; n < kills; n++) {
    const limit = random.integerBelow(3) > 0 ? ['--limit', '3'] : []
    const { child, ended } = startCommand(fixture, to, ...limit)
    await Promise.race([ended, wait(500 + random.integerBelow(8_000))])
    child.kill('SIGKILL')
    const { code, text } = await ended
    expect(code === null ? 'killed' : text).toMatch(/^killed$|^All files are in/)
    const { store, step } = await storageState(server.db)
    const outcome = code === null ? `killed while ${step}, in use: ${store}` : 'ended before'
    seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
    for (const key of files.live.keys()) await files.expectReadable(key)
    if (code === 0 || random.integerBelow(4) === 0) to = to === 's3' ? 'disk' : 's3'
  }
  await move(to)
  const steps = await using.stop()
  const live = [...files.live.keys()].toSorted()
  expect(await keysOf(stores[to])).toEqual(live)
  expect(await keysOf(stores[to === 's3' ? 'disk' : 's3'])).toEqual([])
  for (const key of live) await files.expectReadable(key)
  const outcomes = [...seen].map(([outcome, count]) => `${count} ${outcome}`).join('; ')
  logWithSeed(`${kills} moves of files: ${outcomes}; ${steps} uploads, reads and deletions beside them; none lost`)
}, 1_200_000)
