import { existsSync } from 'node:fs'
import { copyFile, readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { jpeg, segment, withSegments } from '../../server/images/test/sample-images.ts'
import { createKey, getByKey, grantPlan, makeApiUser, makeUserWithKey } from '../../server/test/test-data.ts'
import { startServer, type TestServer } from '../../server/test/harness.ts'
import type { Cleanup } from '../../server/test/child-processes.ts'
import { logWithSeed, promisedMs, seededRandom } from '../../server/test/statistics.ts'
import { createClient, photoLink } from '../client.ts'
import {
  type Network,
  openNetwork,
  runUpload,
  startUpload,
  temporaryFolder,
  type UploadCommand,
} from '../test/upload-command.ts'

let server: TestServer
let url: string
let picture: Buffer
beforeAll(async () => {
  server = await startServer({}, { webDist: join(import.meta.dirname, '../../web/dist') })
  url = await server.listen()
  picture = await jpeg({ width: 64, height: 48 })
})
afterAll(() => server.close())

/** The machine's own Node where there is one: 20 or later. */
const oldNode = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => existsSync(path)) ?? process.execPath

/** A photo that no other test has. */
const photoNamed = (name: string): Buffer => withSegments(picture, segment(0xfe, name))

async function photosOf(key: string): Promise<Photo[]> {
  const { photos, total } = (await getByKey(server, key, '/api/photos')).json<{ photos: Photo[]; total: number }>()
  expect(total).toBeLessThanOrEqual(50)
  return photos.toReversed()
}
const namesOf = async (key: string): Promise<string[]> => (await photosOf(key)).map(({ filename }) => filename)

/** A user with a key, an empty folder, and a place for the state. */
async function newBooth(cleanup: Cleanup) {
  const { user, key } = await makeUserWithKey(server)
  const [folder, stateDir] = [await temporaryFolder(cleanup), await temporaryFolder(cleanup)]
  return { user, key, folder, options: { url, key, stateDir } }
}

test.concurrent('the photos of a folder are uploaded once, in order, and the folder stays as it is', async ({
  expect,
  onTestFinished,
}) => {
  const { key, folder, options } = await newBooth(onTestFinished)
  const write = async (name: string, content: string | Buffer, seconds: number): Promise<void> => {
    await writeFile(join(folder, name), content)
    await utimes(join(folder, name), seconds, seconds)
  }
  await write('IMG_2.jpg', photoNamed('two'), 2_000)
  await write('IMG_10.jpg', photoNamed('ten'), 3_000)
  await write('Größe 1.JPG', photoNamed('one'), 1_000)
  await write('copy.jpg', photoNamed('one'), 4_000)
  await write('text.png', 'not an image', 5_000)
  await write('notes.txt', 'not an image', 5_000)
  await write('empty.jpg', '', 6_000)
  const before = await Promise.all(
    (await readdir(folder)).map(async (name) => [name, (await stat(join(folder, name))).mtimeMs]),
  )

  const first = await runUpload(onTestFinished, ['--once', folder], options)
  expect(await namesOf(key)).toEqual(['Größe 1.JPG', 'IMG_2.jpg', 'IMG_10.jpg'])
  const links = (await photosOf(key)).map((photo) => `${photo.filename}: ${photoLink(photo)}`)
  expect(first.lines.slice(0, 2)).toEqual([
    expect.stringMatching(/^Uploading to the account user-\w+ at http/),
    expect.stringMatching(/^notes\.txt: skipped\. This is not a supported photo format/),
  ])
  expect(first.lines.slice(2)).toEqual([
    ...links,
    'copy.jpg: already uploaded as Größe 1.JPG.',
    expect.stringMatching(/^text\.png: skipped\. ./),
    'empty.jpg: skipped. The file is empty.',
    '3 uploaded, 1 already uploaded, 2 not uploaded.',
  ])
  expect(first.exitCode).toBe(1)

  await copyFile(join(folder, 'IMG_2.jpg'), join(folder, 'later.jpg'))
  await writeFile(join(folder, 'IMG_10.jpg'), photoNamed('ten, changed'))
  const second = await runUpload(onTestFinished, ['--once', folder], options)
  expect(second.lines.at(-1)).toBe('1 uploaded, 4 already uploaded, 2 not uploaded.')
  expect(await namesOf(key)).toEqual(['Größe 1.JPG', 'IMG_2.jpg', 'IMG_10.jpg', 'IMG_10.jpg'])
  const unchanged = before.filter(([name]) => name !== 'IMG_10.jpg')
  for (const [name, modified] of unchanged) expect((await stat(join(folder, String(name)))).mtimeMs).toBe(modified)
  const code = (await photosOf(key))[0]?.qr_code_url.split('/').at(-1)
  expect((await server.request({ method: 'GET', url: `/d/${code}` })).statusCode).not.toBe(404)
})

test.concurrent('prints one sentence with the action to take, and an exit code', async ({ expect, onTestFinished }) => {
  const { user, key, folder, options } = await newBooth(onTestFinished)
  await writeFile(join(folder, 'a.jpg'), photoNamed('a'))
  const downgraded = await makeApiUser(server)
  const { key: keyWithoutPlan } = await createKey(server, downgraded)
  await grantPlan(server, downgraded, 'pro_monthly')
  await server.app.deps.pool.query(
    `insert into usage_months (user_id, month, uploads) values ($1, date_trunc('month', now() at time zone 'utc'), 1000000)`,
    [user.id],
  )
  const wrongKey = `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`
  const cases: [string[], Partial<typeof options>, number, RegExp][] = [
    [['--once', folder], { key: wrongKey }, 3, /does not accept this API key/],
    [['--once', folder], { key: keyWithoutPlan }, 3, /no API access.*Pro Yearly/],
    [['--once', folder], { url: `${url}/nowhere` }, 2, /No Keepsnap API found at .*nowhere/],
    [[join(folder, 'b.jpg')], {}, 2, /b\.jpg does not exist/],
    [['--once', folder], {}, 1, /photos.*The photos stay here/],
  ]
  const outcomes = await Promise.all(
    cases.map(async ([args, more]) => {
      const { exitCode, lines } = await runUpload(onTestFinished, args, {
        ...options,
        ...more,
        stateDir: await temporaryFolder(onTestFinished),
      })
      return [exitCode, lines.filter((line) => line.startsWith('keepsnap-upload: ')).join('\n')]
    }),
  )
  expect(outcomes).toEqual(cases.map(([, , exitCode, message]) => [exitCode, expect.stringMatching(message)]))
  expect(await photosOf(key)).toEqual([])
})

test.concurrent('a photo that comes while the network is down is uploaded when it is back; a second command does not use the state', async ({
  expect,
  onTestFinished,
}) => {
  const { key, folder, options } = await newBooth(onTestFinished)
  const network = await openNetwork(onTestFinished, url)
  const byNetwork = { ...options, url: network.url }
  const command = startUpload(onTestFinished, [folder], byNetwork)
  await expect.poll(() => command.lines().at(-1)).toMatch(/^Watching/)
  const second = await runUpload(onTestFinished, ['--once', folder], byNetwork)
  expect([second.exitCode, second.lines.at(-1)]).toEqual([1, expect.stringMatching(/Another keepsnap-upload/)])
  // The server has the photo, and its answer is lost.
  network.onUploadAnswered = () => (network.isUp = false)
  await writeFile(join(folder, 'a.jpg'), photoNamed('a of the network'))
  await expect
    .poll(() => command.lines().at(-1))
    .toMatch(/^The server cannot be reached.* Retrying at \d\d:\d\d:\d\d\.$/)
  expect(await namesOf(key)).toEqual(['a.jpg'])
  network.onUploadAnswered = () => {}
  network.isUp = true
  await expect.poll(() => command.lines().at(-1)).toMatch(/^a\.jpg: http/)
  command.kill('SIGINT')
  expect(await command.ended).toBe(0)
  expect(await namesOf(key)).toEqual(['a.jpg'])
})

test.concurrent('the server offers the command as one file, which the Node of the machine runs without packages', async ({
  expect,
  onTestFinished,
}) => {
  const { key, folder, options } = await newBooth(onTestFinished)
  const download = await fetch(`${url}/keepsnap-upload.mjs`)
  expect(download.headers.get('content-type')).toMatch(/^(text|application)\/javascript/)
  const file = join(await temporaryFolder(onTestFinished), 'keepsnap-upload.mjs')
  await writeFile(file, await download.text())
  const photo = join(folder, 'a.jpg')
  await writeFile(photo, photoNamed('a by another Node'))
  const { exitCode, lines } = await runUpload(onTestFinished, [photo], { ...options, program: [oldNode, file] })
  expect([exitCode, lines.at(-1)]).toEqual([0, '1 uploaded.'])
  expect(await namesOf(key)).toEqual(['a.jpg'])
})

test.concurrent('a file that is too large is refused before it is sent', async ({ expect, onTestFinished }) => {
  const { key } = await newBooth(onTestFinished)
  let read = 0
  const stream = () =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        read += 1
        controller.enqueue(new Uint8Array(1024 * 1024))
      },
    })
  const upload = createClient({ url, apiKey: key }).uploadPhoto({ size: 4 * 1024 ** 3, stream }, { filename: 'a.jpg' })
  await expect(upload).rejects.toMatchObject({ status: 413, code: 'too_large' })
  expect(read).toBeLessThan(100)
})

/** 50 where the record run has 1,000 of other kills: each takes seconds, because files have to settle. */
const kills = Math.ceil(Number(process.env['KEEPSNAP_CYCLES'] ?? 20) / 20)

test.concurrent(
  `killed ${kills} times while its folder fills, it uploads every file once and in order`,
  async ({ expect, onTestFinished }) => {
    const { user, folder, options } = await newBooth(onTestFinished)
    const network = await openNetwork(onTestFinished, url)
    const random = seededRandom('booth')
    const names: string[] = []
    const addPhoto = async (): Promise<void> => {
      const name = `IMG_${String(names.length).padStart(4, '0')}.jpg`
      names.push(name)
      const content = photoNamed(name)
      await writeFile(join(folder, name), content.subarray(0, content.length / 2))
      await writeFile(join(folder, name), content.subarray(content.length / 2), { flag: 'a' })
    }
    const start = (): UploadCommand => startUpload(onTestFinished, [folder], { ...options, url: network.url })

    for (let cycle = 0; cycle < kills; cycle++) {
      const command = start()
      for (let added = 0; added <= random.integerBelow(3); added++) await addPhoto()
      await killDuringUpload(command, network, moments[cycle % moments.length])
    }
    const last = start()
    const isDone = (): boolean => last.lines().some((line) => line.startsWith(`${names.at(-1)}: http`))
    await expect.poll(isDone, { timeout: promisedMs(40_000 + kills * 1_000), interval: 250 }).toBe(true)
    last.kill('SIGTERM')
    expect(await last.ended).toBe(0)
    const { rows } = await server.app.deps.pool.query<{ filename: string }>(
      'select filename from photos where user_id = $1 order by created_at',
      [user.id],
    )
    logWithSeed(`booth: ${kills} kills, ${names.length} photos, none lost, none twice`)
    expect(rows.map(({ filename }) => filename)).toEqual(names)
  },
  promisedMs(60_000 + kills * 15_000),
)

/** When the command is killed: the server has the photo and nobody knows, the photo is on its way, and the photo is remembered. */
const moments = ['onUploadAnswered', 'onUpload', 'later'] as const

async function killDuringUpload(
  command: UploadCommand,
  network: Network,
  moment: (typeof moments)[number] | undefined,
) {
  const kill = (): void => command.kill('SIGKILL')
  if (moment === 'onUpload' || moment === 'onUploadAnswered') network[moment] = kill
  else void command.printed(/ IMG_\d+\.jpg: http/).then(kill)
  expect(await command.ended).toBeNull()
  Object.assign(network, { onUpload: () => {}, onUploadAnswered: () => {} })
}
