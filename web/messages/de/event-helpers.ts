import { eventLimits } from '@keepsnap/contract/event-limits.ts'
import { nameChars } from '@keepsnap/contract/form-rules.ts'
import type * as english from '../en/event-helpers.ts'

export const helpers: typeof english.helpers = {
  heading: 'Helfer',
  lead: 'Jemand, dem du vertraust, sieht sich die Fotos der Gäste für dich an, auf dem eigenen Handy und ohne Konto. Helfer sehen nur diese Veranstaltung: keine Einstellungen, keine Adressen, keine Originale.',
  none: 'Es gibt noch keine Helfer.',
  list: 'Helfer dieser Veranstaltung',
  add: 'Helfer hinzufügen',
  name: 'Name',
  names: {
    missing: 'Gib einen Namen ein',
    long: `Verwende höchstens ${nameChars.contributor} Zeichen`,
    characters: 'Der Name enthält Zeilenumbrüche oder unsichtbare Zeichen. Tippe ihn neu',
    link: 'Der Name darf keinen Link und keine E-Mail-Adresse enthalten. Setze nach einem Punkt ein Leerzeichen',
  },
  nameHint: `Er steht neben den Entscheidungen. Der Link funktioniert auf einem Gerät, bis zum Tag nach der Veranstaltung, oder ${eventLimits.helperHours} Stunden, wenn kein Termin mehr kommt.`,
  create: 'Link erstellen',
  loadFailed: 'Die Helfer konnten nicht geladen werden.',
  failed: 'Das konnte nicht gespeichert werden. Bitte versuche es noch einmal.',
  states: {
    new: 'Nicht begonnen',
    begun: 'Auf einem Gerät',
    asks: 'Ein anderes Gerät fragt an',
    ended: 'Beendet',
  },
  until: (when) => `Funktioniert bis ${when}`,
  since: (when) => `Auf einem Gerät seit ${when}`,
  lastSeen: (when) => `Zuletzt aktiv: ${when}`,
  asked: (when) =>
    `Ein anderes Gerät benutzt den Link seit ${when}. Erlaube es nur, wenn dein Helfer das Handy gewechselt hat.`,
  counts: (approved, rejected, hidden) => `Freigegeben: ${approved}. Abgelehnt: ${rejected}. Ausgeblendet: ${hidden}.`,
  nothing: 'Noch nichts entschieden.',
  allow: 'Dieses Gerät erlauben',
  allowed: 'Erlaubt. Das vorige Gerät funktioniert nicht mehr.',
  newLink: 'Neuer Link',
  undo: 'Alles rückgängig machen',
  end: 'Beenden',
  remove: 'Entfernen',
  of: (action, name) => `${action}: ${name}`,
  link: {
    title: (name) => `Link für ${name}`,
    lead: 'Lass deinen Helfer diesen Code scannen, oder schick ihm den Link. Er ist nur jetzt zu sehen, und das erste Gerät, das damit beginnt, behält ihn.',
    qr: 'QR-Code des Links',
    label: 'Link für den Helfer',
    close: 'Fertig',
  },
  renewal: {
    title: (name) => `Neuer Link für ${name}?`,
    question: 'Der vorige Link funktioniert sofort nicht mehr, auch nicht auf dem Gerät, das ihn benutzt.',
    submit: 'Neuen Link erstellen',
  },
  undoing: {
    title: (name) => `Rückgängig machen, was ${name} getan hat?`,
    question: (waiting, hidden) =>
      `Fotos, die wieder warten: ${waiting}. Fotos, die wieder zu sehen sind: ${hidden}. Was du seitdem entschieden hast, bleibt.`,
    open: 'Dieser Helfer kann weitermachen. Beende zuerst den Zugang, wenn du das nicht willst.',
    confirm: 'Alles rückgängig machen',
    done: (waiting, shown) => `Rückgängig gemacht. Wieder wartend: ${waiting}. Wieder zu sehen: ${shown}.`,
  },
  ending: {
    title: (name) => `Zugang von ${name} beenden?`,
    question: 'Er endet sofort. Was entschieden wurde, bleibt, und du kannst es noch rückgängig machen.',
    confirm: 'Beenden',
    done: 'Beendet. Der Link funktioniert nicht mehr.',
  },
  removal: {
    title: (name) => `${name} entfernen?`,
    question:
      'Der Name wird gelöscht. Was entschieden wurde, bleibt, kann aber nicht mehr zusammen rückgängig gemacht werden.',
    confirm: 'Entfernen',
    done: 'Entfernt.',
  },
}

export const reviewedBy: typeof english.reviewedBy = {
  named: (name) => `Von ${name}`,
  helper: 'Von einem Helfer',
}

export const helping: typeof english.helping = {
  title: 'Bei den Fotos helfen',
  begin: {
    heading: 'Bei den Fotos helfen',
    lead: 'Du wurdest gebeten, dir die Fotos der Gäste anzusehen: welche gezeigt werden dürfen und welche nicht.',
    device: 'Der Link funktioniert auf einem Gerät. Drück den Knopf auf dem Handy, das du benutzen wirst.',
    button: 'Beginnen',
    failed: 'Das hat nicht geklappt. Bitte versuche es noch einmal.',
  },
  refused: {
    heading: 'Dieser Link wird auf einem anderen Gerät benutzt',
    lead: 'Bitte den Gastgeber, dieses Gerät zu erlauben: auf der Seite der Veranstaltung, unter Helfer. Diese Seite geht dann von selbst weiter.',
    waiting: 'Warten auf den Gastgeber…',
  },
  ended: {
    heading: 'Dieser Link funktioniert nicht mehr',
    lead: 'Er ist abgelaufen, der Gastgeber hat ihn beendet, oder ein anderes Gerät nutzt ihn jetzt. Bitte den Gastgeber um einen neuen, wenn du noch hilfst. Danke für deine Hilfe.',
  },
  until: (name, when) => `${name}, bis ${when}`,
  shown: 'Gezeigt',
  loadFailed: 'Die Fotos konnten nicht geladen werden.',
  noneShown: 'Gäste können noch keine Fotos sehen.',
  listLabel: 'Fotos, die Gäste sehen können',
  fromHosts: 'Von den Gastgebern',
  hidden: 'Ausgeblendet',
  held: 'Jetzt auf dem Bildschirm',
  hide: 'Ausblenden',
  show: 'Wieder zeigen',
  hold: 'Auf dem Bildschirm fixieren',
  release: 'Fixierung aufheben',
  of: (action, who) => `${action}. ${who}`,
  hiddenNow: 'Ausgeblendet. Gäste können das Foto nicht mehr sehen.',
  shownNow: 'Gäste können das Foto wieder sehen.',
  heldNow: 'Die Bildschirme zeigen dieses Foto zehn Minuten lang.',
  releasedNow: 'Fixierung aufgehoben.',
  unchanged: 'Das wurde inzwischen anderswo geändert.',
  failed: 'Das konnte nicht geändert werden. Bitte versuche es noch einmal.',
}

export const helperEmails: typeof english.helperEmails = {
  created: {
    subject: 'Deiner Veranstaltung wurde ein Helfer hinzugefügt',
    heading: 'Ein Helfer hat einen Link zu deiner Veranstaltung',
    lead: (when, name) =>
      `Am ${when} wurde ein Link erstellt, mit dem ${name} ohne Konto die Fotos einer deiner Veranstaltungen sehen, freigeben, ablehnen und ausblenden kann.`,
    hint: 'Warst du das selbst, musst du nichts tun. Wenn nicht, lege jetzt ein neues Passwort fest. Wenn du dich damit anmeldest, kannst du den Zugang beenden.',
  },
}
