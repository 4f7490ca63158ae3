import type { live as english } from '../en/live.ts'

/** State of the live channel, shown to admins. */
export const live: typeof english = {
  connected: 'WS : connecté',
  disconnected: 'WS : déconnecté',
  statuses: {
    disconnected: 'Déconnecté',
    connecting: 'Connexion…',
    connected: 'Connecté',
    error: 'Erreur',
    reconnecting: 'Reconnexion…',
    failed: 'Échec après cinq tentatives',
  },
}
