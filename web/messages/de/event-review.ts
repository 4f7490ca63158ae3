import type * as english from '../en/event-review.ts'

const photos = (count: number, written: string): string => (count === 1 ? '1 Foto' : `${written} Fotos`)

export const reviewCount: typeof english.reviewCount = {
  waiting: (count, written) => (count === 1 ? '1 Foto wartet' : `${written} Fotos warten`),
  review: 'Prüfen',
  of: (event) => `„${event}“ prüfen`,
}

export const review: typeof english.review = {
  title: 'Fotos prüfen',
  lead: (count, written) => (count === 1 ? '1 Foto von Gästen wartet.' : `${written} Fotos von Gästen warten.`),
  lists: 'Fotos',
  waiting: 'Wartend',
  decided: 'Entschieden',
  loadFailed: 'Die Fotos konnten nicht geladen werden.',
  stale: 'Die Fotos konnten nicht neu geladen werden. Diese Liste ist vielleicht veraltet.',
  missing: 'Diese Veranstaltung gibt es nicht mehr.',
  empty: 'Alles angesehen. Neue Fotos erscheinen hier von selbst.',
  off: 'Gäste können bei dieser Veranstaltung keine Fotos hinzufügen.',
  settings: 'Zur Veranstaltung',
  screen: 'Zum Bildschirm',
  photo: 'Foto zum Prüfen',
  from: (name) => `Von ${name}`,
  fromGuest: 'Von einem Gast',
  fromWhere: (who, where) => `${who}, ${where}`,
  alt: (who) => `Foto. ${who}`,
  position: (position, count) => `${position} von ${count}`,
  hiddenByOperator: 'Der Betreiber dieser Website hat dieses Foto ausgeblendet.',
  approve: 'Freigeben',
  reject: 'Ablehnen',
  previous: 'Vorheriges Foto',
  next: 'Nächstes Foto',
  undo: 'Rückgängig',
  keys: 'Tastenkürzel',
  keysHint: 'A gibt frei, R lehnt ab, U macht rückgängig, Pfeiltasten zeigen die anderen Fotos',
  swipeHint: 'Nach rechts wischen gibt frei, nach links lehnt ab.',
  rejectedHint: (days) => `Abgelehnte Fotos bleiben ${days} Tage bei dir. Gäste erfahren den Grund nicht.`,
  done: {
    approved: (count, written) => (count === 1 ? 'Freigegeben.' : `${photos(count, written)} freigegeben.`),
    rejected: (count, written) => (count === 1 ? 'Abgelehnt.' : `${photos(count, written)} abgelehnt.`),
    waiting: (count, written) =>
      count === 1
        ? 'Rückgängig gemacht. Das Foto wartet wieder.'
        : `Rückgängig gemacht. ${photos(count, written)} warten wieder.`,
    nothing: 'Es gibt nichts rückgängig zu machen.',
  },
  following: (who) => `Als Nächstes: ${who}`,
  unsent: (count, written) =>
    count === 1
      ? 'Keine Verbindung. 1 Entscheidung wird gesendet, sobald es wieder geht.'
      : `Keine Verbindung. ${written} Entscheidungen werden gesendet, sobald es wieder geht.`,
  failed: (count, written) =>
    count === 1
      ? 'Deine Entscheidung konnte nicht gespeichert werden. Das Foto wartet wieder.'
      : `Deine Entscheidung über ${written} Fotos konnte nicht gespeichert werden. Sie warten wieder.`,
  conflict: (count, written) =>
    count === 1
      ? 'Jemand anderes hatte über dieses Foto schon entschieden. Dabei bleibt es.'
      : `Jemand anderes hatte über ${written} Fotos schon entschieden. Dabei bleibt es.`,
  gone: (count, written) => (count === 1 ? 'Das Foto gibt es nicht mehr.' : `${written} Fotos gibt es nicht mehr.`),
  all: {
    open: (written) => `Alle ${written} freigeben`,
    title: (written) => `Alle ${written} freigeben?`,
    seen: (seen, written) => (seen === 0 ? 'Du hast noch keines davon gesehen.' : `Du hast ${written} davon gesehen.`),
    question: 'Gäste sehen sie sofort, und der Bildschirm zeigt das neueste.',
    confirm: (written) => `Alle ${written} freigeben`,
    dismiss: 'Weiter ansehen',
  },
  block: {
    open: 'Diesen Gast sperren',
    title: (name) => `${name} sperren?`,
    titleGuest: 'Diesen Gast sperren?',
    question: (count, written) =>
      count === 1
        ? 'Das Foto dieses Gastes wird abgelehnt, wenn es wartet, und ausgeblendet, wenn Gäste es sehen können. Weitere Fotos kann der Gast nicht hinzufügen.'
        : `Das betrifft alle ${written} Fotos dieses Gastes: Wartende werden abgelehnt, sichtbare ausgeblendet. Weitere kann der Gast nicht hinzufügen.`,
    review:
      'Ein neues Telefon würde als anderer Gast zählen. Deshalb warten Fotos von Gästen ab jetzt auf dich, statt sofort zu erscheinen.',
    confirm: 'Sperren',
    done: (rejected, hidden) => `Gesperrt. Abgelehnt: ${rejected}. Ausgeblendet: ${hidden}.`,
    undone: (rejected, hidden) => `Nicht mehr gesperrt. Warten wieder: ${rejected}. Wieder sichtbar: ${hidden}.`,
    reviewOn: 'Fotos von Gästen warten ab jetzt auf deine Prüfung.',
    failed: 'Dieser Gast konnte nicht gesperrt werden. Bitte versuch es noch einmal.',
    undoFailed: 'Das konnte nicht rückgängig gemacht werden. Bitte versuch es noch einmal.',
  },
  blocked: 'Gesperrt',
  unblock: 'Gast entsperren',
  pause: {
    label: 'Pausieren',
    on: 'Fortsetzen',
    saved: 'Gespeichert.',
    failed: 'Das konnte nicht gespeichert werden. Bitte versuch es noch einmal.',
  },
  adding: {
    paused: 'Pausiert: Gäste können gerade keine Fotos hinzufügen.',
    full: 'Für Fotos von Gästen ist kein Platz mehr: wegen der Grenze der Veranstaltung, deines Tarifs oder des Speichers.',
    ended: 'Bei dieser Veranstaltung können keine Fotos mehr hinzugefügt werden.',
  },
  list: {
    empty: 'Noch nichts entschieden.',
    label: 'Entschiedene Fotos',
    approved: 'Freigegeben',
    rejected: 'Abgelehnt',
    hidden: 'Ausgeblendet',
    gone: (day) => `Wird am ${day} gelöscht`,
    back: 'Wieder warten lassen',
    backNamed: (who) => `Wieder warten lassen. ${who}`,
    more: 'Mehr anzeigen',
    moved: 'Das Foto wartet wieder.',
    conflict: 'Das wurde inzwischen woanders geändert.',
    failed: 'Das konnte nicht geändert werden. Bitte versuch es noch einmal.',
  },
}
