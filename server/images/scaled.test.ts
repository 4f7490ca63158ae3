import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, onTestFinished, test } from 'vitest'
import { noExif } from './exif.ts'
import { readJpeg, rebuildJpeg } from './jpeg.ts'
import { decodeScaled } from './scaled.ts'
import { codedJpeg, type CodedOptions } from './test/coded-jpeg.ts'
import { isRecord } from './test/making.ts'
import { exifSegment, jpeg, noise, opened, quartered, tellingExif, withSegments } from './test/pictures.ts'
import { writeThumbnail } from './thumbnail.ts'

const plain = { exif: noExif, profile: null }
type Divisor = 8 | 4
/** Of a thumbnail for which that divisor is right, where there is a long side at all. */
const sideFor = (file: Uint8Array, divisor: Divisor): number => {
  const at = Buffer.from(file).indexOf(Buffer.from([0xff, 0xc0])) + 5
  const [height, width] = [(file[at]! << 8) | file[at + 1]!, (file[at + 2]! << 8) | file[at + 3]!]
  return Math.max(width, height) / (divisor === 8 ? 9 : 5)
}
const decoded = (file: Uint8Array, divisor: Divisor = 8) => decodeScaled(file, plain, sideFor(file, divisor))

interface Small {
  width: number
  height: number
  pixels: Buffer
}

async function ours(file: Uint8Array, divisor: Divisor): Promise<Small | null> {
  const tiff = await decoded(file, divisor)
  if (!tiff) return null
  const { data, info } = await sharp(tiff).raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, pixels: data }
}

/** The whole picture from libjpeg, and what it says about it. */
async function theirs(file: Uint8Array): Promise<Small & { warnings: string[] }> {
  const warnings: string[] = []
  const image = sharp(file, { failOn: 'error' }).on('warning', (words: string) => warnings.push(words))
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, pixels: data, warnings }
}

/** Mean values of squares, the long way. */
function averaged({ width, height, pixels }: Small, divisor: number): Buffer {
  const small = { width: Math.ceil(width / divisor), height: Math.ceil(height / divisor) }
  const sums = new Float64Array(small.width * small.height * 3)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (let channel = 0; channel < 3; channel++) {
        const to = (Math.floor(y / divisor) * small.width + Math.floor(x / divisor)) * 3 + channel
        sums[to]! += pixels[(y * width + x) * 3 + channel]!
      }
  return Buffer.from(sums.map((sum) => Math.round(sum / divisor ** 2)))
}

/** How far pixels are apart, of 255: the most, and on average. */
function apart(one: Buffer, other: Buffer): { most: number; mean: number } {
  expect(one.length).toBe(other.length)
  let [most, sum] = [0, 0]
  one.forEach((value, i) => {
    const difference = Math.abs(value - other[i]!)
    most = Math.max(most, difference)
    sum += difference
  })
  return { most, mean: sum / one.length }
}

const samplings: Record<string, CodedOptions['sampling']> = {
  '4:4:4': [
    [1, 1],
    [1, 1],
    [1, 1],
  ],
  '4:2:2': [
    [2, 1],
    [1, 1],
    [1, 1],
  ],
  '4:4:0': [
    [1, 2],
    [1, 1],
    [1, 1],
  ],
  '4:2:0': [
    [2, 2],
    [1, 1],
    [1, 1],
  ],
}
const half = samplings['4:2:0']!

const divisors = [8, 4] as const

describe.each(divisors)('a JPEG at a %ith of its size', (divisor) => {
  test.each(Object.keys(samplings).flatMap((name) => [0, 1, 7, 60].map((restart) => [name, restart] as const)))(
    'has the mean values of what libjpeg makes of it: %s, %i units between restart markers',
    async (name, restart) => {
      const file = codedJpeg({ width: 960, height: 640, sampling: samplings[name]!, restart, seed: restart + 3 })
      const [own, its] = [(await ours(file, divisor))!, await theirs(file)]
      expect(its.warnings).toEqual([])
      expect([own.width, own.height]).toEqual([960 / divisor, 640 / divisor])
      const { most, mean } = apart(own.pixels, averaged(its, divisor))
      expect(mean).toBeLessThan(divisor === 8 ? 1.5 : 3)
      expect(most).toBeLessThan(divisor === 8 ? 20 : 50)
    },
  )

  test.each([
    ['4:4:4', 90],
    ['4:2:0', 92],
    ['4:2:0', 100],
    ['4:2:0', 30],
  ])('of a real encoder: %s, quality %i', async (chromaSubsampling, quality) => {
    const file = await jpeg({ width: 1600, height: 1200, quality, chromaSubsampling })
    const { most, mean } = apart((await ours(file, divisor))!.pixels, averaged(await theirs(file), divisor))
    expect(mean).toBeLessThan(1)
    // Where two of the strong colours meet.
    expect(most).toBeLessThan(divisor === 8 ? 20 : 40)
  })

  test.each([
    [961, 641],
    [8, 8],
    [9, 3],
    [1, 1],
    [2999, 17],
  ])('has every pixel that is begun: %i x %i', async (width, height) => {
    for (const sampling of Object.values(samplings)) {
      const file = codedJpeg({ width, height, sampling })
      const small = { width: Math.ceil(width / divisor), height: Math.ceil(height / divisor) }
      expect(await ours(file, divisor)).toMatchObject(small)
    }
  })

  const expectAlike = async (file: Buffer, what: string): Promise<void> => {
    const own = await ours(file, divisor)
    if (!own) throw new Error(`${what}: refused`)
    const { mean } = apart(own.pixels, averaged(await theirs(file), divisor))
    if (mean > (divisor === 8 ? 2 : 5)) throw new Error(`${what}: ${mean} levels apart`)
  }
  const size = { width: 96, height: 64, sampling: samplings['4:4:4']! }

  test('whatever codes its coefficients have', async () => {
    for (let dealt = 1; dealt <= (isRecord ? 2_000 : 60); dealt++)
      await expectAlike(codedJpeg({ ...size, dealt, seed: dealt }), `dealt ${dealt}`)
  })

  test('with blocks that have no end of their own, before what looks like long runs', async () => {
    const codes = { dc: [7, 6, 0, 1, 2, 3, 4, 5, 8, 9], ac: [0xf1, 0x01, 0x00] }
    for (let seed = 1; seed <= (isRecord ? 2_000 : 60); seed++)
      await expectAlike(codedJpeg({ ...size, codes, seed, busy: 64 }), `seed ${seed}`)
  })

  test('of many windows full of data, one picture after the other', async () => {
    const large = codedJpeg({ width: 3200, height: 2400, sampling: half, busy: 60 })
    expect(large.length).toBeGreaterThan(1_000_000)
    for (const file of [large, codedJpeg({ width: 64, height: 64, sampling: half }), large]) {
      const { mean } = apart((await ours(file, divisor))!.pixels, averaged(await theirs(file), divisor))
      expect(mean).toBeLessThan(divisor === 8 ? 1.5 : 4)
    }
  })
})

test('a thumbnail looks the same whoever decodes: with a profile, turned, in both sizes', async () => {
  for (const [width, height] of [
    [4400, 2800],
    [2600, 1900],
  ] as const) {
    const file = await opened(quartered(width, height)).withIccProfile('p3').jpeg({ quality: 90 }).toBuffer()
    const read = readJpeg(withSegments(file, exifSegment(tellingExif(6))))
    if (!read.plain) throw new Error(read.why)
    const bytes = Buffer.concat(rebuildJpeg(read))
    const tiff = await decodeScaled(bytes, read, 480)
    const pictures: Buffer[] = []
    for (const path of [bytes, tiff!]) {
      const to = join(mkdtempSync(join(tmpdir(), 'keepsnap-scaled-')), 'thumb')
      onTestFinished(() => rmSync(dirname(to), { recursive: true }))
      await writeThumbnail({ path, maxPixels: 1e8 }, to, {
        deepWithProfile: false,
        of: { width: height, height: width },
      })
      expect(await sharp(to).metadata()).toMatchObject({ width: Math.round((480 * height) / width), height: 480 })
      pictures.push(await sharp(to).raw().toBuffer())
    }
    expect(apart(pictures[0]!, pictures[1]!).mean).toBeLessThan(1)
  }
})

describe('libjpeg is asked', () => {
  const file = codedJpeg({ width: 320, height: 240, sampling: half, restart: 20 })
  const start = file.indexOf(Buffer.from([0xff, 0xda])) + 14
  const end = file.length - 2
  const withData = (data: Uint8Array): Buffer => Buffer.concat([file.subarray(0, start), data, file.subarray(end)])

  test('for a picture that is too small for it', async () => {
    expect(await decodeScaled(file, plain, 65)).toBeNull()
    expect(await decodeScaled(file, plain, 64)).not.toBeNull()
  })
  test.each<[string, () => Promise<Buffer>]>([
    ['progressive', () => jpeg({ progressive: true })],
    ['grey', () => opened(quartered(300, 200)).toColourspace('b-w').jpeg().toBuffer()],
    [
      'of four blocks across',
      async () =>
        codedJpeg({
          width: 320,
          height: 240,
          sampling: [
            [4, 1],
            [1, 1],
            [1, 1],
          ],
        }),
    ],
    [
      'with more chroma than usual',
      async () =>
        codedJpeg({
          width: 320,
          height: 240,
          sampling: [
            [2, 2],
            [2, 1],
            [1, 1],
          ],
        }),
    ],
    ['no JPEG', async () => Buffer.from('GIF89a')],
    ['empty', async () => Buffer.alloc(0)],
  ])('for one that is %s', async (_, make) => {
    expect(await decoded(await make())).toBeNull()
  })
  test('when the data end too early, wherever', async () => {
    for (let cut = start + 1; cut < end; cut += 1 + Math.floor((end - start) / 300))
      expect(await decoded(withData(file.subarray(start, cut)))).toBeNull()
  })
  test('when there is more than the picture', async () => {
    for (const more of [[0x12], [0xff, 0x00], [0xff, 0xd0, 0x12], [0xff]])
      expect(await decoded(withData(Buffer.concat([file.subarray(start, end), Buffer.from(more)])))).toBeNull()
  })
  test('when a restart marker is missing, another one, or one too many', async () => {
    const data = file.subarray(start, end)
    const at = data.indexOf(Buffer.from([0xff, 0xd1]))
    const other = Buffer.from(data)
    other[at + 1] = 0xd4
    const doubled = Buffer.concat([data.subarray(0, at), Buffer.from([0xff, 0xd1]), data.subarray(at)])
    const missing = Buffer.concat([data.subarray(0, at), data.subarray(at + 2)])
    for (const broken of [other, doubled, missing]) expect(await decoded(withData(broken))).toBeNull()
  })
})

const rounds = Number(process.env['KEEPSNAP_FUZZ']) || (isRecord ? 200_000 : 1_500)
const seed = Number(process.env['KEEPSNAP_SEED']) || 20_261_121

test(
  `of damaged data nothing is taken that libjpeg would complain of, ${rounds} times from seed ${seed}`,
  {
    timeout: 24 * 3_600_000,
  },
  async () => {
    const random = noise(seed)
    const below = (most: number): number => Math.floor(random() * most)
    const files = Object.values(samplings).flatMap((sampling, i) => [
      codedJpeg({ width: 96, height: 64, sampling, seed: i + 1 }),
      codedJpeg({ width: 96, height: 64, sampling, seed: i + 9, restart: 3 }),
    ])
    let taken = 0
    for (let round = 0; round < rounds; round++) {
      const file = Buffer.from(files[below(files.length)]!)
      const start = file.indexOf(Buffer.from([0xff, 0xda])) + 14
      for (let n = below(3); n >= 0; n--) {
        const at = start + below(file.length - 2 - start)
        if (below(2)) file[at]! ^= 1 << below(8)
        else file[at] = below(256)
      }
      // Now and then in its tables and sizes: what the strict reader takes is what comes here.
      if (below(4) === 0) file[2 + below(start - 2)] = below(256)
      const read = readJpeg(file)
      if (!read.plain || read.width * read.height > 1e6) continue
      const bytes = Buffer.concat(rebuildJpeg(read))
      if (!(await decodeScaled(bytes, read, Math.max(read.width, read.height) / (round % 2 ? 9 : 5)))) continue
      taken++
      const { warnings } = await theirs(file)
      if (warnings.length > 0) throw new Error(`round ${round}: ${warnings.join(' ')}`)
    }
    expect(taken).toBeGreaterThan(rounds / 50)
    expect(taken).toBeLessThan(rounds)
  },
)
