import { setTimeout as delay } from 'node:timers/promises'
import { atMost, found, type Bench, type Finding, type Part } from '../measurement.ts'
import { openHouse, type Guest } from '../test-server.ts'
import { quantile, ratios, spreadOf } from '../statistics.ts'
import { sampleOf, smallPhoto } from '../sample-photos.ts'

const queued = 48
const callsPerSecond = 100
const listed = 20
const uploadsMost = 25

interface Window {
  /** Milliseconds of each call. */
  calls: number[]
  /** Milliseconds from an upload's last byte to its answer. */
  uploads: number[]
}

/** Calls at a steady pace, whatever the answers take, until told to stop: the list of a screenful, and the newest photo. */
async function call(guest: Guest, isOver: () => boolean): Promise<number[]> {
  const under: Promise<number>[] = []
  const began = performance.now()
  while (!isOver()) {
    const path = under.length % 2 ? '/photos/latest' : `/photos?limit=${listed}`
    under.push(timed(guest, path))
    await delay(Math.max(0, began + (under.length * 1000) / callsPerSecond - performance.now()))
  }
  return Promise.all(under)
}

async function timed(guest: Guest, path: string): Promise<number> {
  const began = performance.now()
  const answer = await guest.call('GET', path)
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}`)
  return performance.now() - began
}

async function quietly(caller: Guest, ms: number): Promise<Window> {
  const end = performance.now() + ms
  return { calls: await call(caller, () => performance.now() > end), uploads: [] }
}

interface Sides {
  guests: Guest[]
  caller: Guest
  photo: Buffer
}

/** Both image processes at work and photos waiting for them, all the time that is measured. */
async function saturated({ guests, caller, photo }: Sides, measured: 'calls' | 'uploads'): Promise<Window> {
  const waiting = new Set<string>()
  const sendTo = async (guest: Guest): Promise<number> => {
    const { lastByteAt, answeredAt, photo: sent } = await guest.send(photo)
    waiting.add(sent.id)
    void guest.screen.complete(sent.id).then(() => waiting.delete(sent.id))
    return answeredAt - lastByteAt
  }
  for (let at = 0; at < queued; at += 4)
    await Promise.all([0, 1, 2, 3].map((next) => sendTo(guests[(at + next) % guests.length]!)))
  const isShort = (): boolean => waiting.size < 6
  const uploads: number[] = []
  const send = async (): Promise<void> => {
    for (let at = 0; at < uploadsMost && !isShort(); at++) {
      uploads.push(await sendTo(guests[at % guests.length]!))
      await delay(200)
    }
  }
  if (measured === 'uploads') await send()
  const calls = measured === 'calls' ? await call(caller, isShort) : []
  while (waiting.size > 0) await delay(50)
  return { calls, uploads }
}

async function run({ scratch, quick, say }: Bench): Promise<Finding[]> {
  const house = await openHouse(scratch)
  const [caller, ...guests] = (await house.guests(33)) as [Guest, ...Guest[]] // as many as asked for
  for (let photo = 0; photo < listed; photo++) {
    const { photo: sent } = await caller.send(await smallPhoto())
    await caller.screen.complete(sent.id)
  }
  const sides: Sides = { guests, caller, photo: (await sampleOf('12 MP')).reencoded }
  await quietly(caller, 3_000)
  const quiet: Window[] = []
  const busy: Window[] = []
  const uploads: number[] = []
  for (let round = 0; round < (quick ? 2 : 4); round++) {
    quiet.push(await quietly(caller, 5_000))
    busy.push(await saturated(sides, 'calls'))
    if (round < 2) uploads.push(...(await saturated(sides, 'uploads')).uploads)
  }
  await house.stop()
  const p = (windows: Window[], share: number): number[] => windows.map(({ calls }) => quantile(calls, share))
  const ratio = spreadOf(ratios(p(busy, 0.99), p(quiet, 0.99)))
  const findings: Finding[] = [
    found('API calls, quiet, p50', 'ms', p(quiet, 0.5)),
    found('API calls, image processes saturated, p50', 'ms', p(busy, 0.5)),
    {
      ...found('API calls, image processes saturated, p99', 'ms', p(busy, 0.99)),
      beside: { name: 'quiet', values: spreadOf(p(quiet, 0.99)) },
      ratio,
      limit: '<= 2 x quiet',
      holds: ratio.median <= 2,
    },
    atMost(
      found(`12 MP upload answered after its last byte while others wait, p50 of ${uploads.length}`, 'ms', [
        quantile(uploads, 0.5),
      ]),
      50,
    ),
    found('the same, p95', 'ms', [quantile(uploads, 0.95)]),
  ]
  for (const { what, ours } of findings) say(`${what}: ${ours.median} ms`)
  return findings
}

export const busy: Part = {
  name: 'busy',
  title: 'The API while the image processes are saturated',
  how:
    `${callsPerSecond} calls a second at a steady pace (GET /photos?limit=${listed} and /photos/latest in turn), for some seconds while nothing else happens and then while a queue of ` +
    '12 MP photos is re-encoded, again and again. Uploads into such a queue are measured apart, one at a time.',
  run,
}
