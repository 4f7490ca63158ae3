import type { states as english } from '../en/states.ts'

export const states: typeof english = {
  loading: 'Wird geladen …',
  saving: 'Speichert …',
  profileFailed: 'Deine Profildaten konnten nicht geladen werden.',
  tryAgain: 'Erneut versuchen',
  cancel: 'Abbrechen',
  close: 'Schließen',
  showPassword: 'Passwort anzeigen',
  hidePassword: 'Passwort verbergen',
  pageError: {
    heading: 'Da ist etwas schiefgegangen',
    lead: 'Diese Seite funktioniert gerade nicht. Deine Fotos sind sicher. Meist hilft es, die Seite neu zu laden.',
    reloads: 'Diese Seite funktioniert nicht mehr. Deine Fotos sind sicher. Die Seite lädt gleich von selbst neu.',
    reload: 'Seite neu laden',
  },
  tooManyRequests: (seconds: number) =>
    `Das waren zu viele Anfragen. Bitte warte ${seconds} ${seconds === 1 ? 'Sekunde' : 'Sekunden'} und versuch es dann noch einmal.`,
  unreachable: {
    heading: 'Der Server ist nicht erreichbar',
    lead: 'Prüfe die Verbindung dieses Geräts. Du bist weiterhin angemeldet, und diese Seite versucht es von selbst wieder.',
    retries: 'Prüfe die Verbindung dieses Geräts. Diese Seite versucht es von selbst wieder.',
  },
}
