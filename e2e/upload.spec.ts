import { beforeAll, expect, test } from 'vitest'
import { filePicker } from './browser.ts'
import { sampleJpeg } from './pictures.ts'
import { useSharedServer } from './use-shared-server.ts'

let photo: Buffer
const server = useSharedServer()
beforeAll(async () => {
  photo = await sampleJpeg('table-720', 120)
})

const jpegNamed = (name: string) => ({ name, mimeType: 'image/jpeg', buffer: photo })

test('other pages can be looked at while photos go up, closing the tab asks first, and a failed one is sent again', async () => {
  const page = await server.newPage({ visitor: await server.newUser() })
  await page.goto('/upload')
  const held = Promise.withResolvers<void>()
  await page.route('**/photos/upload*', async (route) => {
    await held.promise
    await route.continue()
  })
  await filePicker(page).setInputFiles([jpegNamed('one.jpg'), jpegNamed('two.jpg')])
  await page.getByText('Keep this tab open until the uploads finish.').waitFor()
  await page.getByRole('link', { name: 'Gallery' }).first().click()
  await page.getByText('No photos yet. Upload some photos to get started!').waitFor()

  const asked = page.waitForEvent('dialog')
  await page.evaluate(() => setTimeout(() => window.location.reload()))
  const question = await asked
  expect(question.type()).toBe('beforeunload')
  await question.dismiss()

  held.resolve()
  await page.getByRole('link', { name: /^one\.jpg, / }).waitFor()
  await page.getByRole('link', { name: /^two\.jpg, / }).waitFor()

  // One file, without a server at first: the same button sends it again.
  await page.getByRole('link', { name: 'Upload', exact: true }).first().click()
  await page.getByRole('button', { name: 'Clear finished' }).click()
  await page.unroute('**/photos/upload*')
  await page.route('**/photos/upload*', (route) => route.abort('connectionrefused'), { times: 1 })
  await filePicker(page).setInputFiles(jpegNamed('again.jpg'))
  await page.getByRole('button', { name: 'Upload Photo' }).click()
  await page.getByText('No response from server. Check your connection.').waitFor()
  await page.getByRole('button', { name: 'Upload Photo' }).click()
  await page.waitForURL('**/latest')
  await page.getByRole('img', { name: /^again\.jpg, / }).waitFor()
  expect(server.pageErrors).toEqual([])
})

test('what the plan has no room for waits, also as an earlier version saved it, survives a reload, and goes up after an upgrade', async () => {
  const visitor = await server.newUser()
  for (let n = 0; n < 9; n++) await visitor.upload(photo, { name: `${n}.jpg` })
  const { id: owner } = (await (await visitor.call('GET', '/user/me')).json()) as { id: string } // what the contract says
  const page = await server.newPage({ visitor, isWithoutPolling: true })
  // A page of the same origin without the app, so that the database is created here and not by today's code.
  await page.goto('/robots.txt')
  await page.evaluate(saveAsEarlierVersion, { owner, bytes: [...photo] })
  await page.goto('/upload')
  await page.getByText('old.jpg').first().waitFor()
  await page.getByText('1 done').waitFor()
  await filePicker(page).setInputFiles([jpegNamed('eleven.jpg'), jpegNamed('twelve.jpg')])
  await page.getByText('2 over your plan’s limit').waitFor()
  await page.getByText('All 10 photos of this month are used.').waitFor()

  const connected = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'))
  await page.reload()
  await page.getByText('2 over your plan’s limit').waitFor()
  await connected
  await server.changeAccount(visitor.email, { granted_plan: 'pro_monthly', granted_until: null })
  await page.getByText('2 done').waitFor()
  expect(server.pageErrors).toEqual([])
})

/** Runs in the page. Browsers hold such a database and such items since the first version. */
function saveAsEarlierVersion({ owner, bytes }: { owner: string; bytes: number[] }): Promise<void> {
  const file = new File([new Uint8Array(bytes)], 'old.jpg', { type: 'image/jpeg' })
  const problem = { kind: 'no-room', what: 'photos', detail: 'A sentence of the earlier version.' }
  const item = { id: 'a'.repeat(32), owner, file, state: { at: 'held', problem, tier: 'free', since: Date.now() } }
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('keepsnap-uploads', 1)
    opening.addEventListener('upgradeneeded', () => {
      opening.result.createObjectStore('held', { keyPath: 'id' }).createIndex('owner', 'owner')
    })
    opening.addEventListener('error', () => reject(opening.error))
    opening.addEventListener('success', () => {
      const transaction = opening.result.transaction('held', 'readwrite')
      transaction.objectStore('held').put(item)
      transaction.addEventListener('complete', () => {
        opening.result.close()
        resolve()
      })
    })
  })
}
