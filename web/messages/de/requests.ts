import type { requests as english } from '../en/requests.ts'

export const requests: typeof english = {
  title: 'Fotoanfragen',
  heading: 'Fotoanfragen',
  summary: {
    all: (count: number, written: string) => (count === 1 ? '1 Anfrage' : `${written} Anfragen`),
    sent: (written: string) => `${written} gesendet`,
    failed: (written: string) => `${written} fehlgeschlagen`,
    pending: (written: string) => `${written} ausstehend`,
    list: (parts: string[]) => parts.join(', '),
  },
  refresh: 'Neu laden',
  export: 'CSV exportieren',
  columns: { requester: 'Von', photo: 'Foto', requested: 'Angefragt', state: 'Status', action: 'Aktion' },
  states: { queued: 'In Arbeit', sent: 'Gesendet', failed: 'Fehlgeschlagen', waiting: 'Wartet' },
  nextAttempt: (when: string) => `Nächster Versuch: ${when}`,
  scheduledFor: (when: string) => `Geplant für ${when}`,
  inGallery: 'in der Galerie',
  view: 'Foto ansehen',
  resend: 'Erneut senden',
  resendTo: (address: string) => `Erneut an ${address} senden`,
  more: 'Mehr anzeigen',
  empty: 'Noch keine Anfragen. Sie erscheinen hier, sobald ein Gast ein Foto anfordert.',
  askForEmail: 'Nach E-Mail-Adresse fragen',
  filename: (day: string) => `fotoanfragen-${day}.csv`,
  errors: {
    load: 'Die Fotoanfragen konnten nicht geladen werden. Bitte versuch es noch einmal.',
    more: 'Weitere Fotoanfragen konnten nicht geladen werden. Bitte versuch es noch einmal.',
    resend: 'Die E-Mail konnte nicht erneut gesendet werden. Bitte versuch es noch einmal.',
    export: 'Die Fotoanfragen konnten nicht exportiert werden. Bitte versuch es noch einmal.',
  },
}
