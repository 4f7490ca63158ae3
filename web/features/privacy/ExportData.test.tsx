import { exportState, requestExport, type Archive } from '@keepsnap/contract/privacy.ts'
import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { refuse, startFakeServer, type FakeServer } from '../../test/fake-server.ts'
import { noArchive, openSettings, serveSettings } from '../../test/settings-page.ts'

let server: FakeServer
beforeEach(async () => {
  server = await startFakeServer()
  serveSettings(server)
})
afterEach(() => server.close())

describe('the data export', () => {
  test('is requested, polled while it is being prepared, and shown as ready', async () => {
    // Without the interval of `waitFor`, which then checks after each change of the document.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    let archive: Archive = noArchive
    server.answer(exportState, () => archive)
    server.answer(requestExport, () => {
      archive = { ...noArchive, state: 'queued', requested_at: '2026-11-14T20:00:00.000Z' }
      return archive
    })
    const { person } = await openSettings(server)
    await person.click(await screen.findByRole('button', { name: 'Export my data' }))
    expect(await screen.findByText(/We’ll email the link to marjolein@example.com/)).toBeVisible()
    archive = { ...archive, state: 'ready', expires_at: '2026-11-21T20:00:00.000Z', size_bytes: 3 * 1024 ** 2 }
    act(() => void vi.advanceTimersByTime(4_000))
    expect(await screen.findByText(/Your file of 3 MB is ready/)).toBeVisible()
    expect(screen.getByRole('button', { name: 'Create a new file' })).toBeEnabled()
  })

  test('can be requested again after a failure', async () => {
    server.answer(exportState, () => ({ ...noArchive, state: 'failed' as const }))
    server.answer(requestExport, () => refuse(429, 'One file a day.'))
    const { person } = await openSettings(server)
    expect(await screen.findByText('The file couldn’t be created. Please try again.')).toBeVisible()
    await person.click(screen.getByRole('button', { name: 'Export my data' }))
    expect(await screen.findByText('One file a day.')).toBeVisible()
  })
})
