import type { User } from '@keepsnap/contract/accounts.ts'
import { deleteBackground, deleteLogo, uploadBackground, uploadLogo } from '@keepsnap/contract/branding.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { noResponse, refuse, startFakeServer, type FakeServer } from '../../test/fake-server.ts'
import { openSettings, serveSettings, withImages } from '../../test/settings-page.ts'

let server: FakeServer
beforeEach(async () => {
  server = await startFakeServer()
  serveSettings(server)
})
afterEach(() => server.close())

const open = (fields: Partial<User> = {}) => openSettings(server, { subscription_tier: 'pro', ...fields })
const focused = () => document.activeElement as HTMLElement // only elements of the page have the focus here
const group = (name: string) => within(screen.getByRole('group', { name }))
const file = new File(['<svg/>'], 'fotohuis.svg', { type: 'image/svg+xml' })

describe('the appearance section', () => {
  test('is an upgrade prompt for the free plan', async () => {
    await openSettings(server)
    const look = await screen.findByRole('region', { name: 'Appearance' })
    expect(within(look).getByText('Put your brand on every photo')).toBeVisible()
    expect(within(look).getByRole('link')).toHaveAttribute('href', '/#pricing')
    expect(look.querySelector('input')).toBeNull()
  })

  test.each([
    ['Logo', 'logo', uploadLogo, 'Logo uploaded successfully', 'logo_url'],
    ['Background', 'background', uploadBackground, 'Background image uploaded successfully', 'background_image_url'],
  ] as const)(
    'uploads a chosen %s at once, and then offers to replace it',
    async (name, word, endpoint, sentence, field) => {
      const sent: Buffer[] = []
      const url = 'http://photos.example/b/new'
      server.answer(endpoint, ({ raw, user }) => {
        sent.push(raw)
        Object.assign(user!, { [field]: url })
        return { url, [field]: url } as { url: string; logo_url: string; background_image_url: string } // has both names
      })
      const { person } = await open()
      await person.upload(group(name).getByLabelText(`Upload ${word}`), file)
      expect(await screen.findByText(sentence)).toBeVisible()
      expect(sent[0]?.toString()).toContain('name="file"; filename="fotohuis.svg"')
      expect(group(name).getByLabelText(`Replace ${word}`)).toBeVisible()
      expect(group(name).getByRole('img')).toHaveAttribute('src', `${server.origin}/b/new`)
      expect(group(name).getByRole('button', { name: `Delete ${word}` })).toBeEnabled()
    },
  )

  test.each([
    ['Logo', 'logo', uploadLogo, refuse(415, 'This is not an image.'), 'This is not an image.'],
    ['Logo', 'logo', uploadLogo, refuse(500, undefined), 'Failed to upload logo'],
    ['Background', 'background', uploadBackground, noResponse, 'Failed to upload background image'],
  ] as const)(
    'shows why a %s was not uploaded, and keeps the one before',
    async (name, word, endpoint, answer, sentence) => {
      server.answer(endpoint, () => answer)
      const { person } = await open(withImages)
      await person.upload(group(name).getByLabelText(`Replace ${word}`), file)
      expect(await screen.findByText(sentence)).toBeVisible()
      expect(group(name).getByRole('img')).toHaveAttribute('src', expect.stringContaining('/b/'))
    },
  )

  test.each([
    ['Logo', 'logo', deleteLogo, { partial_success: false, detail: 'Gone.' }, 'Logo deleted successfully'],
    [
      'Logo',
      'logo',
      deleteLogo,
      { partial_success: true, detail: 'Gone.' },
      'The file may already be gone from storage',
    ],
    ['Logo', 'logo', deleteLogo, refuse(500, 'bad_file_id: x'), 'The file may already be gone from storage'],
    ['Logo', 'logo', deleteLogo, refuse(500, undefined), 'Failed to delete logo'],
    ['Background', 'background', deleteBackground, { partial_success: false, detail: '' }, 'Background image deleted'],
    ['Background', 'background', deleteBackground, { partial_success: true, detail: '' }, 'may already be gone'],
    ['Background', 'background', deleteBackground, noResponse, 'Failed to delete background image'],
  ] as const)('asks before deleting a %s, then shows: %s', async (name, word, endpoint, answer, sentence) => {
    server.answer(endpoint, ({ user }) => {
      if (!sentence.startsWith('Failed')) Object.assign(user!, { logo_url: null, background_image_url: null })
      return answer
    })
    const { person } = await open(withImages)
    await person.click(group(name).getByRole('button', { name: `Delete ${word}` }))
    const dialog = await screen.findByRole('alertdialog', { name: `Delete ${word}` })
    expect(server.calls.filter((call) => call.startsWith('DELETE'))).toEqual([])
    await person.click(within(dialog).getByRole('button', { name: `Delete ${word}` }))
    expect(await screen.findByText(new RegExp(sentence))).toBeVisible()
    const left = sentence.startsWith('Failed') ? 1 : 0
    await waitFor(() => expect(group(name).queryAllByRole('img')).toHaveLength(left))
    await waitFor(() => expect(screen.getByRole('group', { name })).toContainElement(focused()))
  })

  test('confirms the deletion also if the profile is refetched before the response', async () => {
    const [deletion, response] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    server.answer(deleteLogo, async ({ user }) => {
      Object.assign(user!, { logo_url: null })
      deletion.resolve()
      await response.promise
      return { partial_success: false, detail: '' }
    })
    const { person, state } = await open(withImages)
    await person.click(group('Logo').getByRole('button', { name: 'Delete logo' }))
    const dialog = await screen.findByRole('alertdialog', { name: 'Delete logo' })
    await person.click(within(dialog).getByRole('button', { name: 'Delete logo' }))
    await deletion.promise
    await state.queryClient.invalidateQueries()
    await waitFor(() => expect(group('Logo').queryByRole('img')).toBeNull())
    response.resolve()
    expect(await screen.findByText('Logo deleted successfully')).toBeVisible()
  })

  test('shows a placeholder for an image that fails to load', async () => {
    await open(withImages)
    fireEvent.error(group('Logo').getByRole('img'))
    expect(group('Logo').getByText('This image can’t be shown')).toBeVisible()
    expect(group('Logo').queryByRole('img')).toBeNull()
    expect(group('Background').getByRole('img')).toBeVisible()
  })
})
