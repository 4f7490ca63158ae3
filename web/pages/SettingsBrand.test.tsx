import type { User } from '@keepsnap/contract/accounts.ts'
import * as brandCalls from '@keepsnap/contract/branding.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hangUp, refuse, startFakeServer, type FakeServer } from '../test/fakeServer.ts'
import { visit } from '../test/render.tsx'
import { brand, sampleRun, serveSettings } from '../test/settings.ts'

const { deleteBackground, deleteLogo, startWatermarkRun, stopWatermarkRun } = brandCalls
const { uploadBackground, uploadLogo, watermarkPreview, watermarkRun } = brandCalls

let server: FakeServer
beforeEach(async () => {
  server = await startFakeServer()
  serveSettings(server)
})
afterEach(() => server.close())

const open = async (facts: Partial<User> = {}) => {
  const { token } = server.addUser({ subscription_tier: 'pro', ...facts })
  const visitor = await visit(server, { at: '/settings', token })
  await screen.findByRole('heading', { level: 1, name: 'Settings' })
  return visitor
}
const focused = () => document.activeElement as HTMLElement // only elements of the page have the focus here
const group = (name: string) => within(screen.getByRole('group', { name }))
const file = new File(['<svg/>'], 'fotohuis.svg', { type: 'image/svg+xml' })

describe('the appearance', () => {
  test('of a free plan is an upgrade prompt that leads to the plans', async () => {
    await open({ subscription_tier: 'free' })
    const look = await screen.findByRole('region', { name: 'Appearance' })
    expect(within(look).getByText('Put your own name on the night')).toBeVisible()
    expect(within(look).getByRole('link')).toHaveAttribute('href', '/#pricing')
    expect(look.querySelector('input')).toBeNull()
  })

  test.each([
    ['Logo', 'logo', uploadLogo, 'Logo uploaded successfully', 'logo_url'],
    ['Background', 'background', uploadBackground, 'Background image uploaded successfully', 'background_image_url'],
  ] as const)('takes a %s once one is chosen', async (name, word, endpoint, sentence, field) => {
    const sent: Buffer[] = []
    const url = 'http://photos.example/b/new'
    server.answer(endpoint, ({ raw, user }) => {
      sent.push(raw)
      Object.assign(user!, { [field]: url })
      return { url, [field]: url } as { url: string; logo_url: string; background_image_url: string } // has both names
    })
    const { person } = await open()
    const upload = group(name).getByRole('button', { name: `Upload ${word}` })
    expect(upload).toBeDisabled()
    await person.upload(group(name).getByLabelText(`Choose a ${word}`), file)
    expect(group(name).getByText('fotohuis.svg')).toBeVisible()
    await person.click(upload)
    expect(await screen.findByText(sentence)).toBeVisible()
    expect(sent[0]?.toString()).toContain('name="file"; filename="fotohuis.svg"')
    expect(upload).toBeDisabled()
    expect(group(name).getByRole('img')).toHaveAttribute('src', `${server.origin}/b/new`)
    expect(group(name).getByRole('button', { name: `Delete ${word}` })).toBeEnabled()
  })

  test.each([
    ['Logo', 'logo', uploadLogo, refuse(415, 'This is not a picture.'), 'This is not a picture.'],
    ['Logo', 'logo', uploadLogo, refuse(500, undefined), 'Failed to upload logo'],
    ['Background', 'background', uploadBackground, hangUp, 'Failed to upload background image'],
  ] as const)('says why a %s cannot be taken, and keeps the choice', async (name, word, endpoint, answer, sentence) => {
    server.answer(endpoint, () => answer)
    const { person } = await open()
    await person.upload(group(name).getByLabelText(`Choose a ${word}`), file)
    const upload = group(name).getByRole('button', { name: `Upload ${word}` })
    await person.click(upload)
    expect(await screen.findByText(sentence)).toBeVisible()
    expect(upload).toBeEnabled()
  })

  test.each([
    ['Logo', 'logo', deleteLogo, { partial_success: false, detail: 'Gone.' }, 'Logo deleted successfully'],
    [
      'Logo',
      'logo',
      deleteLogo,
      { partial_success: true, detail: 'Gone.' },
      'The logo may already be gone from storage',
    ],
    ['Logo', 'logo', deleteLogo, refuse(500, 'bad_file_id: x'), 'The logo may already be gone from storage'],
    ['Logo', 'logo', deleteLogo, refuse(500, undefined), 'Failed to delete logo'],
    ['Background', 'background', deleteBackground, { partial_success: false, detail: '' }, 'Background image deleted'],
    ['Background', 'background', deleteBackground, { partial_success: true, detail: '' }, 'may already be gone'],
    ['Background', 'background', deleteBackground, hangUp, 'Failed to delete background image'],
  ] as const)('asks before it deletes a %s: %s', async (name, word, endpoint, answer, sentence) => {
    server.answer(endpoint, ({ user }) => {
      if (!sentence.startsWith('Failed')) Object.assign(user!, { logo_url: null, background_image_url: null })
      return answer
    })
    const { person } = await open(brand)
    await person.click(group(name).getByRole('button', { name: `Delete ${word}` }))
    const dialog = await screen.findByRole('alertdialog', { name: `Delete ${word}` })
    expect(server.calls.filter((call) => call.startsWith('DELETE'))).toEqual([])
    await person.click(within(dialog).getByRole('button', { name: `Delete ${word}` }))
    expect(await screen.findByText(new RegExp(sentence))).toBeVisible()
    const left = sentence.startsWith('Failed') ? 1 : 0
    await waitFor(() => expect(group(name).queryAllByRole('img')).toHaveLength(left))
    await waitFor(() => expect(screen.getByRole('group', { name })).toContainElement(focused()))
  })

  test('says that a logo is deleted also when the profile tells it sooner than the answer', async () => {
    const late = Promise.withResolvers<void>()
    server.answer(deleteLogo, async ({ user }) => {
      Object.assign(user!, { logo_url: null })
      await late.promise
      return { partial_success: false, detail: '' }
    })
    const { person, state } = await open(brand)
    await person.click(group('Logo').getByRole('button', { name: 'Delete logo' }))
    const dialog = await screen.findByRole('alertdialog', { name: 'Delete logo' })
    await person.click(within(dialog).getByRole('button', { name: 'Delete logo' }))
    await waitFor(() => expect(server.calls.some((call) => call.startsWith('DELETE'))).toBe(true))
    await state.queries.invalidateQueries()
    await waitFor(() => expect(group('Logo').queryByRole('img')).toBeNull())
    late.resolve()
    expect(await screen.findByText('Logo deleted successfully')).toBeVisible()
  })

  test('shows a placeholder for pictures that are broken', async () => {
    await open(brand)
    fireEvent.error(group('Logo').getByRole('img'))
    expect(group('Logo').getByText('This picture cannot be shown')).toBeVisible()
    expect(group('Logo').queryByRole('img')).toBeNull()
    expect(group('Background').getByRole('img')).toBeVisible()
  })
})

describe('the watermark', () => {
  test('without a logo warns, only while it is chosen', async () => {
    const { person } = await open()
    const warning = 'You need to upload a logo to use as a watermark.'
    expect(screen.queryByText(warning, { exact: false })).toBeNull()
    await person.click(await screen.findByRole('checkbox', { name: 'Watermark' }))
    expect(await screen.findByText(warning)).toBeVisible()
    await person.click(screen.getByRole('checkbox', { name: 'Watermark' }))
    await waitFor(() => expect(screen.queryByText(warning)).toBeNull())
  })

  test('on the free plan says that it has no effect', async () => {
    await open({ subscription_tier: 'free', use_logo_as_watermark: true })
    expect(await screen.findByText(/without effect for now/)).toBeVisible()
    expect(screen.getByText(/only with a logo and a Pro plan/)).toBeVisible()
    expect(server.calls.filter((call) => call.includes('/user/watermark'))).toEqual([])
  })

  test('is shown on the newest photo before it is switched on', async () => {
    server.answer(watermarkPreview, () => ({ refuse: 200, text: 'picture', headers: { 'content-type': 'image/jpeg' } }))
    await open(brand)
    expect(await screen.findByRole('img', { name: /newest photo with your logo/ })).toHaveAttribute(
      'src',
      expect.stringMatching(/^blob:/),
    )
    expect(screen.getByRole('checkbox', { name: 'Watermark' })).not.toBeChecked()
  })

  test('says what to do when there is no photo to show it on', async () => {
    await open(brand)
    expect(await screen.findByText(/Upload a photo, and you see here/)).toBeVisible()
  })

  test('is put on existing photos, with progress, and can be stopped', async () => {
    let run = { ...sampleRun, applicable: 12 }
    server.answer(watermarkRun, () => run)
    server.answer(startWatermarkRun, ({ body }) => {
      run = { ...run, state: 'running', what: body.what, total: 12, done: 3 }
      return run
    })
    server.answer(stopWatermarkRun, () => {
      run = { ...run, state: 'stopping' }
      return run
    })
    const { person } = await open(brand)
    expect(await screen.findByText('12 photos do not carry your logo.')).toBeVisible()
    await person.click(screen.getByRole('button', { name: 'Put it on existing photos' }))
    const bar = await screen.findByRole('progressbar', { name: 'Putting your logo on your photos' })
    expect(bar).toHaveAttribute('value', '3')
    expect(screen.getByRole('region', { name: 'Photos you have already' })).toHaveFocus()
    expect(screen.getByText(/3 of 12/)).toBeVisible()
    run = { ...run, done: 7 }
    await waitFor(() => expect(bar).toHaveAttribute('value', '7'), { timeout: 4_000 })
    await person.click(screen.getByRole('button', { name: 'Stop' }))
    expect(await screen.findByText(/Stopping after/)).toBeVisible()
    run = { ...run, state: 'stopped', done: 8, applicable: 4, undoable: 8 }
    expect(await screen.findByText('Stopped after 8 of 12 photos.')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Take it off again' })).toBeEnabled()
  })

  test.each([
    ['holds its place until it is known what there is to do', brand, true],
    ['of an account without a logo takes no place before it is known', {}, false],
  ])('on existing photos %s', async (_, facts, held) => {
    const { promise: known, resolve: tell } = Promise.withResolvers<typeof sampleRun>()
    server.answer(watermarkRun, () => known)
    await open(facts)
    await screen.findByRole('checkbox', { name: 'Watermark' })
    expect(screen.queryByRole('region', { name: 'Photos you have already' }) !== null).toBe(held)
    tell({ ...sampleRun, applicable: 1, undoable: held ? 0 : 1 })
    expect(await screen.findByText(held ? /1 photo does not/ : /1 photo carries it/)).toBeVisible()
  })

  test('on existing photos that cannot be asked about takes no place', async () => {
    server.answer(watermarkRun, () => refuse(403, 'No.'))
    await open(brand)
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Photos you have already' })).toBeNull())
    expect(screen.getByRole('checkbox', { name: 'Watermark' })).toBeEnabled()
  })

  test('is taken off again, also when the logo is gone', async () => {
    const run = { ...sampleRun, state: 'done', what: 'apply', total: 2, done: 1, failed: 1, undoable: 1 } as const
    const asked: string[] = []
    server.answer(watermarkRun, () => run)
    server.answer(startWatermarkRun, ({ body }) => {
      asked.push(body.what)
      return { ...run, state: 'running' as const, what: body.what }
    })
    const { person } = await open()
    expect(await screen.findByText('1 photo could not be changed and stays as it was.')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Put it on existing photos' })).toBeNull()
    await person.click(screen.getByRole('button', { name: 'Take it off again' }))
    expect(await screen.findByRole('progressbar', { name: 'Taking your logo off your photos' })).toBeVisible()
    expect(asked).toEqual(['undo'])
  })

  test('says why it cannot be put on', async () => {
    server.answer(watermarkRun, () => ({ ...sampleRun, applicable: 1 }))
    server.answer(startWatermarkRun, () => refuse(409, 'It is being put on already.'))
    const { person } = await open(brand)
    await person.click(await screen.findByRole('button', { name: 'Put it on existing photos' }))
    expect(await screen.findByText('It is being put on already.')).toBeVisible()
  })
})
