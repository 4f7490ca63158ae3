import type { live as english } from '../en/live.ts'

export const live: typeof english = {
  connected: 'WS: Verbunden',
  disconnected: 'WS: Getrennt',
  statuses: {
    disconnected: 'Getrennt',
    connecting: 'Wird verbunden',
    connected: 'Verbunden',
    error: 'Fehler',
    reconnecting: 'Wird neu verbunden',
    failed: 'Nach fünf Versuchen aufgegeben',
  },
}
