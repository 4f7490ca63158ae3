import { readFile } from 'node:fs/promises'
import { afterEach, expect, test } from 'vitest'
import { expectSamePicture, openPhone, waitForEmail } from './guest-phone.ts'
import { codePolling, codesOn, sampleJpeg } from './pictures.ts'
import { useSharedServer } from './use-shared-server.ts'

const server = useSharedServer()
afterEach(() => {
  if (server.pageErrors.length > 0) throw new Error(server.pageErrors.join('\n'))
})

test('a wedding: from a name to the screen, the guests’ photos, and the couple’s link to everything', async () => {
  const owner = await server.newUser()
  const host = await server.newPage({ visitor: owner })
  await host.goto('/events')
  await host.getByRole('button', { name: 'Make your first event' }).click()
  await host.getByLabel('Name').fill('Lotte & Bram')
  await host.getByRole('button', { name: 'Create event' }).click()
  await host.getByRole('button', { name: 'New photos go here' }).click()
  await host.getByText('New photos go to this event, and Latest shows it.').waitFor()
  await host.getByRole('radio', { name: 'With the code or link' }).check()
  await host.getByLabel('Code on Latest').check()
  await host.getByRole('radio', { name: 'I look first' }).check()
  await host.getByLabel('Pause').waitFor()

  // The screen leads a guest's phone to the gallery, where one photo is saved.
  const pictures = await Promise.all(['dance-1200', 'balloons-900'].map((name) => sampleJpeg(name, 600)))
  const [hosts, guests] = pictures as [Buffer, Buffer] // as many
  await owner.addPhoto(hosts)
  const screen = await server.newPage({ visitor: owner })
  await screen.goto('/latest')
  const shown = screen.locator('.latest__image > img')
  await shown.waitFor()
  const isOfEvent = (code: string): boolean => code.includes('/e/')
  await expect.poll(async () => (await codesOn(screen)).filter(isOfEvent), codePolling).toHaveLength(1)
  const [code = ''] = (await codesOn(screen)).filter(isOfEvent)
  const phone = await openPhone(server)
  const { page } = phone
  await phone.scan(code)
  await page.locator('.gallery img').tap()
  const download = page.getByRole('link', { name: 'Download', exact: true })
  await expectSamePicture(await phone.save(() => download.tap()), hosts)
  await page.getByRole('link', { name: 'All photos of tonight' }).tap()

  // The guest adds a photo; the host sees who did, and approves it.
  const first = await shown.getAttribute('src')
  await page.getByRole('link', { name: 'Add photos' }).tap()
  await page.getByLabel('Your name').fill('Aunt Ann')
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose photos' }).tap()
  await (await chooser).setFiles([{ name: 'IMG_1.jpg', mimeType: 'image/jpeg', buffer: guests }])
  await page.getByText('With the hosts').waitFor()
  const eventPage = host.url()
  await host.getByRole('link', { name: /^Review/ }).click()
  await host.getByText('From Aunt Ann').waitFor()
  expect(await shown.getAttribute('src')).toBe(first)
  await host.keyboard.press('a')
  await expect.poll(() => shown.last().getAttribute('src')).not.toBe(first)
  await page.getByText('Shown', { exact: true }).waitFor()

  // Both photos leave the event by mistake, and come back.
  await host.goto('/gallery')
  await host.getByRole('button', { name: 'Select', exact: true }).click()
  const photos = host.getByRole('button', { name: /^Select \S+\.jpg/ })
  for (const photo of [photos.first(), photos.last()]) await photo.click()
  await host.getByRole('button', { name: 'Move to event…' }).click()
  await host.getByLabel('To', { exact: true }).selectOption('No event')
  await host.getByRole('button', { name: 'Move', exact: true }).click()
  await host.getByText('2 photos moved out of the event.').waitFor()
  await expect.poll(() => photos.count()).toBe(0)
  await host.getByRole('button', { name: 'Undo' }).click()
  await host.getByText('2 photos moved back.').waitFor()

  // The couple has no account.
  await host.goto(eventPage)
  await host.getByRole('button', { name: 'Send the link' }).click()
  const dialog = host.getByRole('dialog')
  const address = `couple-${owner.email}`
  await dialog.getByLabel('Their email address').fill(address)
  await dialog.getByRole('button', { name: 'Send the link' }).click()
  const { text = '' } = await waitForEmail(server, address, /^All photos of Lotte & Bram$/)
  const couple = await openPhone(server)
  await couple.scan(/https?:\S+\/a\/[\w-]+/.exec(text)?.[0] ?? '')
  await couple.page.getByText(/^2 photos, /).waitFor()
  const everything = couple.page.getByRole('link', { name: 'Download everything' })
  const file = await couple.save(() => everything.tap())
  const archive = await readFile(await file.path())
  expect(file.suggestedFilename()).toMatch(/Lotte.*\.zip$/)
  // Each file has an entry in the directory.
  expect(archive.toString('latin1').split('PK\u0001\u0002')).toHaveLength(3)
  expect(await couple.tracks()).toEqual([])
})
