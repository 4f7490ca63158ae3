import { atMost, found, type Bench, type Finding, type Part } from '../measurement.ts'
import { floorWords, startImageFloor } from '../floor/start-floor.ts'
import { openHouse, type Guest } from '../test-server.ts'
import { median, quantile, spreadOf } from '../statistics.ts'
import { sampleOf, type Sample, type Size } from '../sample-photos.ts'
import { sendPhoto } from '../timed-upload.ts'

/** Milliseconds after the last byte had left the sender. */
interface Times {
  answered: number
  thumbnail: number
  complete: number
}

async function once(guest: Guest, photo: Buffer): Promise<Times> {
  const sent = await guest.send(photo)
  const seen = await guest.screen.complete(sent.photo.id)
  return {
    answered: sent.answeredAt - sent.lastByteAt,
    thumbnail: seen.thumbnailAt - sent.lastByteAt,
    complete: seen.completeAt - sent.lastByteAt,
  }
}

async function onceBare(address: string, photo: Buffer): Promise<number> {
  const { answeredAt, lastByteAt } = await sendPhoto(address, photo)
  return answeredAt - lastByteAt
}

interface Sides {
  next(): Guest
  plain: string
  light: string
}

/** One photo at a time by each side in turn, so that whatever disturbs the machine disturbs them alike. */
async function measure({ next, plain, light }: Sides, sample: Sample, photos: number) {
  const times = { plain: [] as number[], light: [] as number[], kept: [] as Times[], reencoded: [] as Times[] }
  for (let photo = 0; photo < photos; photo++) {
    times.plain.push(await onceBare(plain, sample.kept))
    times.kept.push(await once(next(), sample.kept))
    times.light.push(await onceBare(light, sample.reencoded))
    times.reencoded.push(await once(next(), sample.reencoded))
  }
  return times
}

/** p50 and p95 beside the floor's, and the limit on p50 when there is one. */
function compare(
  what: string,
  ours: number[],
  { name, theirs, times }: { name: string; theirs: number[]; times?: number },
) {
  const beside = (share: number) => ({ name, values: spreadOf([quantile(theirs, share)]) })
  const limited = (finding: Finding): Finding => {
    if (times === undefined) return finding
    const most = times * median(theirs) + 20
    return atMost(finding, most, `<= ${times} x ${name} + 20 ms = ${most.toFixed(0)} ms`)
  }
  const p50: Finding = {
    ...limited(found(`${what}, p50`, 'ms', [median(ours)])),
    beside: beside(0.5),
    ratio: spreadOf([median(ours) / median(theirs)]),
  }
  const p95: Finding = { ...found(`${what}, p95`, 'ms', [quantile(ours, 0.95)]), beside: beside(0.95) }
  return [p50, p95]
}

function findingsOf(size: Size, times: Awaited<ReturnType<typeof measure>>): Finding[] {
  const { plain, light, kept, reencoded } = times
  const complete = (list: Times[]): number[] => list.map((one) => one.complete)
  const early = reencoded.map((one) => one.complete - one.thumbnail)
  return [
    ...compare(`${size}, kept`, complete(kept), { name: 'floor', theirs: plain, times: 0.6 }),
    ...compare(`${size}, re-encoded`, complete(reencoded), { name: 'floor', theirs: plain, times: 1.25 }),
    ...compare(`${size}, re-encoded, against light floor`, complete(reencoded), { name: 'light floor', theirs: light }),
    found(`${size}, kept: thumbnail announced, p50`, 'ms', [median(kept.map((one) => one.thumbnail))]),
    found(`${size}, re-encoded: thumbnail announced, p50`, 'ms', [median(reencoded.map((one) => one.thumbnail))]),
    {
      ...found(`${size}, re-encoded: thumbnail before complete by, p50`, 'ms', [median(early)]),
      limit: 'always before',
      holds: early.every((ms) => ms > 0),
    },
    found(`${size}, upload answered, p50`, 'ms', [median([...kept, ...reencoded].map((one) => one.answered))]),
  ]
}

async function run({ scratch, quick, say }: Bench): Promise<Finding[]> {
  const house = await openHouse(scratch)
  const plain = await startImageFloor(scratch, 'plain')
  const light = await startImageFloor(scratch, 'light')
  const guests = await house.guests(30)
  let turn = 0
  const sides: Sides = { next: () => guests[turn++ % guests.length]!, plain: plain.address, light: light.address }
  await measure(sides, await sampleOf('12 MP'), 4)
  const findings: Finding[] = []
  for (const size of ['12 MP', '24 MP'] as const) {
    const more = findingsOf(size, await measure(sides, await sampleOf(size), quick ? 10 : 40))
    for (const { what, ours, limit } of more) say(`${what}: ${ours.median} ms ${limit ?? ''}`)
    findings.push(...more)
  }
  await Promise.all([house.stop(), plain.stop(), light.stop()])
  return findings
}

export const shutter: Part = {
  name: 'shutter',
  title: 'From the last byte of one photo to its code on the screen',
  how:
    'One photo at a time: from the moment its last byte was given to the kernel until photo_update on the socket (for the floor: its answer). ' +
    'Floor, product (kept), light floor and product (re-encoded) take turns photo by photo. ' +
    floorWords,
  run,
}
