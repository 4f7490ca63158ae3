import type * as english from '../en/event-review.ts'

const photos = (count: number, written: string): string => (count === 1 ? '1 foto' : `${written} foto’s`)

export const reviewCount: typeof english.reviewCount = {
  waiting: (count, written) => (count === 1 ? '1 foto wacht' : `${written} foto’s wachten`),
  review: 'Beoordelen',
  of: (event) => `“${event}” beoordelen`,
}

export const review: typeof english.review = {
  title: 'Beoordelen',
  lead: (count, written) =>
    count === 1 ? 'Er wacht 1 foto van een gast.' : `Er wachten ${written} foto’s van gasten.`,
  lists: 'Foto’s',
  waiting: 'Wachten',
  decided: 'Beslist',
  loadFailed: 'De foto’s konden niet worden geladen.',
  stale: 'De foto’s konden niet opnieuw worden geladen. Deze lijst is misschien niet actueel.',
  missing: 'Dit evenement bestaat niet meer.',
  empty: 'Alles is bekeken. Nieuwe foto’s verschijnen hier vanzelf.',
  off: 'Gasten kunnen bij dit evenement geen foto’s toevoegen.',
  settings: 'Naar het evenement',
  screen: 'Naar het scherm',
  photo: 'Te beoordelen foto',
  from: (name) => `Van ${name}`,
  fromGuest: 'Van een gast',
  fromWhere: (who, where) => `${who}, ${where}`,
  alt: (who) => `Foto. ${who}`,
  position: (position, count) => `${position} van ${count}`,
  hiddenByOperator: 'De beheerder van deze site heeft deze foto verborgen.',
  approve: 'Goedkeuren',
  reject: 'Weigeren',
  previous: 'Vorige foto',
  next: 'Volgende foto',
  undo: 'Ongedaan maken',
  keys: 'Sneltoetsen',
  keysHint: 'A keurt goed, R weigert, U maakt ongedaan, pijltjes tonen de andere foto’s',
  swipeHint: 'Veeg naar rechts om goed te keuren, naar links om te weigeren.',
  rejectedHint: (days) => `Geweigerde foto’s blijven ${days} dagen bij jou. Gasten horen niet waarom.`,
  done: {
    approved: (count, written) => (count === 1 ? 'Goedgekeurd.' : `${photos(count, written)} goedgekeurd.`),
    rejected: (count, written) => (count === 1 ? 'Geweigerd.' : `${photos(count, written)} geweigerd.`),
    waiting: (count, written) =>
      count === 1
        ? 'Ongedaan gemaakt. De foto wacht weer.'
        : `Ongedaan gemaakt. ${photos(count, written)} wachten weer.`,
    nothing: 'Er is niets om ongedaan te maken.',
  },
  following: (who) => `Volgende: ${who}`,
  unsent: (count, written) =>
    count === 1
      ? 'Geen verbinding. 1 beslissing wordt verstuurd zodra die er is.'
      : `Geen verbinding. ${written} beslissingen worden verstuurd zodra die er is.`,
  failed: (count, written) =>
    count === 1
      ? 'Je beslissing kon niet worden bewaard. De foto wacht weer.'
      : `Je beslissing over ${written} foto’s kon niet worden bewaard. Ze wachten weer.`,
  conflict: (count, written) =>
    count === 1
      ? 'Iemand anders had al over deze foto beslist. Dat blijft zo.'
      : `Iemand anders had al over ${written} foto’s beslist. Dat blijft zo.`,
  gone: (count, written) => (count === 1 ? 'De foto bestaat niet meer.' : `${written} foto’s bestaan niet meer.`),
  all: {
    open: (written) => `Alle ${written} goedkeuren`,
    title: (written) => `Alle ${written} goedkeuren?`,
    seen: (seen, written) => (seen === 0 ? 'Je hebt er nog geen gezien.' : `Je hebt er ${written} gezien.`),
    question: 'Gasten zien ze meteen, en het scherm toont de nieuwste.',
    confirm: (written) => `Alle ${written} goedkeuren`,
    dismiss: 'Verder kijken',
  },
  block: {
    open: 'Deze gast blokkeren',
    title: (name) => `${name} blokkeren?`,
    titleGuest: 'Deze gast blokkeren?',
    question: (count, written) =>
      count === 1
        ? 'De foto van deze gast wordt geweigerd als hij wacht, en verborgen als gasten hem kunnen zien. De gast kan er geen meer toevoegen.'
        : `Dit gaat over alle ${written} foto’s van deze gast: wat wacht wordt geweigerd, wat gasten kunnen zien wordt verborgen. De gast kan er geen meer toevoegen.`,
    review:
      'Een nieuwe telefoon telt als een andere gast. Daarom wachten foto’s van gasten vanaf nu op jou, in plaats van meteen te verschijnen.',
    confirm: 'Blokkeren',
    done: (rejected, hidden) => `Geblokkeerd. Geweigerd: ${rejected}. Verborgen: ${hidden}.`,
    undone: (rejected, hidden) => `Niet meer geblokkeerd. Wachten weer: ${rejected}. Weer zichtbaar: ${hidden}.`,
    reviewOn: 'Foto’s van gasten wachten vanaf nu op je oordeel.',
    failed: 'Deze gast kon niet worden geblokkeerd. Probeer het opnieuw.',
    undoFailed: 'Dat kon niet ongedaan worden gemaakt. Probeer het opnieuw.',
  },
  blocked: 'Geblokkeerd',
  unblock: 'Gast niet meer blokkeren',
  pause: {
    label: 'Pauzeren',
    on: 'Verdergaan',
    saved: 'Opgeslagen.',
    failed: 'Dat kon niet worden opgeslagen. Probeer het opnieuw.',
  },
  adding: {
    paused: 'Gepauzeerd: gasten kunnen nu geen foto’s toevoegen.',
    full: 'Er passen geen foto’s van gasten meer bij: door de grens van het evenement, van je abonnement of van de opslag.',
    ended: 'Bij dit evenement kunnen geen foto’s meer worden toegevoegd.',
  },
  list: {
    empty: 'Nog niets beslist.',
    label: 'Besliste foto’s',
    approved: 'Goedgekeurd',
    rejected: 'Geweigerd',
    hidden: 'Verborgen',
    gone: (day) => `Wordt verwijderd op ${day}`,
    back: 'Opnieuw laten wachten',
    backNamed: (who) => `Opnieuw laten wachten. ${who}`,
    more: 'Meer tonen',
    moved: 'De foto wacht weer.',
    conflict: 'Dat is intussen ergens anders veranderd.',
    failed: 'Dat kon niet worden gewijzigd. Probeer het opnieuw.',
  },
}
