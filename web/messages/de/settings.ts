import { nameChars } from '@keepsnap/contract/form-rules.ts'
import { accountLimits } from '@keepsnap/contract/limits.ts'
import type * as english from '../en/settings.ts'

export const account: typeof english.account = {
  title: 'Einstellungen',
  sections: 'Bereiche der Einstellungen',
  profileTitle: 'Dein Profil',
  edit: 'Profil bearbeiten',
  username: 'Benutzername',
  email: 'E-Mail',
  tier: 'Art des Tarifs',
  tiers: { free: 'Free', pro: 'Pro' },
  genericError: 'Da ist etwas schiefgegangen. Bitte versuch es noch einmal.',
  plan: { name: 'Abo' },
  profile: {
    name: 'Profil',
    lead: 'Die Angaben zu deinem Konto. Gäste sehen nur den Markennamen.',
    save: 'Speichern',
    username: {
      label: 'Benutzername',
      hint: 'Nur du und die Betreiber dieser Website sehen ihn.',
      saved: 'Benutzername gespeichert',
      failed: 'Der Benutzername konnte nicht gespeichert werden. Bitte versuch es noch einmal.',
    },
    brandName: {
      label: 'Markenname (freiwillig)',
      hint: 'Gäste sehen ihn in den E-Mails mit deinen Fotos.',
      afterConfirming: 'Er wird verwendet, sobald deine E-Mail-Adresse bestätigt ist.',
      saved: 'Markenname gespeichert',
      failed: 'Der Markenname konnte nicht gespeichert werden. Bitte versuch es noch einmal.',
    },
    timeZone: {
      label: 'Zeitzone',
      hint: 'Für Uhrzeiten in E-Mails, die Dateinamen der Fotos, die Gäste speichern, und die Abende in Galerie und Statistik.',
      server: 'Die Zeitzone des Servers',
      saved: 'Zeitzone gespeichert',
      failed: 'Die Zeitzone konnte nicht gespeichert werden. Bitte versuch es noch einmal.',
    },
    verified: 'Bestätigt',
    unverified:
      'Diese Adresse ist noch nicht bestätigt. Klicke auf den Link in unserer E-Mail oder fordere eine neue an.',
    resend: 'Erneut senden',
    resent: (email: string) => `Wir haben eine E-Mail an ${email} geschickt.`,
    change: 'E-Mail ändern',
  },
  changeEmail: {
    title: 'E-Mail-Adresse ändern',
    lead: 'Wir schicken einen Link zur Bestätigung an die neue Adresse. Bis du darauf klickst, bleibt deine jetzige.',
    email: 'Neue Adresse',
    emailNeeded: 'Bitte gib eine E-Mail-Adresse ein, zum Beispiel name@example.com.',
    emailSame: 'Das ist schon deine Adresse.',
    password: 'Dein Passwort',
    passwordNeeded: 'Bitte gib dein Passwort ein.',
    submit: 'Link senden',
    sent: (email: string) =>
      `Wir haben eine E-Mail an ${email} geschickt. Deine Adresse ändert sich, sobald du auf den Link darin klickst.`,
  },
}

const problems = (chars: number) => ({
  missing: 'Gib einen Namen ein',
  long: `Verwende höchstens ${chars} Zeichen`,
  characters: 'Der Name enthält Zeilenumbrüche oder unsichtbare Zeichen. Tippe ihn neu',
  link: 'Der Name darf keinen Link und keine E-Mail-Adresse enthalten. Setze nach einem Punkt ein Leerzeichen',
})

export const names: typeof english.names = {
  brandName: problems(nameChars.brandName),
  username: problems(nameChars.username),
  apiKey: { ...problems(nameChars.apiKey), missing: 'Gib deinem API-Schlüssel einen Namen' },
}

export const security: typeof english.security = {
  name: 'Sicherheit',
  genericError: 'Da ist etwas schiefgegangen. Bitte versuch es noch einmal.',
  password: {
    title: 'Passwort',
    hint: 'Wenn du es änderst, wirst du auf allen anderen Geräten abgemeldet.',
    change: 'Passwort ändern',
    current: 'Bisheriges Passwort',
    currentNeeded: 'Bitte gib dein bisheriges Passwort ein.',
    password: 'Neues Passwort',
    confirm: 'Passwort wiederholen',
    submit: 'Passwort speichern',
    done: 'Dein Passwort ist geändert. Andere Geräte sind abgemeldet.',
  },
  confirmation: {
    password: 'Dein Passwort',
    passwordHint: `In den nächsten ${accountLimits.passwordMinutes} Minuten fragen wir nicht noch einmal danach.`,
    passwordNeeded: 'Bitte gib dein Passwort ein.',
    passwordFailed: 'Dein Passwort konnte nicht geprüft werden. Bitte versuch es noch einmal.',
  },
  access: {
    title: 'Prüfe, was noch Zugriff hat',
    lead: 'Was hier steht, funktioniert nach einem neuen Passwort weiter. Lösche, was du nicht kennst oder nicht mehr brauchst. Was seit deinem vorigen Passwort erstellt wurde, ist ausgewählt.',
    endAllLead:
      'Was hier steht, funktioniert weiter, wenn du es nicht auch löschst. Was erstellt wurde, seit du dein Passwort festgelegt hast, ist ausgewählt.',
    list: 'API-Schlüssel und Webhooks',
    key: (name: string) => `API-Schlüssel „${name}“`,
    webhook: (host: string) => `Webhook zu ${host}`,
    listWithGrants: 'API-Schlüssel, Webhooks, Links und Helfer von Veranstaltungen',
    grant: (address: string, event: string) => `Link zu allen Fotos von „${event}“ für ${address}`,
    helper: (name: string, event: string) => `Helfer ${name} bei „${event}“`,
    created: (date: string) => `Erstellt am ${date}`,
    used: (when: string) => `Zuletzt benutzt: ${when}`,
    neverUsed: 'Nie benutzt',
    delete: (count: string) => `Auswahl löschen (${count})`,
    deleteAndEndAll: (count: string) => `Auswahl löschen (${count}) und abmelden`,
    keepAll: 'Alles behalten',
    done: 'Gelöscht. Sie funktionieren in einer Sekunde nicht mehr.',
    failed: 'Das Löschen hat nicht geklappt. Bitte versuch es noch einmal.',
  },
  sessions: {
    title: (count: string, one: boolean) => (one ? 'Auf 1 Gerät angemeldet' : `Auf ${count} Geräten angemeldet`),
    loading: 'Wo du angemeldet bist',
    failed: 'Die Liste der Geräte konnte nicht geladen werden.',
    show: 'Geräte anzeigen',
    hide: 'Geräte ausblenden',
    thisDevice: 'Dieses Gerät',
    used: (when: string) => `Zuletzt benutzt: ${when}`,
    since: (when: string) => `Angemeldet seit dem ${when}`,
    unknown: 'Unbekanntes Gerät',
    browserOnSystem: (browser: string, system: string) => `${browser} auf ${system}`,
    browser: 'Browser',
    end: 'Abmelden',
    endOne: (device: string) => `Abmelden: ${device}`,
    ended: 'Das Gerät ist abgemeldet.',
    endAll: 'Überall abmelden',
    endAllQuestion:
      'Auf allen Geräten abmelden, auch auf diesem? Links zu Fotos in voller Auflösung, die du geteilt hast, funktionieren dann nicht mehr.',
    endedAll: 'Du bist auf allen Geräten abgemeldet.',
  },
  data: {
    title: 'Deine Daten',
    hint: 'Alles, was wir über dich speichern, in einer Datei. Den Link bekommst du per E-Mail.',
    start: 'Daten exportieren',
    again: 'Neue Datei erstellen',
    queued: (email: string) => `Wir bereiten deine Datei vor. Den Link schicken wir an ${email}.`,
    ready: (size: string, until: string) =>
      `Deine Datei (${size}) ist fertig. Der Link in der E-Mail gilt bis zum ${until} Uhr.`,
    failed: 'Die Datei konnte nicht erstellt werden. Bitte versuch es noch einmal.',
    loadFailed: 'Der Stand deiner Datei konnte nicht geladen werden.',
  },
  deletion: {
    title: 'Konto löschen',
    hint: 'Auch deine Fotos, Codes und Anfragen werden gelöscht.',
    question: 'Das lässt sich nicht rückgängig machen. Wir löschen endgültig:',
    photos: (count: string, one: boolean) => (one ? 'dein Foto' : `deine ${count} Fotos`),
    noPhotos: 'dein Konto und seine Einstellungen',
    codes: 'alle Codes, die du gedruckt oder geteilt hast (sie funktionieren dann nicht mehr)',
    requests: 'die Anfragen und E-Mail-Adressen deiner Gäste',
    brand: 'dein Logo, deinen Hintergrund und deine exportierten Daten',
    exportFirst: 'Vielleicht möchtest du vorher deine Daten exportieren.',
    submit: 'Mein Konto löschen',
    done: 'Dein Konto ist gelöscht. Wir haben dir zur Bestätigung eine E-Mail geschickt.',
  },
}

export const settings: typeof english.settings = {
  askForEmail: {
    label: 'Nach E-Mail-Adresse fragen',
    hint: 'Gäste geben eine Adresse ein und bekommen das Foto per E-Mail. Das gilt auch für Codes, die du schon gedruckt hast.',
    saved: 'E-Mail-Einstellung gespeichert',
    failed: 'Die E-Mail-Einstellung konnte nicht gespeichert werden. Bitte versuch es noch einmal.',
  },
  photos: 'Fotos',
  watermark: {
    label: 'Wasserzeichen',
    hint: 'Setzt dein Logo auf neue Fotos. Dafür brauchst du ein Logo und einen Pro-Tarif.',
    saved: 'Wasserzeichen gespeichert',
    failed: 'Das Wasserzeichen konnte nicht gespeichert werden',
  },
  watermarkLayout: {
    size: 'Größe',
    sizes: { small: 'Klein', medium: 'Mittel', large: 'Groß' },
    strength: 'Deckkraft',
    strengths: { light: 'Zart', medium: 'Mittel', strong: 'Kräftig' },
    corner: 'Position',
    corners: {
      'top-left': 'Oben links',
      'top-right': 'Oben rechts',
      center: 'Mitte',
      'bottom-left': 'Unten links',
      'bottom-right': 'Unten rechts',
    },
  },
  mail: 'E-Mail',
  preferences: {
    saved: 'Deine Auswahl ist gespeichert',
    failed: 'Deine Auswahl konnte nicht gespeichert werden',
  },
  news: { label: 'Neuigkeiten', hint: 'Eine kurze E-Mail, wenn es etwas Neues gibt. Ein paar Mal im Jahr.' },
  offers: { label: 'Angebote', hint: 'Rabatte und Aktionen zur Saison.' },
  removals: {
    label: 'Bevor Adressen entfernt werden',
    hint: 'Eine E-Mail, wenn innerhalb von 14 Tagen 20 oder mehr Adressen von Gästen entfernt werden. Höchstens eine im Monat.',
  },
  service:
    'Wichtige E-Mails zu deinem Konto, etwa zum Zurücksetzen des Passworts, bekommst du immer. Werbung enthalten sie nie.',
}
