import { test } from 'vitest'
import type { Event } from '@keepsnap/contract/events.ts'
import { useServer } from '../../test/harness.ts'
import { eventActions } from '../../test/event-guests.ts'
import { addPhotos, makeUser } from '../../test/test-data.ts'
const server = useServer()
const { createEvent } = eventActions(() => server)
test('measure', async () => {
  const owner = await makeUser(server)
  const event: Event = await createEvent(owner, { gallery: 'link', starts_on: '2026-11-14' })
  const ids = await addPhotos(server, owner, { count: 5000 })
  const pool = server.app.deps.pool
  await pool.query(`update photos set event_id = $2, thumb_key = 'thumb/' || id, created_at = '2026-11-14T18:00Z'::timestamptz + random() * interval '6 hours', captured_at = '2026-11-14T17:00Z'::timestamptz + random() * interval '7 hours' where id = any($1)`, [ids, event.id])
  await pool.query('vacuum analyze photos')
  const path = new URL(event.url).pathname
  for (const q of ['', '?order=taken', '/photos', '/photos?order=taken']) {
    const times: number[] = []
    for (let n = 0; n < 6; n++) {
      server.app.deps.mediaCache.invalidateUser(owner.id)
      await new Promise((r) => setTimeout(r, 1100))
      const c = process.cpuUsage(); const t = performance.now()
      await server.request({ method: 'GET', url: path + q })
      const u = process.cpuUsage(c)
      times.push(Math.round((u.user + u.system) / 100) / 10, Math.round((performance.now() - t) * 10) / 10)
    }
    console.log('MEASURE', q || 'page', 'cpu/wall', times.join(' '))
  }
}, 120_000)
