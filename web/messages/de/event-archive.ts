import { eventLimits } from '@keepsnap/contract/event-limits.ts'
import type * as english from '../en/event-archive.ts'

export const eventArchive: typeof english.eventArchive = {
  heading: 'Alle Fotos als eine Datei',
  lead: 'Die Fotos in voller Größe unter ihren eigenen Namen, auch die, die du ausgeblendet hast. Ein abgebrochener Download kann dort weitergehen, wo er aufgehört hat.',
  size: (count, written, size) => (count === 1 ? `1 Foto, ${size}` : `${written} Fotos, ${size}`),
  none: 'Es gibt noch keine Fotos zum Herunterladen.',
  download: 'Alles herunterladen',
  failed: 'Die Größe des Downloads konnte nicht ermittelt werden.',
  grants: {
    heading: 'Einen Link zu allem schicken',
    lead: `Für die Gastgeber, einen Kunden oder Freunde: ein Link zu allen Fotos, die Gäste sehen dürfen, ohne Konto und egal, was für die Galerie gilt. Er funktioniert ${eventLimits.grantDays} Tage. Du kannst ihn jederzeit sperren.`,
    address: 'E-Mail-Adresse',
    placeholder: 'name@example.com',
    emailNeeded: 'Bitte gib eine E-Mail-Adresse ein, zum Beispiel name@example.com.',
    send: 'Link schicken',
    sent: (address) => `Der Link ist unterwegs an ${address}.`,
    failedToSend: 'Der Link konnte nicht geschickt werden. Bitte versuch es noch einmal.',
    list: 'Links, die du geschickt hast',
    none: 'Du hast noch keinen Link geschickt.',
    until: (date) => `Funktioniert bis ${date}`,
    expired: 'Abgelaufen',
    revoked: 'Gesperrt',
    states: { queued: 'Wird gesendet', sent: 'Gesendet', failed: 'Nicht gesendet' },
    resend: 'Noch einmal schicken',
    resendTo: (address) => `Den Link noch einmal an ${address} schicken`,
    revoke: 'Sperren',
    revokeOf: (address) => `Den Link von ${address} sperren`,
    loadFailed: 'Die Links konnten nicht geladen werden.',
    revocation: {
      title: 'Diesen Link sperren?',
      question: (address) =>
        `Der Link an ${address} funktioniert sofort nicht mehr, und laufende Downloads enden. Fotos, die schon gespeichert sind, bleiben dort.`,
      confirm: 'Sperren',
      keep: 'Behalten',
      failed: 'Der Link konnte nicht gesperrt werden. Bitte versuch es noch einmal.',
      done: 'Gesperrt. Der Link funktioniert nicht mehr.',
    },
  },
}

export const eventGrant: typeof english.eventGrant = {
  description: 'Alle Fotos dieser Veranstaltung.',
  from: (brandName) => `von ${brandName}`,
  size: (count, written, size) => (count === 1 ? `1 Foto, ${size}` : `${written} Fotos, ${size}`),
  download: 'Alles herunterladen',
  hint: 'Eine ZIP-Datei. Am Computer öffnet sie sich mit einem Doppelklick; auf dem Handy brauchst du genug Platz und die App „Dateien“. Ein abgebrochener Download kann weitergehen.',
  until: (when) =>
    `Dieser Link funktioniert bis ${when}. Bitte gib ihn nicht weiter: Wer ihn hat, kann alle diese Fotos sehen.`,
  none: 'Es gibt noch keine Fotos. Öffne diesen Link später noch einmal.',
  processing: (count) =>
    count === 1 ? '1 weiteres Foto wird vorbereitet.' : `${count} weitere Fotos werden vorbereitet.`,
  photos: 'Fotos, die neuesten zuerst',
  photo: (number) => `Foto ${number}`,
  save: 'Speichern',
  saveOne: (number) => `Foto ${number} speichern`,
  older: 'Ältere Fotos',
  newest: 'Neueste Fotos',
  gone: {
    heading: 'Dieser Link funktioniert nicht mehr',
    advice: `Links zu allen Fotos einer Veranstaltung funktionieren ${eventLimits.grantDays} Tage, oder bis sie gesperrt werden. Bitte die Person, die ihn geschickt hat, um einen neuen.`,
  },
}

export const eventGrantEmails: typeof english.eventGrantEmails = {
  grant: {
    subject: (eventName) => `Alle Fotos von ${eventName}`,
    preview: 'Ein Link, um sie anzusehen und herunterzuladen.',
    lead: (eventName, from) => `${from} gibt dir alle Fotos von ${eventName}.`,
    count: (count, written) =>
      count === 0
        ? 'Sie erscheinen auf der Seite, sobald es welche gibt.'
        : count === 1
          ? 'Jetzt gibt es 1 Foto. Was später dazukommt, ist dort auch zu sehen.'
          : `Jetzt gibt es ${written} Fotos. Was später dazukommt, ist dort auch zu sehen.`,
    private: 'Du brauchst kein Konto. Bitte gib den Link nicht weiter: Wer ihn hat, kann alle diese Fotos sehen.',
    button: 'Fotos ansehen',
    expiry: (when) => `Der Link funktioniert bis ${when}.`,
    ignore: 'Wenn du nicht weißt, von wem er kommt, kannst du diese E-Mail ignorieren.',
    reason: (host) =>
      `Du bekommst diese E-Mail, weil dir jemand auf ${host} die Fotos einer Veranstaltung geschickt hat.`,
  },
  created: {
    subject: 'Du hast einen Link zu allen Fotos einer Veranstaltung geschickt',
    heading: 'Ein Link zu allen Fotos wurde geschickt',
    lead: (when, address) =>
      `Am ${when} wurde ein Link zu allen Fotos einer deiner Veranstaltungen an ${address} geschickt. Wer ihn hat, kann sie ansehen und herunterladen.`,
    hint: 'Warst du das selbst, musst du nichts tun. Wenn nicht, lege jetzt ein neues Passwort fest. Wenn du dich damit anmeldest, kannst du den Link sperren.',
  },
}

export const eventRequestEmails: typeof english.eventRequestEmails = {
  photos: {
    subject: (count, brandName) =>
      brandName === null ? `Deine ${count} Fotos sind da` : `Deine ${count} Fotos von ${brandName}`,
    heading: 'Hier sind deine Fotos',
    lead: 'Öffne sie einzeln und speichere sie auf deinem Handy.',
    one: (number) => `Foto ${number}`,
    expiry: (when) => `Die Links gelten bis ${when} Uhr.`,
    reason: (host) =>
      `Du bekommst diese E-Mail, weil deine Adresse auf einer Fotoseite von ${host} eingegeben wurde. ` +
      `Wir verwenden sie, um diese Fotos zu senden, und für nichts anderes.`,
  },
  archive: {
    preview: 'Ein Link, um sie als eine Datei herunterzuladen.',
    lead: (count, written, size) =>
      count === 1
        ? `Jetzt gibt es 1 Foto, ${size}.`
        : `Jetzt gibt es ${written} Fotos, zusammen ${size} in einer Datei.`,
    hint: 'Öffne den Link an einem Computer: Handys können eine so große Datei oft nicht öffnen. Er funktioniert nur, solange die Galerie offen ist.',
    button: 'Fotos herunterladen',
  },
  open: {
    subject: (eventName) => `Die Fotos von ${eventName} sind freigegeben`,
    preview: 'Du wolltest Bescheid bekommen.',
    heading: 'Die Fotos sind freigegeben',
    lead: (eventName) => `Du kannst dir die Fotos von ${eventName} jetzt ansehen.`,
    button: 'Fotos ansehen',
    reason: (host) =>
      `Du bekommst diese E-Mail, weil deine Adresse auf der Seite einer Veranstaltung auf ${host} eingegeben wurde, um zu erfahren, wann ihre Fotos zu sehen sind. ` +
      `Wir haben sie jetzt aus dieser Liste gelöscht.`,
  },
}
