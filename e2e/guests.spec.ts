import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { startMailServer, type MailServer } from '@keepsnap/server/test/smtp-server.ts'
import { startTestServer, type DedicatedServer } from './test-server.ts'
import { submitPhotoRequest, expectSameBytes, expectSamePicture, waitForEmailTo, openPhone } from './guest-phone.ts'
import { cameraPhoto } from './pictures.ts'
import { startProgram, type Program } from './program.ts'
import type { Visitor } from './visitor.ts'

const cleanups: (() => void | Promise<void>)[] = []
let server: DedicatedServer
let mail: MailServer
let worker: Program | undefined
let owner: Visitor
let file: Buffer
let photo: Photo
let code: string
beforeAll(async () => {
  mail = await startMailServer((work) => void cleanups.push(work))
  const env = { SMTP_URL: `smtp://127.0.0.1:${mail.port}`, MAIL_FROM: 'photos@booth.example' }
  // Without a worker a photo is being processed for as long as the story needs it.
  const command = ['serve', '--no-work']
  ;[server, file] = await Promise.all([startTestServer({ command, env }), cameraPhoto('table-1200', 1200)])
  owner = await server.newUser()
  photo = (await owner.upload(Uint8Array.from(file), { name: 'Secret name.jpg' }))!
  code = `${server.address}/d/${photo.qr_code_url.split('/').at(-1)!}`
})
afterAll(async () => {
  await worker?.stop()
  await server.close()
  for (const clean of cleanups) await clean()
})

test('guests who come while the photo is processed see it appear by itself, and their emails go when it is there', async () => {
  const scanning = await openPhone(server)
  expect(await scanning.scan(code)).toBeUndefined()
  await scanning.page.getByText('It will appear here automatically.').waitFor()
  const asking = await openPhone(server)
  await asking.scan(`/request-photo/${photo.id}`)
  await asking.page.getByText('It will appear here automatically.').waitFor()
  await submitPhotoRequest(asking.page, 'early@example.com')
  await asking.page.getByText('We’ll send it as soon as the photo is ready.').waitFor()
  const old = await openPhone(server, { javaScriptEnabled: false })
  await old.scan(code)
  await old.page.getByText('Still processing.').waitFor()

  worker = await startProgram({ dataDir: server.dataDir, port: server.port, command: ['work'], env: server.env })
  const button = scanning.page.getByRole('link', { name: 'Download' })
  await button.waitFor()
  await scanning.page.getByRole('img', { name: 'Your photo' }).waitFor()
  await expectSamePicture(await scanning.save(() => button.tap()), file)
  await asking.page.getByRole('img', { name: 'Your photo' }).waitFor()
  const { link, attachments } = await waitForEmailTo(mail, 'early@example.com')
  await expectSameBytes(attachments[0]!, file)
  await asking.page.goto(link)
  const saved = await asking.save(() => asking.page.getByRole('link', { name: 'Download' }).tap())
  await expectSameBytes(await buffer(await saved.createReadStream()), file)
  // Without JavaScript, the page looks again by itself until the photo is there.
  const oldDownload = old.page.getByRole('link', { name: 'Download', exact: true })
  await oldDownload.waitFor()
  await expectSamePicture(await old.save(() => oldDownload.tap()), file)
  for (const { page, tracks } of [scanning, asking, old]) {
    expect(await tracks()).toEqual([])
    await page.context().close()
  }
  expect(server.pageErrors).toEqual([])
})

test('the file can be asked for without its bytes, and in parts, as phones do', async () => {
  const whole = Buffer.from(await (await fetch(code)).arrayBuffer())
  const head = await fetch(code, { method: 'HEAD' })
  expect([head.status, Number(head.headers.get('content-length'))]).toEqual([200, whole.length])
  expect(head.headers.get('content-disposition')).toMatch(/^attachment/)
  const part = await fetch(code, { headers: { range: 'bytes=100-199' } })
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 100-199/${whole.length}`])
  expect(Buffer.from(await part.arrayBuffer()).equals(whole.subarray(100, 200))).toBe(true)
  const beyond = await fetch(code, { headers: { range: `bytes=${whole.length}-` } })
  expect(beyond.status).toBe(416)
  const again = await fetch(code, { headers: { 'if-none-match': head.headers.get('etag') ?? '' } })
  expect(again.status).toBe(304)
})
