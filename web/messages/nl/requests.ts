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
  search: 'Zoeken op e-mailadres',
  filter: 'Status',
  allStates: 'Alle statussen',
  found: (count, written) => (count === 1 ? '1 aanvraag gevonden' : `${written} aanvragen gevonden`),
  noMatch: 'Geen aanvragen gevonden.',
  showAll: 'Alle aanvragen tonen',
  exportsAll: 'CSV exporteren geeft alle aanvragen, niet alleen de gevonden.',
  removal: (day, count, written) =>
    count === 1
      ? `Op ${day} wordt 1 adres verwijderd. Exporteer het eerst als je het nodig hebt.`
      : `Op ${day} worden ${written} adressen verwijderd. Exporteer ze eerst als je ze nodig hebt.`,
  loadingMore: 'Meer aanvragen laden',
  resendAll: 'Alle mislukte opnieuw sturen',
  resendFailed: {
    title: 'Alle mislukte e-mails opnieuw sturen?',
    question: (count, written) =>
      count === 1
        ? '1 e-mail is mislukt en wordt opnieuw gestuurd.'
        : `${written} e-mails zijn mislukt en worden opnieuw gestuurd.`,
    details:
      'Gasten die zich hebben afgemeld, en foto’s die verborgen zijn of niet verwerkt konden worden, slaan we over. De limieten voor e-mails gelden: sommige gaan later weg.',
    confirm: 'Opnieuw sturen',
    queued: (count, written) =>
      count === 1 ? '1 e-mail wordt opnieuw gestuurd.' : `${written} e-mails worden opnieuw gestuurd.`,
    waiting: (count, written) =>
      count === 1
        ? '1 e-mail wordt later gestuurd vanwege een limiet.'
        : `${written} e-mails worden later gestuurd vanwege een limiet.`,
    refused: (count, written) =>
      count === 1
        ? '1 e-mail kan niet opnieuw worden gestuurd.'
        : `${written} e-mails kunnen niet opnieuw worden gestuurd.`,
    left: (count, written) =>
      count === 1
        ? 'Er is nog 1 mislukte e-mail. Stuur die hierna.'
        : `Er zijn nog ${written} mislukte e-mails. Stuur die hierna.`,
    none: 'Er zijn geen mislukte e-mails meer.',
  },
  empty: 'Nog geen aanvragen. Ze verschijnen hier zodra een gast een foto aanvraagt.',
  askForEmail: 'E-mailadres vragen',
  filename: (day) => `fotoaanvragen-${day}.csv`,
  errors: {
    load: 'De fotoaanvragen laden is niet gelukt. Probeer het opnieuw.',
    more: 'Meer fotoaanvragen laden is niet gelukt. Probeer het opnieuw.',
    resend: 'De e-mail opnieuw sturen is niet gelukt. Probeer het opnieuw.',
    resendAll: 'De e-mails opnieuw sturen is niet gelukt. Misschien zijn er al enkele verstuurd. Probeer het opnieuw.',
    export: 'De fotoaanvragen exporteren is niet gelukt. Probeer het opnieuw.',
  },
}
