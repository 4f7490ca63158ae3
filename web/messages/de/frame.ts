import { productName } from '@keepsnap/contract/site.ts'
import type * as english from '../en/frame.ts'

export const copying: typeof english.copying = {
  copy: 'Kopieren',
  copyNamed: (label: string) => `Kopieren: ${label}`,
  copied: 'Kopiert',
  selected: 'Markiert',
}

export const frame: typeof english.frame = {
  skip: 'Zum Inhalt',
  documentTitle: (page: string) => `${page} · ${productName}`,
  mainNavigation: 'Hauptmenü',
  phoneNavigation: 'Hauptmenü, Handy',
  footerNavigation: 'Fußzeile',
  menu: 'Menü',
  accountMenu: 'Kontomenü',
  accountMenuReports: (count: number) => `Kontomenü, ${count === 1 ? '1 Foto' : `${count} Fotos`} gemeldet`,
  reported: (count: number) => (count === 1 ? '1 Foto gemeldet' : `${count} Fotos gemeldet`),
  links: {
    home: 'Start',
    latest: 'Neuestes',
    gallery: 'Galerie',
    upload: 'Upload',
    settings: 'Einstellungen',
    pricing: 'Preise',
    profile: 'Dein Profil',
    photoRequests: 'Fotoanfragen',
    insights: 'Statistik',
    events: 'Veranstaltungen',
    print: 'Tischkarte und Plakat',
    admin: 'Betreiber',
    login: 'Anmelden',
    register: 'Registrieren',
    about: 'Über uns',
    support: 'Hilfe',
    withdraw: 'Vertrag hier widerrufen',
    privacy: 'Datenschutz',
    terms: 'AGB',
    accessibility: 'Barrierefreiheit',
  },
  cookieSettings: 'Cookie-Einstellungen',
  signOut: 'Abmelden',
  plan: (name: string) => `Tarif ${name}`,
  unconfirmed: 'E-Mail-Adresse nicht bestätigt',
  theme: 'Farbschema',
  themes: { system: 'System', light: 'Hell', dark: 'Dunkel' },
  notifications: 'Mitteilungen',
}

export const languages: typeof english.languages = {
  label: 'Sprache',
  hint: 'Für alles, was du hier siehst, und für die E-Mails, die wir dir schicken.',
  saveFailed: 'Die Sprache konnte nicht gespeichert werden. Bitte versuch es noch einmal.',
}

export const live: typeof english.live = {
  connected: 'WS: Verbunden',
  disconnected: 'WS: Getrennt',
  statuses: {
    disconnected: 'Getrennt',
    connecting: 'Wird verbunden',
    connected: 'Verbunden',
    error: 'Fehler',
    reconnecting: 'Wird neu verbunden',
    failed: 'Nach fünf Versuchen aufgegeben',
  },
}

export const noScript: typeof english.noScript = {
  needed: `${productName} braucht JavaScript. Schalte es in den Einstellungen deines Browsers ein und lade diese Seite neu.`,
  unsupported: `${productName} braucht einen neueren Browser: Chrome 108, Safari 16.4, Firefox 115 oder neuer. Wenn deiner neuer ist, lade diese Seite neu.`,
}

export const notFound: typeof english.notFound = {
  title: 'Seite nicht gefunden',
  heading: 'Diese Seite klebt nicht im Album',
  lead: 'Vielleicht hast du dich vertippt, oder die Seite ist umgezogen.',
  print: 'Hier hat niemand abgedrückt',
  goBack: 'Zurück',
  goHome: 'Zur Startseite',
  stillLost: 'Kommst du nicht weiter?',
  contactSupport: 'Schreib uns',
}

export const notices: typeof english.notices = {
  emailOff:
    'E-Mail ist nicht eingerichtet, deshalb können Gäste keine Fotos anfordern. Setze SMTP_URL und MAIL_FROM auf dem Server und starte ihn neu.',
  emailsWait:
    'E-Mails an Gäste warten: Der Ausgangsordner oder seine Festplatte ist voll. Setze SMTP_URL, erhöhe OUTBOX_MAX_MB, oder verschiebe Dateien aus dem Ordner.',
}

export const samples: typeof english.samples = {
  table: 'Kerzen und Rotwein auf einer langen Festtafel',
  topper: 'Brautpaar aus Holzfiguren zwischen den Gästen, dahinter Lichterketten',
  dance: 'Der erste Tanz eines Brautpaars zwischen zwei Funkenfontänen',
  balloons: 'Rote, weiße und goldene Luftballons vor hellem Hintergrund',
  rings: 'Zwei Eheringe neben Papierrosen',
  family: 'Eine Familie aus Holzfiguren auf einer Wiese bei Sonnenuntergang',
}

export const states: typeof english.states = {
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
