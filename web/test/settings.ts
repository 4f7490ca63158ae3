import type { User } from '@keepsnap/contract/accounts.ts'
import { watermarkPreview, watermarkRun, type WatermarkRun } from '@keepsnap/contract/branding.ts'
import { exportState, type Archive } from '@keepsnap/contract/privacy.ts'
import { listSessions, type Session } from '@keepsnap/contract/security.ts'
import { updateSettings } from '@keepsnap/contract/settings.ts'
import { refuse, type FakeServer } from './fakeServer.ts'

export const sampleRun: WatermarkRun = {
  state: 'idle',
  what: null,
  total: 0,
  done: 0,
  failed: 0,
  started_at: null,
  finished_at: null,
  undoable: 0,
  applicable: 0,
}
export const noArchive: Archive = {
  state: 'none',
  requested_at: null,
  ready_at: null,
  expires_at: null,
  size_bytes: null,
}
const used = '2026-11-14T20:00:00.000Z'
export const sampleSessions: Session[] = [
  { id: 's1', user_agent: 'Firefox/143.0 (X11; Linux)', created_at: used, last_used_at: used, current: true },
  { id: 's2', user_agent: 'Safari/604.1 (iPhone)', created_at: used, last_used_at: used, current: false },
]

/** Everything that the settings page asks for, and a settings call that remembers; hands out what was sent to it. */
export function serveSettings(server: FakeServer): { saved: Partial<User>[] } {
  const saved: Partial<User>[] = []
  server.answer(updateSettings, ({ body, user }) => {
    saved.push(body)
    return Object.assign(user!, body)
  })
  server.answer(listSessions, () => ({ sessions: sampleSessions }))
  server.answer(exportState, () => noArchive)
  server.answer(watermarkRun, () => sampleRun)
  server.answer(watermarkPreview, () => refuse(404, 'Not found', 'not_found'))
  return { saved }
}

export const brand = { logo_url: 'http://photos.example/b/logo', background_image_url: 'http://photos.example/b/back' }
