import { archiveInPreparation, archivePhotos, listPhotos } from '@keepsnap/contract/photos.ts'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { refuse, useFakeServer } from '../../test/fake-server.ts'
import { samplePhoto } from '../../test/samples.ts'
import { visit } from '../../test/render.tsx'

const server = useFakeServer()
let downloads: string[] = []
beforeEach(() => {
  downloads = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    downloads.push(this.href)
  })
})

async function openGallery() {
  server.answer(listPhotos, () => [samplePhoto(3), samplePhoto(2), samplePhoto(1)])
  return visit(server, { at: '/gallery', token: server.addUser().token })
}

test('several selected photos are one ZIP file, whose size is told; one is itself; a refusal says why', async () => {
  const { person } = await openGallery()
  const bodies: unknown[] = []
  server.answer(archivePhotos, ({ body }) => {
    bodies.push(body)
    return { refuse: 201, body: { url: 'https://photos.example/archive/abc', size_bytes: 3 * 1024 ** 3 } }
  })
  const press = async (name: string | RegExp) => person.click(await screen.findByRole('button', { name }))
  await press('Select')
  await press(/^Select IMG_4003/)
  await press('Download')
  expect([downloads, bodies]).toEqual([[`${server.origin}/media/photo3?s=signed&download=1`], []])
  await press(/^Select IMG_4001/)
  await press('Download')
  expect(await screen.findByText('Your download has started: one ZIP file of 3 GB.')).toBeVisible()
  expect(bodies).toEqual([{ ids: ['photo3', 'photo1'] }])
  expect(downloads.slice(1)).toEqual(['https://photos.example/archive/abc'])
  server.answer(archivePhotos, () => refuse(404, 'One of these photos no longer exists. Please select them again.'))
  await press('Download')
  expect(await screen.findByText(/^One of these photos no longer exists/)).toBeVisible()
  expect(downloads).toHaveLength(2)
})

test('an evening is downloaded when its photos are prepared, and the page says so meanwhile', async () => {
  const { person } = await openGallery()
  const bodies: unknown[] = []
  server.answer(archivePhotos, ({ body }) => {
    bodies.push(body)
    return bodies.length === 1
      ? { ...refuse(503, archiveInPreparation, 'unavailable'), headers: { 'retry-after': '0' } }
      : { refuse: 201, body: { url: 'https://photos.example/archive/abc', size_bytes: 1024 } }
  })
  const button = await screen.findByRole('button', { name: /^Download photos: / })
  await person.click(button)
  expect(await screen.findByText(/^The photos are being prepared/)).toBeVisible()
  expect(await screen.findByText('Your download has started: one ZIP file of 1 KB.')).toBeVisible()
  expect(downloads).toEqual(['https://photos.example/archive/abc'])
  expect(bodies).toEqual(Array.from({ length: 2 }, () => ({ on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) })))
  await waitFor(() => expect(button).not.toHaveAttribute('aria-busy'))
})
