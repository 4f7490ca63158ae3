import type * as english from '../en/business.ts'

export const business: typeof english.business = {
  heading: 'Firmendaten',
  none: 'Kaufst du für eine Firma? Auf deinen Rechnungen können ihr Name und ihre USt-IdNr. stehen.',
  named: 'Deine Rechnungen nennen diese Firma.',
  incomplete: 'Die Adresse ist nicht vollständig. Rechnungen brauchen sie ganz: Bitte ergänze, was fehlt.',
  pending:
    'Hier gespeichert. Unser Zahlungsdienst ist gerade nicht erreichbar und erhält deine Daten, sobald er wieder antwortet.',
  add: 'Firmendaten hinzufügen',
  change: 'Ändern',
  remove: 'Entfernen',
  save: 'Speichern',
  address: 'Adresse',
  saved: 'Gespeichert. Rechnungen nennen ab jetzt deine Firma.',
  removed: 'Entfernt. Rechnungen nennen ab jetzt keine Firma mehr.',
  lead: 'Rechnungen nennen ab jetzt diese Firma. Frühere bleiben, wie sie sind.',
  removal: 'Rechnungen nennen ab jetzt keine Firma mehr. Frühere bleiben, wie sie sind.',
  removalTitle: 'Firmendaten entfernen',
  errors: {
    load: 'Deine Firmendaten konnten nicht geladen werden.',
    save: 'Deine Firmendaten konnten nicht gespeichert werden. Bitte versuche es noch einmal.',
    remove: 'Deine Firmendaten konnten nicht entfernt werden. Bitte versuche es noch einmal.',
  },
  fields: {
    name: 'Name der Firma',
    vat_number: 'USt-IdNr.',
    street: 'Straße und Hausnummer',
    postal_code: 'Postleitzahl',
    city: 'Ort',
  },
  vatHint: (example) => `Mit den Buchstaben des Landes, wie in ${example}.`,
  missing: {
    name: 'Bitte gib den Namen der Firma ein',
    vat_number: 'Bitte gib die USt-IdNr. ein',
    street: 'Bitte gib Straße und Hausnummer ein',
    postal_code: 'Bitte gib die Postleitzahl ein',
    city: 'Bitte gib den Ort ein',
  },
  problems: {
    long: (characters) => `Bitte verwende höchstens ${characters} Zeichen`,
    characters: 'Das enthält Zeilenumbrüche oder unsichtbare Zeichen. Bitte gib es noch einmal ein',
    country: (example) => `Beginne mit den Buchstaben eines Landes der Europäischen Union, wie in ${example}`,
    form: (example) => `Die USt-IdNr. dieses Landes sieht aus wie ${example}`,
    digits:
      'Diese USt-IdNr. kann nicht stimmen: Ihre Prüfziffern passen nicht. Vergleiche sie mit deiner Registrierung',
    payments: 'Der Zahlungsdienst nimmt diese USt-IdNr. nicht an. Vergleiche sie mit deiner Registrierung',
  },
  checkout: {
    choose: 'Ich kaufe als Firma',
    hint: 'Die Rechnung nennt dann die Firma und ihre USt-IdNr.',
    refused: 'Bitte prüfe die Daten deiner Firma.',
    nothingCharged: 'Es wurde nichts abgebucht.',
  },
}
