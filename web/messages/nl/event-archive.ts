import { eventLimits } from '@keepsnap/contract/event-limits.ts'
import type * as english from '../en/event-archive.ts'

export const eventArchive: typeof english.eventArchive = {
  heading: 'Alle foto’s als één bestand',
  lead: 'De foto’s op volle grootte onder hun eigen namen, ook die je verborgen hebt. Je kunt verdergaan waar een download is afgebroken.',
  size: (count, written, size) => (count === 1 ? `1 foto, ${size}` : `${written} foto’s, ${size}`),
  none: 'Er zijn nog geen foto’s om te downloaden.',
  download: 'Alles downloaden',
  failed: 'De grootte van de download kon niet bepaald worden.',
  grants: {
    heading: 'Een link naar alles sturen',
    lead: `Voor de gastheren, een klant of een vriend: een link naar alle foto’s die gasten mogen zien, zonder account en wat de galerij ook zegt. De link werkt ${eventLimits.grantDays} dagen. Je kunt hem altijd intrekken.`,
    address: 'E-mailadres',
    placeholder: 'naam@example.com',
    emailNeeded: 'Vul een e-mailadres in, zoals naam@example.com.',
    send: 'Link sturen',
    sent: (address) => `De link is onderweg naar ${address}.`,
    failedToSend: 'De link kon niet gestuurd worden. Probeer het opnieuw.',
    list: 'Links die je gestuurd hebt',
    none: 'Er is nog geen link gestuurd.',
    until: (date) => `Werkt tot ${date}`,
    expired: 'Verlopen',
    revoked: 'Ingetrokken',
    states: { queued: 'Wordt verstuurd', sent: 'Verstuurd', failed: 'Niet verstuurd' },
    resend: 'Opnieuw sturen',
    resendTo: (address) => `De link opnieuw naar ${address} sturen`,
    revoke: 'Intrekken',
    revokeOf: (address) => `De link van ${address} intrekken`,
    loadFailed: 'De links konden niet geladen worden.',
    revocation: {
      title: 'Deze link intrekken?',
      question: (address) =>
        `De link die ${address} kreeg, werkt meteen niet meer, en lopende downloads stoppen. Foto’s die al bewaard zijn, blijven bij hen.`,
      confirm: 'Intrekken',
      keep: 'Behouden',
      failed: 'De link kon niet ingetrokken worden. Probeer het opnieuw.',
      done: 'Ingetrokken. De link werkt niet meer.',
    },
  },
}

export const eventGrant: typeof english.eventGrant = {
  description: 'Alle foto’s van dit evenement.',
  from: (brandName) => `van ${brandName}`,
  size: (count, written, size) => (count === 1 ? `1 foto, ${size}` : `${written} foto’s, ${size}`),
  download: 'Alles downloaden',
  hint: 'Eén ZIP-bestand. Op een computer gaat het open met een dubbelklik; op een telefoon heb je er plaats voor nodig, en de app Bestanden. Een afgebroken download kan verdergaan.',
  until: (when) => `Deze link werkt tot ${when}. Deel hem niet: wie hem heeft, kan al deze foto’s zien.`,
  none: 'Er zijn nog geen foto’s. Open deze link later opnieuw.',
  processing: (count) =>
    count === 1 ? 'Er wordt nog 1 foto voorbereid.' : `Er worden nog ${count} foto’s voorbereid.`,
  photos: 'Foto’s, nieuwste eerst',
  photo: (number) => `Foto ${number}`,
  save: 'Bewaren',
  saveOne: (number) => `Foto ${number} bewaren`,
  older: 'Oudere foto’s',
  newest: 'Nieuwste foto’s',
  gone: {
    heading: 'Deze link werkt niet meer',
    advice: `Links naar alle foto’s van een evenement werken ${eventLimits.grantDays} dagen, of tot ze ingetrokken worden. Vraag een nieuwe aan wie hem stuurde.`,
  },
}

export const eventGrantEmails: typeof english.eventGrantEmails = {
  grant: {
    subject: (eventName) => `Alle foto’s van ${eventName}`,
    preview: 'Een link om ze te bekijken en te downloaden.',
    lead: (eventName, from) => `${from} geeft je alle foto’s van ${eventName}.`,
    count: (count, written) =>
      count === 0
        ? 'Ze verschijnen op de pagina zodra er zijn.'
        : count === 1
          ? 'Er is nu 1 foto. Foto’s die later worden toegevoegd, staan er ook.'
          : `Er zijn nu ${written} foto’s. Foto’s die later worden toegevoegd, staan er ook.`,
    private: 'Je hebt geen account nodig. Geef de link niet door: wie hem heeft, kan al deze foto’s zien.',
    button: 'De foto’s bekijken',
    expiry: (when) => `De link werkt tot ${when}.`,
    ignore: 'Weet je niet wie dit gestuurd heeft? Dan kun je deze e-mail negeren.',
    reason: (host) => `Je krijgt deze e-mail omdat iemand op ${host} je de foto’s van een evenement gestuurd heeft.`,
  },
  created: {
    subject: 'Je hebt een link naar alle foto’s van een evenement gestuurd',
    heading: 'Er is een link naar alle foto’s gestuurd',
    lead: (when, address) =>
      `Op ${when} is een link naar alle foto’s van een van je evenementen gestuurd naar ${address}. Wie hem heeft, kan ze bekijken en downloaden.`,
    hint: 'Als jij dit was, hoef je niets te doen. Zo niet, stel dan nu een nieuw wachtwoord in. Als je ermee inlogt, kun je de link intrekken.',
  },
}

export const eventRequestEmails: typeof english.eventRequestEmails = {
  photos: {
    subject: (count, brandName) =>
      brandName === null ? `De ${count} foto’s die je aanvroeg` : `Je ${count} foto’s van ${brandName}`,
    heading: 'Hier zijn je foto’s',
    lead: 'Open ze een voor een en bewaar ze op je telefoon.',
    one: (number) => `Foto ${number}`,
    expiry: (when) => `De links werken tot ${when}.`,
    reason: (host) =>
      `Je krijgt deze e-mail omdat je adres is ingevuld op een fotopagina van ${host}. ` +
      `We gebruiken het om deze foto’s te sturen, en voor niets anders.`,
  },
  archive: {
    preview: 'Een link om ze als één bestand te downloaden.',
    lead: (count, written, size) =>
      count === 1 ? `Er is nu 1 foto, ${size}.` : `Er zijn nu ${written} foto’s, samen ${size} in één bestand.`,
    hint: 'Open de link op een computer: telefoons kunnen zo’n groot bestand vaak niet openen. Hij werkt alleen zolang de galerij open is.',
    button: 'De foto’s downloaden',
  },
  open: {
    subject: (eventName) => `De foto’s van ${eventName} zijn open`,
    preview: 'Je vroeg ons het te laten weten.',
    heading: 'De foto’s zijn open',
    lead: (eventName) => `Je kunt de foto’s van ${eventName} nu bekijken.`,
    button: 'De foto’s bekijken',
    reason: (host) =>
      `Je krijgt deze e-mail omdat je adres is ingevuld op de pagina van een evenement op ${host}, om te horen wanneer de foto’s open zijn. ` +
      `We hebben het nu van die lijst verwijderd.`,
  },
}
