import { beforeEach, describe, expect, test } from 'vitest'
import { screen, waitFor } from '@testing-library/react'
import { liveTicket } from '@keepsnap/contract/live.ts'
import { listPhotos, type Photo, photoChanges } from '@keepsnap/contract/photos.ts'
import { type AppState, createAppState } from './app-state.ts'
import { useFakeServer } from './test/fake-server.ts'
import { samplePhoto } from './test/samples.ts'
import { visit } from './test/render.tsx'

describe('app state', () => {
  const key = ['photos']
  let state: AppState
  beforeEach(() => {
    state = createAppState({ page: window, apiOrigin: 'http://booth.local' })
    state.session.begin('first')
    state.queryClient.setQueryData(key, ['photo'])
  })

  describe('the cached data', () => {
    test('is removed on sign-out', () => {
      state.session.end('signed-out')
      expect(state.queryClient.getQueryData(key)).toBeUndefined()
    })

    test('is removed when another user signs in, as from another tab', () => {
      state.session.begin('second')
      expect(state.queryClient.getQueryData(key)).toBeUndefined()
    })

    test('stays, but is fetched again, when the same user gets another token', () => {
      state.session.renew('first', 'second')
      expect(state.queryClient.getQueryData(key)).toEqual(['photo'])
      expect(state.queryClient.getQueryState(key)?.isInvalidated).toBe(true)
    })
  })
})

const server = useFakeServer()

/** Answers to an endpoint wait until it is opened. */
function createGate() {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}
const nothing = { photos: [], deleted: [], next: '1', reset: false }
const countOf = (call: string) => server.calls.filter((other) => other.startsWith(call)).length

test('a change between the first fetch and the first live connection is shown', async () => {
  const ticket = createGate()
  server.answer(liveTicket, async () => {
    await ticket.opened
    return { ticket: 'ticket' }
  })
  let photos: Photo[] = []
  server.answer(listPhotos, () => [])
  server.answer(photoChanges, () => ({ ...nothing, photos }))
  await visit(server, { at: '/gallery', token: server.addUser().token })
  await screen.findByText('No photos yet. Upload some photos to get started!')
  await waitFor(() => expect(countOf('POST /ws/ticket')).toBe(1))
  photos = [samplePhoto(1)]
  ticket.open()
  expect(await screen.findByRole('link', { name: /IMG_4001/ })).toBeVisible()
})

test('after a change that concerns everything, reports are fetched also on a page that does not show them', async () => {
  const { connected } = await visit(server, { at: '/settings', token: server.addUser().token })
  await connected()
  await waitFor(() => expect(countOf('GET /user/reports')).toBe(1))
  server.push({ action: 'plan_updated', type: 'plan_updated' })
  await waitFor(() => expect(countOf('GET /user/reports')).toBeGreaterThan(1))
})

test('a first fetch that the server answered before the live connection is repeated', async () => {
  const response = createGate()
  let photos: Photo[] = []
  server.answer(listPhotos, async () => {
    await response.opened
    return []
  })
  server.answer(photoChanges, () => ({ ...nothing, photos }))
  const { state } = await visit(server, { at: '/gallery', token: server.addUser().token })
  await waitFor(() => expect(countOf('GET /photos?')).toBe(1))
  photos = [samplePhoto(1)]
  // After the connect, the reports are fetched.
  await waitFor(() => expect(countOf('GET /user/reports')).toBe(1))
  expect(state.queryClient.getQueryData(['photos', 'list', '', 'gallery'])).toBeUndefined()
  response.open()
  expect(await screen.findByRole('link', { name: /IMG_4001/ })).toBeVisible()
})

test('the first live connection reads what has changed, not the photos, and what seldom changes only once', async () => {
  server.answer(listPhotos, () => [samplePhoto(1)])
  await visit(server, { at: '/gallery', token: server.addUser().token })
  await waitFor(() => expect(countOf('GET /photos/changes?since=1')).toBe(1))
  // The reports are fetched at every connect, after what the connect itself has caused.
  await waitFor(() => expect(countOf('GET /user/reports')).toBe(1))
  const photoCalls = ['GET /photos/changes', 'GET /photos?limit=200', 'GET /photos/changes?since=1']
  const others = ['GET /subscriptions/status', 'GET /user/me', 'GET /user/reports', 'POST /ws/ticket']
  expect(server.calls.toSorted()).toEqual([...photoCalls, ...others].toSorted())
})
