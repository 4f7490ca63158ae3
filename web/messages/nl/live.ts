import type { live as english } from '../en/live.ts'

/** State of the live channel, shown to admins. */
export const live: typeof english = {
  connected: 'WS: verbonden',
  disconnected: 'WS: niet verbonden',
  statuses: {
    disconnected: 'Niet verbonden',
    connecting: 'Maakt verbinding',
    connected: 'Verbonden',
    error: 'Fout',
    reconnecting: 'Verbindt opnieuw',
    failed: 'Mislukt na vijf pogingen',
  },
}
