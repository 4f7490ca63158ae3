import type { User } from '@keepsnap/contract/accounts.ts'
import { deleteBackground, deleteLogo, uploadBackground, uploadLogo } from '@keepsnap/contract/branding.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { noResponse, refuse, useFakeServer } from '../../test/fake-server.ts'
import { openPart, serveSettings, withImages } from '../../test/render.tsx'
import { Appearance } from './Appearance.tsx'

const server = useFakeServer(serveSettings)

const open = (fields: Partial<User> = {}) =>
  openPart(server, ({ user, plan }) => plan && <Appearance user={user} plan={plan} />, {
    subscription_tier: 'pro',
    ...fields,
  })
const focused = () => document.activeElement as HTMLElement // only elements of the page have the focus here
const group = (name: string) => within(screen.getByRole('group', { name }))
const file = new File(['GIF89a'], 'fotohuis.png', { type: 'image/png' })
const chooser = (name: string) => group(name).getByLabelText(`Choose file for the ${name.toLowerCase()}`)

describe('the appearance section', () => {
  test('is an upgrade prompt for the free plan', async () => {
    const { part } = await open({ subscription_tier: 'free' })
    expect(part.getByText('Put your brand on every photo')).toBeVisible()
    expect(part.getByRole('link')).toHaveAttribute('href', '/#pricing')
    expect(screen.queryByRole('group', { name: 'Logo' })).toBeNull()
  })

  test.each([
    ['Logo', 'logo', uploadLogo, 'Logo uploaded successfully', 'logo_url'],
    ['Background', 'background', uploadBackground, 'Background image uploaded successfully', 'background_image_url'],
  ] as const)(
    'previews a chosen %s, uploads it with a button that is disabled before, and then offers to replace it',
    async (name, word, endpoint, sentence, field) => {
      const sent: Buffer[] = []
      const response = Promise.withResolvers<void>()
      const url = 'http://photos.example/b/new'
      server.answer(endpoint, async ({ raw, user }) => {
        sent.push(raw)
        await response.promise
        Object.assign(user!, { [field]: url })
        return { url, [field]: url } as { url: string; logo_url: string; background_image_url: string } // has both names
      })
      const { person } = await open()
      const button = group(name).getByRole('button', { name: `Upload ${word}` })
      expect(button).toBeDisabled()
      await person.upload(chooser(name), file)
      expect(group(name).getByText('fotohuis.png')).toBeVisible()
      expect(group(name).getByRole('img')).toHaveAttribute('src', expect.stringMatching(/^blob:/))
      expect(button).toBeEnabled()
      expect(sent).toEqual([])
      await person.click(button)
      expect(button).toHaveAttribute('aria-busy', 'true')
      await person.click(button)
      response.resolve()
      expect(await screen.findByText(sentence)).toBeVisible()
      expect(sent).toHaveLength(1)
      expect(sent[0]?.toString()).toContain('name="file"; filename="fotohuis.png"')
      expect(group(name).getByRole('button', { name: `Replace ${word}` })).toBeDisabled()
      expect(group(name).queryByText('fotohuis.png')).toBeNull()
      expect(chooser(name)).toHaveFocus()
      expect(group(name).getByRole('img')).toHaveAttribute('src', `${server.origin}/b/new`)
      expect(group(name).getByRole('button', { name: `Delete ${word}` })).toBeEnabled()
    },
  )

  test.each([
    ['Logo', 'logo', uploadLogo, refuse(415, 'This is not an image.'), 'This is not an image.'],
    ['Background', 'background', uploadBackground, noResponse, 'Failed to upload background image'],
  ] as const)(
    'shows why a %s was not uploaded, and keeps the chosen file for another attempt',
    async (name, word, endpoint, answer, sentence) => {
      server.answer(endpoint, () => answer)
      const { person } = await open(withImages)
      await person.upload(chooser(name), file)
      const button = group(name).getByRole('button', { name: `Replace ${word}` })
      await person.click(button)
      expect(await screen.findByText(sentence)).toBeVisible()
      expect(group(name).getByText('fotohuis.png')).toBeVisible()
      expect(button).toBeEnabled()
      expect(button).toHaveFocus()
      await person.click(group(name).getByRole('button', { name: 'Cancel' }))
      expect(group(name).getByRole('img')).toHaveAttribute('src', expect.stringContaining('/b/'))
      expect(button).toBeDisabled()
      expect(chooser(name)).toHaveFocus()
    },
  )

  test('replaces a chosen file with the next one, but ignores one that is chosen during an upload', async () => {
    const response = Promise.withResolvers<void>()
    server.answer(uploadLogo, async () => {
      await response.promise
      return refuse(500, undefined)
    })
    const { person } = await open()
    await person.upload(chooser('Logo'), file)
    await person.upload(chooser('Logo'), new File(['<svg/>'], 'other.svg', { type: 'image/svg+xml' }))
    expect(group('Logo').getByText('other.svg')).toBeVisible()
    expect(group('Logo').queryByText('fotohuis.png')).toBeNull()
    await person.click(group('Logo').getByRole('button', { name: 'Upload logo' }))
    fireEvent.change(chooser('Logo'), { target: { files: [new File(['GIF89a'], 'late.png', { type: 'image/png' })] } })
    expect(group('Logo').getByRole('button', { name: 'Cancel' })).toBeDisabled()
    response.resolve()
    expect(await screen.findByText('Failed to upload logo')).toBeVisible()
    expect(group('Logo').getByText('other.svg')).toBeVisible()
  })

  test('offers the formats that it names, and says when the browser cannot show a chosen file', async () => {
    const { person } = await open()
    const background = chooser('Background')
    expect(background).toHaveAccessibleDescription(/^JPG, PNG, GIF, WebP, AVIF, TIFF or HEIC\./)
    for (const name of ['a.jpg', 'b.jpeg', 'c.png', 'd.gif', 'e.webp', 'f.avif', 'g.tif', 'h.tiff', 'i.heic']) {
      await person.upload(background, new File(['?'], name))
      expect(group('Background').getByText(name)).toBeVisible()
    }
    for (const type of ['image/svg+xml', 'image/bmp', 'text/plain'])
      await person.upload(background, new File(['?'], 'refused', { type }))
    expect(group('Background').getByText('i.heic')).toBeVisible()
    fireEvent.error(group('Background').getByRole('img'))
    expect(group('Background').getByText(/no preview of this file/)).toBeVisible()
    expect(group('Background').getByRole('button', { name: 'Upload background' })).toBeEnabled()
  })

  const gone = { partial_success: false, detail: 'Gone.' }
  const missing = { partial_success: true, detail: 'Gone.' }
  test.each([
    ['Logo', 'logo', deleteLogo, gone, 'Logo deleted successfully'],
    ['Logo', 'logo', deleteLogo, missing, 'The file may already be gone from storage'],
    ['Logo', 'logo', deleteLogo, refuse(500, 'bad_file_id: x'), 'The file may already be gone from storage'],
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
