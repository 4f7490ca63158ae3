import { openHouse, type Guest } from '../test-server.ts'
import { type Bench, type Finding, type Part } from '../measurement.ts'
import { ratios, spreadOf } from '../statistics.ts'
import { sampleOf, type Size } from '../sample-photos.ts'
import { floorWords, startImageFloor } from '../floor/start-floor.ts'
import { sendPhoto } from '../timed-upload.ts'

/** Sends one photo and resolves when all of its artefacts exist. */
type Make = (photo: Buffer) => Promise<unknown>

/** Photos a second, with so many on their way at any time. */
async function rate(make: Make, photo: Buffer, { photos, inFlight }: { photos: number; inFlight: number }) {
  let left = photos
  const began = performance.now()
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (left-- > 0) await make(photo)
    }),
  )
  return photos / ((performance.now() - began) / 1000)
}

/** Every photo by the next user, so that nobody's limits are reached. */
function byTurns(guests: readonly Guest[]): Make {
  let next = 0
  return async (photo) => {
    const guest = guests[next++ % guests.length]!
    const sent = await guest.send(photo)
    return guest.screen.complete(sent.photo.id)
  }
}

const inFlights = [1, 4, 8]
const least = { '12 MP': 2.2, '24 MP': 4 } as const

interface Makers {
  product: Make
  plain: Make
  light: Make
  bare: Make
}

/** Everything about one size and number in flight: floor, kept, bare, light floor, re-encoded, again and again. */
async function measure(makers: Makers, size: Size, { inFlight, quick }: { inFlight: number; quick: boolean }) {
  const { kept, reencoded } = await sampleOf(size)
  const photos = (size === '12 MP' ? 24 : 12) * (quick ? 0.5 : 1)
  const how = { photos: Math.max(photos, inFlight * 2), inFlight }
  const runs: Record<'plain' | 'kept' | 'bare' | 'light' | 'reencoded', number[]> = {
    plain: [],
    kept: [],
    bare: [],
    light: [],
    reencoded: [],
  }
  for (let round = 0; round < (quick ? 2 : 3); round++) {
    runs.plain.push(await rate(makers.plain, kept, how))
    runs.kept.push(await rate(makers.product, kept, how))
    runs.bare.push(await rate(makers.bare, kept, how))
    runs.light.push(await rate(makers.light, reencoded, how))
    runs.reencoded.push(await rate(makers.product, reencoded, how))
  }
  return runs
}

async function run({ scratch, quick, say }: Bench): Promise<Finding[]> {
  const house = await openHouse(scratch)
  const floors = {
    plain: await startImageFloor(scratch, 'plain'),
    light: await startImageFloor(scratch, 'light'),
    bare: await startImageFloor(scratch, 'kept'),
  }
  const makers: Makers = {
    product: byTurns(await house.guests(40)),
    plain: (photo) => sendPhoto(floors.plain.address, photo),
    light: (photo) => sendPhoto(floors.light.address, photo),
    bare: (photo) => sendPhoto(floors.bare.address, photo),
  }
  const warm = (await sampleOf('12 MP')).reencoded
  for (const make of Object.values(makers)) await rate(make, warm, { photos: 6, inFlight: 3 })
  const findings: Finding[] = []
  const compare = (what: string, ours: number[], [name, floor]: [string, number[]]): Finding => ({
    what,
    unit: 'photos/s',
    ours: spreadOf(ours),
    beside: { name, values: spreadOf(floor) },
    ratio: spreadOf(ratios(ours, floor)),
  })
  for (const size of ['12 MP', '24 MP'] as const) {
    for (const inFlight of inFlights) {
      const runs = await measure(makers, size, { inFlight, quick })
      const title = `${size}, ${inFlight} in flight`
      const kept = compare(`${title}, kept`, runs.kept, ['floor', runs.plain])
      const reencoded = compare(`${title}, re-encoded`, runs.reencoded, ['floor', runs.plain])
      findings.push(
        byRatio(kept, least[size]),
        byRatio(reencoded, 0.9),
        compare(`${title}, re-encoded, against light floor`, runs.reencoded, ['light floor', runs.light]),
        compare(`${title}, kept, against the bare server`, runs.kept, ['bare server', runs.bare]),
        compare(`${title}, the bare server itself`, runs.bare, ['floor', runs.plain]),
      )
      for (const finding of findings.slice(-5))
        say(`${finding.what}: ${finding.ours.median} (${finding.ratio!.median} x ${finding.beside!.name})`)
    }
  }
  await Promise.all([house.stop(), ...Object.values(floors).map((floor) => floor.stop())])
  return findings
}

/** A limit on the ratio, which is compared pair by pair. */
const byRatio = (finding: Finding, times: number): Finding => ({
  ...finding,
  limit: `>= ${times} x ${finding.beside!.name}`,
  holds: finding.ratio!.median >= times,
})

export const pipeline: Part = {
  name: 'pipeline',
  title: 'Photos through upload, processing and push',
  how:
    'Each photo is uploaded over HTTP and counts when photo_update says complete on its owner’s socket; for the floor, when it is answered. ' +
    'Rounds of floor, product (kept), bare server, light floor, product (re-encoded), one after the other. ' +
    floorWords,
  run,
}
