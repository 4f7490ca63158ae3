import type * as english from '../en/accounts.ts'

export const forgot: typeof english.forgot = {
  genericError: 'Da ist etwas schiefgegangen. Bitte versuch es noch einmal.',
  toLogin: 'Zurück zur Anmeldung',
  title: 'Passwort vergessen',
  heading: 'Passwort vergessen?',
  lead: 'Gib die Adresse deines Kontos ein. Wir schicken dir einen Link, mit dem du ein neues Passwort festlegst.',
  submit: 'Link senden',
  emailNeeded: 'Bitte gib eine E-Mail-Adresse ein, zum Beispiel name@example.com.',
  sent: {
    heading: 'Sieh in deinem Posteingang nach',
    lead: 'Wenn es zu dieser Adresse ein Konto gibt, haben wir einen Link geschickt an:',
    hint: 'Der Link gilt nur einmal, 30 Minuten lang. Nichts angekommen? Sieh im Spam-Ordner nach, oder versuch es in ein paar Minuten noch einmal.',
    another: 'Andere Adresse verwenden',
  },
}

export const reset: typeof english.reset = {
  genericError: 'Da ist etwas schiefgegangen. Bitte versuch es noch einmal.',
  toLogin: 'Zurück zur Anmeldung',
  reset: {
    title: 'Neues Passwort festlegen',
    heading: 'Neues Passwort festlegen',
    lead: 'Danach bist du auf allen Geräten abgemeldet.',
    password: 'Neues Passwort',
    confirm: 'Passwort wiederholen',
    submit: 'Passwort speichern',
    done: 'Dein Passwort ist geändert. Bitte melde dich an.',
    invalid: {
      heading: 'Link ungültig',
      missing: 'Dieser Link ist ungültig oder unvollständig. Bitte fordere einen neuen an.',
      request: 'Neuen Link anfordern',
    },
  },
}

export const session: typeof english.session = {
  email: 'E-Mail',
  password: 'Passwort',
  printLine: 'Scannen und Foto behalten',
  login: {
    title: 'Anmelden',
    heading: 'Willkommen zurück',
    submit: 'Anmelden',
    forgot: 'Passwort vergessen?',
    newHere: 'Neu hier?',
    register: 'Registrieren',
  },
  register: {
    title: 'Registrieren',
    heading: 'Erstelle deinen ersten Code',
    lead: (photos: number) => `${photos} Fotos im Monat, kostenlos. Ohne Kreditkarte.`,
    confirm: 'Passwort wiederholen',
    submit: 'Registrieren',
    agree: ['Mit der Registrierung stimmst du den ', ' zu. Mehr steht unter ', '.'],
    haveAccount: 'Schon ein Konto?',
    login: 'Anmelden',
    emailNeeded: 'Bitte gib eine E-Mail-Adresse ein, zum Beispiel name@example.com.',
    mismatch: 'Die Passwörter stimmen nicht überein',
  },
  rules: {
    length: 'Mindestens 8 Zeichen',
    upper: 'Ein Großbuchstabe',
    lower: 'Ein Kleinbuchstabe',
    number: 'Eine Ziffer',
    special: 'Ein Sonderzeichen',
  },
  ruleMet: 'erfüllt: ',
  ruleNotMet: 'nicht erfüllt: ',
  passwordMessages: {
    length: 'Das Passwort braucht mindestens 8 Zeichen',
    upper: 'Das Passwort braucht mindestens einen Großbuchstaben',
    lower: 'Das Passwort braucht mindestens einen Kleinbuchstaben',
    number: 'Das Passwort braucht mindestens eine Ziffer',
    special: 'Das Passwort braucht mindestens ein Sonderzeichen',
  },
  strength: 'Stärke:',
  commonPassword: 'Viele Menschen verwenden dieses Passwort. Wähle eines, das andere nicht verwenden.',
  strengthLabels: ['Sehr schwach', 'Schwach', 'Mittel', 'Stark', 'Sehr stark'],
  errors: {
    network: 'Keine Verbindung. Bitte prüfe deine Internetverbindung.',
    invalid: 'E-Mail-Adresse oder Passwort stimmt nicht.',
    server: (status: number) => `Fehler auf dem Server (${status}). Bitte versuch es später noch einmal.`,
    loginFailed: (reason: string) => `Anmeldung fehlgeschlagen: ${reason}`,
    unknown: 'Da ist etwas schiefgegangen.',
    registered: 'Diese E-Mail-Adresse ist schon registriert.',
    validation: (first: string) => `Ungültige Eingabe: ${first}`,
    checkInput: 'Bitte prüfe deine Eingaben',
    registerFailed: 'Die Registrierung hat nicht geklappt. Bitte versuch es noch einmal.',
  },
}

export const verify: typeof english.verify = {
  genericError: 'Da ist etwas schiefgegangen. Bitte versuch es noch einmal.',
  title: 'Adresse bestätigen',
  heading: 'Ist das deine Adresse?',
  lead: 'Mit einem Klick bestätigst du deine Adresse.',
  submit: 'Adresse bestätigen',
  done: {
    heading: 'Deine Adresse ist bestätigt',
    lead: 'Die E-Mail-Adresse deines Kontos:',
    settings: 'Zu den Einstellungen',
    login: 'Anmelden',
  },
  expired: {
    heading: 'Dieser Link gilt nicht mehr',
    lead: 'Er ist abgelaufen oder wurde schon verwendet. In den Einstellungen kannst du einen neuen anfordern.',
    settings: 'Zu den Einstellungen',
  },
}
