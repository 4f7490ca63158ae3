import type { requests as english } from '../en/requests.ts'

/** Photos that guests requested by email. */
export const requests: typeof english = {
  title: 'Fotoaanvragen',
  heading: 'Fotoaanvragen',
  summary: {
    all: (count, written) => (count === 1 ? '1 aanvraag' : `${written} aanvragen`),
    sent: (written) => `${written} verstuurd`,
    failed: (written) => `${written} mislukt`,
    pending: (written) => `${written} in de wachtrij`,
    list: (parts) => parts.join(', '),
  },
  refresh: 'Vernieuwen',
  export: 'CSV exporteren',
  columns: { requester: 'Aanvrager', photo: 'Foto', requested: 'Aangevraagd', state: 'Status', action: 'Actie' },
  states: { queued: 'In de wachtrij', sent: 'Verstuurd', failed: 'Mislukt', waiting: 'Wacht nog' },
  nextAttempt: (when) => `Volgende poging: ${when}`,
  scheduledFor: (when) => `Gepland voor ${when}`,
  inGallery: 'in de galerij',
  view: 'Foto bekijken',
  resend: 'Opnieuw sturen',
  resendTo: (address) => `Opnieuw sturen naar ${address}`,
  more: 'Meer tonen',
  empty: 'Nog geen aanvragen. Ze verschijnen hier zodra een gast een foto aanvraagt.',
  askForEmail: 'E-mailadres vragen',
  filename: (day) => `fotoaanvragen-${day}.csv`,
  errors: {
    load: 'De fotoaanvragen laden is niet gelukt. Probeer het opnieuw.',
    more: 'Meer fotoaanvragen laden is niet gelukt. Probeer het opnieuw.',
    resend: 'De e-mail opnieuw sturen is niet gelukt. Probeer het opnieuw.',
    export: 'De fotoaanvragen exporteren is niet gelukt. Probeer het opnieuw.',
  },
}
